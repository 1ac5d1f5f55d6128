#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How a kept reader is, and what it has been through.
///
/// A snapshot: nothing is sent to the reader for it.
public struct ReaderHealth: Sendable, Equatable {
    /// What the reader is doing.
    public enum State: Sendable, Equatable {
        /// Not opened yet, or closed.
        case closed
        /// It answers.
        case working
        /// This step is being taken.
        case recovering(RecoveryStep)
        /// No step has helped so far: the next ones come after this pause, or when the device appears.
        case lost(pause: Duration)
    }

    /// How often a step was taken, and how it went.
    public struct StepCount: Sendable, Equatable {
        /// How often it was taken.
        public internal(set) var attempts = 0
        /// How often the reader answered afterwards.
        public internal(set) var successes = 0
        /// How long it took, all times together.
        public internal(set) var total: Duration = .zero
        /// How long the longest one took.
        public internal(set) var longest: Duration = .zero
    }

    /// What the reader is doing.
    public internal(set) var state = State.closed
    /// Since when, by the system's clock.
    public internal(set) var since = Date()
    /// Where it was opened last.
    public internal(set) var connectionString = ""
    /// How long ago the chip answered last; nil when it never did.
    public internal(set) var silence: Duration?
    /// How often the reader was lost.
    public internal(set) var losses = 0
    /// How long it was away at most.
    public internal(set) var longestLoss: Duration = .zero
    /// Each step of recovery that was ever taken.
    public internal(set) var steps: [RecoveryStep: StepCount] = [:]
    /// Chip commands that failed, by libnfc's code: -6 no answer in time, -1 port or frame (facts/libnfc.md, 9).
    ///
    /// What a tag did, silence included, is no failure.
    public internal(set) var failures: [Int32: Int] = [:]
    /// How often libnfc called `abort()` and was kept from ending the process.
    public internal(set) var crashesContained = 0
    /// Interrupts that libnfc lost, and a descriptor with each; of the whole process.
    public internal(set) var lostInterrupts = 0

    /// The health of a reader that has not been opened yet.
    public init() {}
}

/// What one open device has seen, counted as its calls return.
struct DeviceVitals: Sendable {
    var lastAnswer: ContinuousClock.Instant?
    /// Since when every command has failed.
    var failingSince: ContinuousClock.Instant?
    var lastError: ReaderError?
    var failures: [Int32: Int] = [:]
    var crashes = 0

    /// Notes an answer to this command.
    ///
    /// A chip that lost its power answers RFConfiguration and no search, so that proves little (facts/pn532.md, 1.2).
    mutating func noteAnswer(to command: UInt8? = nil) {
        lastAnswer = .now
        guard command != 0x32 else { return }
        failingSince = nil
        lastError = nil
    }

    /// Notes the error of a call that began at `start`.
    ///
    /// A tag's silence or refusal is the chip's answer all the same.
    mutating func note(_ error: ReaderError, of start: ContinuousClock.Instant) {
        switch error {
        case .tagLost, .tagError: noteAnswer()
        case .failed(let code, _):
            failures[code, default: 0] += 1
            noteFailure(error, start)
        case .libraryFault:
            crashes += 1
            noteFailure(error, start)
        default: break
        }
    }

    private mutating func noteFailure(_ error: ReaderError, _ start: ContinuousClock.Instant) {
        lastError = error
        if failingSince == nil { failingSince = start }
    }
}
