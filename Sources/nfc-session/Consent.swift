/// Whether the user wants what a command is about to do.
struct Consent {
    private let isGiven: Bool

    init(_ arguments: Arguments) { isGiven = arguments.has(.consent) }

    /// Refuses what cannot be asked about later on; `deed` says what would happen, without a full stop.
    ///
    /// Called before the reader is touched.
    func check(_ deed: String) throws(Failure) {
        guard isGiven || StandardInput.isTerminal else { throw .needsConsent(deed) }
    }

    /// Asks, unless the user has said yes before; a no is thrown as `Failure.declined`.
    func ask(_ deed: String) async throws {
        guard !isGiven else { return }
        try check(deed)
        let answer = try await StandardInput.line(asking: "\(deed). Go on? [y/N] ")
        guard let answer, ["y", "yes"].contains(answer.lowercased()) else {
            throw Failure.declined
        }
    }
}

extension Option {
    static let consent = Option("yes", help: "Do it without asking")
}
