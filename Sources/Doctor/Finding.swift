/// What one check found out about one thing.
package struct Finding: Sendable, Equatable {
    /// Whether what was found keeps a reader from working.
    package enum Verdict: String, Sendable, CaseIterable {
        /// As it should be.
        case ok
        /// Works, but worth knowing.
        case note
        /// Keeps a reader from working, or from working well.
        case trouble
        /// The machine does not say, mostly for want of permission.
        case cannotTell
    }

    /// The check's name.
    package let check: String
    package let verdict: Verdict
    /// What it is about: a reader's name as `--reader` takes it, a file; nil for the machine as a whole.
    package let subject: String?
    /// What was seen, as a sentence without a full stop.
    package let evidence: String
    /// What mends the trouble, or comes next where there is none.
    package let remedy: Remedy?
}

extension Check {
    /// A finding of this check.
    func finding(
        _ verdict: Finding.Verdict,
        _ subject: String? = nil,
        _ evidence: String,
        _ remedy: Remedy? = nil
    ) -> Finding {
        Finding(
            check: name,
            verdict: verdict,
            subject: subject,
            evidence: evidence,
            remedy: remedy
        )
    }
}
