import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps one reader: opens it, and brings it back whenever it is lost, at whichever node it is then.
///
/// Serves one task, which asks it to open, to `recover` after a failure, and to close; `interrupt()` and `health` are for
/// any thread. Which step comes when is up to `RecoveryLadder`; each is timed, counted and reported.
package final class ReaderKeeper: Sendable {
    private struct State {
        var address: ReaderAddress
        var reader: Reader?
        var isInterrupted = false
        var health = ReaderHealth()
        /// What the devices before the present one have seen.
        var past = DeviceVitals()
        var ladder: RecoveryLadder?
        /// When the last recovery ended.
        var recoveredAt: Duration?
    }

    /// How long a recovered reader is on trial: when it fails again in this time, the step was not enough, and the
    /// ladder is climbed on from there.
    static let trial = Duration.seconds(5)
    /// How often a pause looks whether the device has appeared.
    private static let lookout = Duration.milliseconds(200)

    private let policy: RecoveryPolicy
    private let clock: MonotonicClock
    private let report: @Sendable (RecoveryEvent) async -> Void
    private let state: Mutex<State>

    /// A keeper of a reader that is not open yet.
    ///
    /// - Parameters:
    ///   - connectionString: the reader.
    ///   - policy: what may be done to it.
    ///   - clock: what pauses are measured in.
    ///   - report: called for each event, one after the other; recovery waits for it.
    package init(
        _ connectionString: String,
        policy: RecoveryPolicy = RecoveryPolicy(),
        clock: MonotonicClock = .continuous,
        report: @escaping @Sendable (RecoveryEvent) async -> Void = { _ in }
    ) {
        self.policy = policy
        self.clock = clock
        self.report = report
        state = Mutex(State(address: ReaderAddress(connectionString)))
    }

    // MARK: Opening and closing

    /// Opens the reader for the first time, or says why it cannot be.
    ///
    /// A serial PN532 that does not answer is looked for at other baud rates too.
    package func open() async throws(ReaderError) -> Reader {
        do throws(ReaderError) {
            return try await open(candidates: state.withLock { $0.address.candidates }, tries: 2)
        } catch .notResponding(let text) {
            guard policy.steps(for: lastDriver).contains(.changeBaudRate) else {
                throw .notResponding(text)
            }
            guard let reader = await attempt(.changeBaudRate) else {
                setState(.closed)
                throw .notResponding(text)
            }
            return reader
        }
    }

    /// Switches the field off and closes the reader, if it is open.
    package func close() async {
        await putAway()
        setState(.closed)
    }

    /// Ends what the reader is doing, and recovery with it: `recover` and every call of the reader throw
    /// `interrupted` from now on.
    ///
    /// From any thread.
    package func interrupt() {
        let reader = state.withLock { state in
            state.isInterrupted = true
            return state.reader
        }
        reader?.interrupt()
    }

    // MARK: Recovery

    /// The reader's error, when it cannot work any more without being treated; nil while there is hope.
    ///
    /// To be asked between rounds of polls: an idle reader is proved alive by its answers to them.
    package func failure() async -> ReaderError? {
        guard let reader = state.withLock({ $0.reader }) else { return nil }
        return await reader.failure(silenceLimit: policy.silenceLimit)
    }

    /// Brings the reader back, however long that takes.
    ///
    /// - Parameter error: what the reader failed with.
    /// - Returns: the reader to use from now on. Its field was off, or may have been: tags start anew.
    /// - Throws: `error` itself when it is not one that a reader recovers from; `interrupted`.
    package func recover(from error: ReaderError) async throws(ReaderError) -> Reader {
        guard error.recoveryEntry != nil else { throw error }
        let start = clock.now()
        var ladder = await ladder(for: error, at: start)
        var isAnnounced = false
        while true {
            try checkNotInterrupted()
            switch ladder.next() {
            case .attempt(let step):
                if step > .resend, !isAnnounced {
                    isAnnounced = true
                    state.withLock { $0.health.losses += 1 }
                    await report(.lost(error))
                }
                guard let reader = await attempt(step) else { continue }
                let now = clock.now()
                keep(ladder, recoveredAt: now, lostFor: isAnnounced ? now - start : .zero)
                if isAnnounced {
                    let place = reader.connectionString
                    await report(.back(after: now - start, by: step, connectionString: place))
                }
                return reader
            case .pause(let pause):
                setState(.lost(pause: pause))
                if await waitForDevice(pause) { ladder.deviceAppeared() }
            }
        }
    }

    private func ladder(for error: ReaderError, at now: Duration) async -> RecoveryLadder {
        let (reader, last, recoveredAt) = state.withLock {
            ($0.reader, $0.ladder, $0.recoveredAt)
        }
        var entry = error.recoveryEntry ?? .reopen
        if await reader?.isPortGone ?? true { entry = max(entry, .reopen) }
        if var last, let recoveredAt, now - recoveredAt < Self.trial {
            last.resume(entry: entry)
            return last
        }
        return RecoveryLadder(
            steps: policy.steps(for: reader?.driver ?? lastDriver),
            entry: entry,
            firstPause: policy.firstPause,
            longestPause: policy.longestPause
        )
    }

    private var lastDriver: ConnectionString.Driver? {
        let candidates = state.withLock { $0.address.candidates }
        return candidates.lazy.compactMap { try? ConnectionString($0) }.first?.driver
    }

    private func keep(_ ladder: RecoveryLadder, recoveredAt now: Duration, lostFor loss: Duration) {
        state.withLock { state in
            state.ladder = ladder
            state.recoveredAt = now
            state.health.longestLoss = max(state.health.longestLoss, loss)
        }
        setState(.working)
    }

    /// Takes one step; the reader if it answers afterwards.
    private func attempt(_ step: RecoveryStep) async -> Reader? {
        setState(.recovering(step))
        let start = clock.now()
        let outcome: Result<Reader, ReaderError>
        do throws(ReaderError) {
            outcome = .success(try await take(step))
        } catch {
            outcome = .failure(error)
        }
        let duration = clock.now() - start
        let (reader, failure): (Reader?, ReaderError?) =
            switch outcome {
            case .success(let reader): (reader, nil)
            case .failure(let error): (nil, error)
            }
        state.withLock { $0.health.steps[step, default: .init()].count(duration, failure == nil) }
        await report(.attempted(step, duration: duration, failure: failure))
        return reader
    }

    private func take(_ step: RecoveryStep) async throws(ReaderError) -> Reader {
        switch step {
        case .resend:
            let reader = try openReader()
            try await reader.resend()
            return reader
        case .reinitialise:
            let reader = try openReader()
            try await reader.reinitialise()
            return reader
        case .reopen:
            return try await reopen()
        case .changeBaudRate:
            await putAway()
            try await restoreBaudRate()
            return try await reopen()
        case .reset:
            await putAway()
            try await ResetProgram.run(policy.resetProgram)
            try? await clock.sleep(policy.resetPause)
            return try await reopen()
        }
    }

    private func openReader() throws(ReaderError) -> Reader {
        guard let reader = state.withLock({ $0.reader }) else { throw .closed }
        return reader
    }

    /// Closes the reader and opens it again.
    ///
    /// One try: no recovery follows when it fails.
    package func reopen() async throws(ReaderError) -> Reader {
        await putAway()
        try checkNotInterrupted()
        return try await open(candidates: state.withLock { $0.address.candidates }, tries: 1)
    }

    private func restoreBaudRate() async throws(ReaderError) {
        for candidate in state.withLock({ $0.address.candidates }) {
            let string = try ConnectionString(candidate)
            guard string.driver == .pn532UART, let path = string.path else { continue }
            let home = string.baudRate ?? 115_200
            if try await SerialRescue.restore(path: path, home: home) != nil { return }
        }
        throw .notResponding("no PN532 answers at any baud rate")
    }

    /// Waits for the pause to pass, or for the device to come or change; true in the latter case.
    private func waitForDevice(_ pause: Duration) async -> Bool {
        let address = state.withLock { $0.address }
        let before = address.fingerprint
        let end = clock.now() + pause
        while clock.now() < end, !state.withLock({ $0.isInterrupted }) {
            // Thrown on cancellation only, which comes with an interruption.
            do { try await clock.sleep(min(Self.lookout, end - clock.now())) } catch {
                return false
            }
            let now = address.fingerprint
            if now != before, now.contains(where: { !$0.isEmpty }) { return true }
        }
        return false
    }

    // MARK: The device

    private func open(candidates: [String], tries: Int) async throws(ReaderError) -> Reader {
        var failure = ReaderError.noReader
        for candidate in candidates {
            do throws(ReaderError) {
                return try await adopt(Reader.open(candidate, tries: tries))
            } catch {
                failure = error
            }
        }
        throw failure
    }

    private func adopt(_ reader: Reader) async throws(ReaderError) -> Reader {
        let isWanted = state.withLock { state in
            guard !state.isInterrupted else { return false }
            state.reader = reader
            state.address.noteNames()
            state.health.connectionString = reader.connectionString
            return true
        }
        guard isWanted else {
            await reader.close()
            throw .interrupted
        }
        setState(.working)
        return reader
    }

    private func putAway() async {
        let reader = state.withLock { state in
            defer { state.reader = nil }
            if let reader = state.reader { state.past.add(reader.vitals) }
            return state.reader
        }
        await reader?.close()
    }

    private func checkNotInterrupted() throws(ReaderError) {
        if state.withLock({ $0.isInterrupted }) || Task.isCancelled { throw .interrupted }
    }

    // MARK: Health

    /// How the reader is, and what it has been through.
    package var health: ReaderHealth {
        state.withLock { state in
            var vitals = state.past
            if let reader = state.reader { vitals.add(reader.vitals) }
            var health = state.health
            health.silence = vitals.lastAnswer.map { $0.duration(to: .now) }
            health.failures = vitals.failures
            health.crashesContained = vitals.crashes
            health.lostInterrupts = Reader.lostInterrupts
            return health
        }
    }

    private func setState(_ new: ReaderHealth.State) {
        state.withLock { state in
            guard state.health.state != new else { return }
            state.health.state = new
            state.health.since = Date()
        }
    }
}

extension DeviceVitals {
    /// Adds what a later device has seen.
    fileprivate mutating func add(_ later: DeviceVitals) {
        lastAnswer = later.lastAnswer ?? lastAnswer
        failures.merge(later.failures, uniquingKeysWith: +)
        crashes += later.crashes
    }
}

extension ReaderHealth.StepCount {
    fileprivate mutating func count(_ duration: Duration, _ hasSucceeded: Bool) {
        attempts += 1
        if hasSucceeded { successes += 1 }
        total += duration
        longest = max(longest, duration)
    }
}
