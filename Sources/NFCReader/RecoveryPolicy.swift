/// What a kept reader may be put through, and how soon.
public struct RecoveryPolicy: Sendable, Equatable {
    /// How long every command may fail before the reader is treated.
    ///
    /// The polls of this time are the first resends.
    public var silenceLimit: Duration = .seconds(1)
    /// The first pause after all steps have failed; each further one is twice as long.
    public var firstPause: Duration = .milliseconds(500)
    /// The longest pause.
    public var longestPause: Duration = .seconds(30)
    /// A program that resets the chip or cuts its power, and its arguments; empty for none.
    ///
    /// `["uhubctl", "-l", "1-1", "-p", "2", "-a", "cycle"]`, for example. Run as it is, without a shell.
    public var resetProgram: [String] = []
    /// How long the reader gets to start after the program has ended.
    public var resetPause: Duration = .milliseconds(500)

    /// Steps that need nothing configured.
    public init() {}

    /// The steps for a reader on this driver.
    func steps(for driver: ConnectionString.Driver?) -> [RecoveryStep] {
        var steps: [RecoveryStep] = [.resend, .reinitialise, .reopen]
        if driver == .pn532UART { steps.append(.changeBaudRate) }
        if !resetProgram.isEmpty { steps.append(.reset) }
        return steps
    }
}
