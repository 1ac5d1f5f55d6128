/// The virtual chip's time. Radio and firmware spend it; in immediate timing nothing costs any.
package final class ChipClock {
    let timing: Timing
    private(set) var now: ContinuousClock.Instant

    package init(_ timing: Timing, now: ContinuousClock.Instant = .now) {
        self.timing = timing
        self.now = now
    }

    /// Moves on to `instant`; never back.
    func catchUp(with instant: ContinuousClock.Instant) {
        now = max(now, instant)
    }

    /// Takes back what a command would have spent after `instant`, at which it was dropped.
    func cutShort(at instant: ContinuousClock.Instant) {
        now = min(now, instant)
    }

    /// Lets `duration` pass in real timing.
    func spend(_ duration: Duration) {
        if timing == .real { now += duration }
    }
}
