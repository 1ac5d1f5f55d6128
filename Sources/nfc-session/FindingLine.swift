import Doctor

/// A finding, as `doctor` prints it.
struct FindingLine {
    private let finding: Finding

    init(_ finding: Finding) { self.finding = finding }

    /// The finding as one JSON object.
    var json: JSON {
        .object([
            "check": .string(finding.check),
            "verdict": .string(finding.verdict.rawValue),
            "subject": .optional(finding.subject),
            "evidence": .string(finding.evidence),
            "command": .optional(finding.remedy?.command),
            "then": .optional(finding.remedy?.then),
        ])
    }

    /// The finding for people: two lines, or one where there is nothing to do.
    func text(_ output: Output) -> String {
        let subject = finding.subject.map { $0 + ": " } ?? ""
        let verdict = output.styled(finding.verdict.word.padded(to: 12), finding.verdict.style)
        var text =
            verdict + finding.check.padded(to: 16)
            + (subject + finding.evidence).printable
        if let remedy = finding.remedy {
            let margin = "\n" + String(repeating: " ", count: 12)
            let intent = finding.verdict == .ok ? "next:  " : "run:   "
            text += margin + intent + remedy.command.printable
            if let then = remedy.then { text += margin + "then:  " + then.printable }
        }
        return text
    }
}

/// A remedy, as `doctor --fix` prints it.
struct RemedyLine {
    /// What became of it.
    enum Outcome: String {
        case wouldRun, leftToYou, done, failed
    }

    let check: String
    let remedy: Remedy
    let outcome: Outcome

    /// The remedy as one JSON object.
    var json: JSON {
        .object([
            "check": .string(check),
            "command": .string(remedy.command),
            "outcome": .string(outcome.rawValue),
            "then": .optional(remedy.then),
        ])
    }

    /// The remedy for people.
    var text: String {
        let word =
            switch outcome {
            case .wouldRun: "would run"
            case .leftToYou: "left to you"
            case .done: "done"
            case .failed: "failed"
            }
        let then =
            remedy.then.map { "\n" + String(repeating: " ", count: 13) + "then: " + $0.printable }
            ?? ""
        return word.padded(to: 13) + remedy.command.printable + then
    }
}

extension Finding.Verdict {
    /// The verdict in a line for people.
    fileprivate var word: String { self == .cannotTell ? "cannot tell" : rawValue }

    fileprivate var style: Style {
        switch self {
        case .ok: .genuine
        case .note, .cannotTell: .dim
        case .trouble: .notGenuine
        }
    }
}
