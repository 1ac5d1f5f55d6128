/// Which step of recovery comes next: from the gentlest that can help up to the roughest there is, then again and
/// again with longer and longer pauses (facts/users.md, 3b.2).
///
/// A value that takes no step itself. Every rung is tried once on the way up. After the last one, what is left to try
/// is opening the device anew, with everything above that.
package struct RecoveryLadder: Sendable, Equatable {
    /// What to do next.
    package enum Move: Sendable, Equatable {
        case attempt(RecoveryStep)
        /// Wait, or until the device appears.
        case pause(Duration)
    }

    private let rungs: [RecoveryStep]
    private let longestPause: Duration
    private let firstPause: Duration
    private var nextPause: Duration
    private var position: Int

    /// A ladder of these steps, entered at `entry` or the first one above it.
    ///
    /// - Parameters:
    ///   - steps: what this reader and its configuration offer.
    ///   - entry: the gentlest step that can help against the error at hand.
    ///   - firstPause: how long to wait after the last step; twice as long each further time.
    ///   - longestPause: where that ends.
    package init(
        steps: [RecoveryStep],
        entry: RecoveryStep,
        firstPause: Duration = .milliseconds(500),
        longestPause: Duration = .seconds(30)
    ) {
        rungs = steps.sorted()
        self.firstPause = firstPause
        self.longestPause = longestPause
        nextPause = firstPause
        position = rungs.firstIndex { $0 >= entry } ?? rungs.count
    }

    /// The next step, or the pause before the ladder is climbed again.
    package mutating func next() -> Move {
        if position < rungs.count {
            defer { position += 1 }
            return .attempt(rungs[position])
        }
        position = rungs.firstIndex { $0 >= .reopen } ?? 0
        defer { nextPause = min(nextPause * 2, longestPause) }
        return .pause(nextPause)
    }

    /// Goes on no lower than `entry`: the same reader has failed again, soon after a step seemed to have helped.
    ///
    /// It answered, so it is at the right baud rate.
    package mutating func resume(entry: RecoveryStep) {
        position = max(position, rungs.firstIndex { $0 >= entry } ?? rungs.count)
        if position < rungs.count, rungs[position] == .changeBaudRate { position += 1 }
    }

    /// The device has appeared: it is opened at once, and pauses start short again.
    package mutating func deviceAppeared() {
        nextPause = firstPause
    }
}

extension ReaderError {
    /// The gentlest step that can help against this error; nil when it is nothing that a reader recovers from: the
    /// caller's fault, or an interruption.
    ///
    /// A device that libnfc gave up, or whose port has gone, can only be opened anew (facts/libnfc.md, 10).
    package var recoveryEntry: RecoveryStep? {
        switch self {
        case .noReader, .cannotOpen, .inUse, .notResponding, .libraryFault: .reopen
        // ENODEV and ENXIO from libusb: unplugged (facts/libnfc.md, 9).
        case .failed(code: -19, _): .reopen
        case .failed, .malformedAnswer, .tagLost, .tagError: .resend
        case .invalidConnectionString, .severalReaders, .commandTooLong, .answerTooLong, .closed,
            .interrupted:
            nil
        }
    }
}
