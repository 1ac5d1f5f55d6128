/// The time that limits, pauses and back-offs are measured in, so that tests need not wait for them.
package struct MonotonicClock: Sendable {
    /// The time since some fixed moment.
    package let now: @Sendable () -> Duration
    /// Waits; throws `CancellationError` when the task is cancelled.
    package let sleep: @Sendable (Duration) async throws -> Void

    package init(
        now: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The real time, which goes on while the machine sleeps.
    package static let continuous: MonotonicClock = {
        let start = ContinuousClock.now
        return MonotonicClock(
            now: { ContinuousClock.now - start },
            sleep: { try await Task.sleep(for: $0, clock: .continuous) }
        )
    }()
}
