import CoreNFC
import NFCReader
import Synchronization

/// A clock that stands still until a test moves it.
final class ManualClock: Sendable {
    private struct State {
        var now = Duration.zero
        var sleepers: [Int: (until: Duration, wake: CheckedContinuation<Void, any Error>)] = [:]
        var nextSleeper = 0
    }

    private let state = Mutex(State())

    var sessionClock: MonotonicClock {
        MonotonicClock(now: { self.state.withLock { $0.now } }, sleep: { try await self.sleep($0) })
    }

    /// The number of tasks that wait on this clock.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now += duration
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for key in due.keys { state.sleepers[key] = nil }
            return due.values.map(\.wake)
        }
        for sleeper in due { sleeper.resume() }
    }

    private func sleep(_ duration: Duration) async throws {
        let id = state.withLock { state in
            defer { state.nextSleeper += 1 }
            return state.nextSleeper
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isCancelled = state.withLock { state in
                    guard !Task.isCancelled else { return true }
                    state.sleepers[id] = (state.now + duration, continuation)
                    return false
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: id) }
            sleeper?.wake.resume(throwing: CancellationError())
        }
    }
}
