/// Where a tag stands between coming into the field and being gone (docs/presence.md has the same table).
///
/// | state | it answers | it answers, held long enough | it is missed | it is missed often enough | nothing is heard |
/// |---|---|---|---|---|---|
/// | `gone` | `coming` (detected) | - | `gone` | - | `gone` |
/// | `coming` | `present` | `resting` (resting) | `going` | - | `coming` |
/// | `present` | `present` | `resting` (resting) | `going` | - | `present` |
/// | `resting` | - | `resting` | `going` | - | `resting` |
/// | `going` | `present` | `resting` (resting) | `going` | `gone` (removed) | `going` |
///
/// In brackets is what is reported; resting is, once in a stay. "Nothing is heard" is a round that failed, an answer that
/// was garbled, or a round that did not ask this tag: noise counts as present. Only the chip's word that nobody answered
/// is a miss.
package enum TagState: String, Sendable, CaseIterable {
    /// It is not there: the next answer is a new tap.
    case gone
    /// It has answered once, and was reported at once.
    case coming
    /// It has answered again.
    case present
    /// It has stayed for the hold time: it is held or lies there, and was not just tapped.
    case resting
    /// It has not answered in the last round or the last few. It still counts as there, and an answer is no new tap.
    case going
}

/// How long is long enough, for `TagPresence`.
package struct PresenceRules: Sendable, Equatable {
    /// Rounds in which a tag did not answer, one after the other, before it is gone.
    package var misses: Int
    /// How long it must not have answered before it is gone, however many rounds that is.
    package var quietTime: Duration
    /// How long it stays before it rests: a shorter stay is a tap, a longer one a hold.
    package var holdTime: Duration

    /// Three rounds (facts/libnfc.md, 8), without a quiet time, and two seconds.
    package init(
        misses: Int = 3,
        quietTime: Duration = .zero,
        holdTime: Duration = .seconds(2)
    ) {
        self.misses = misses
        self.quietTime = quietTime
        self.holdTime = holdTime
    }
}

/// One tag as rounds of polls find it: the state, how it changes, and when.
///
/// No reader is involved; whoever asks the reader says what it heard.
package struct TagPresence: Sendable, Equatable {
    /// What a round says about the tag.
    package enum Observation: Sendable, CaseIterable {
        /// The tag answered.
        case answered
        /// The chip says that it did not.
        case missed
        /// Neither: the round failed, the answer was garbled, or the tag was not asked.
        case unheard
    }

    /// A change that is worth a report.
    package enum Change: String, Sendable {
        case detected
        case resting
        case removed
    }

    /// Where it stands.
    package private(set) var state = TagState.gone
    /// Rounds without an answer since the last one with.
    package private(set) var misses = 0
    /// When it came, once it has.
    private var arrival: ContinuousClock.Instant?
    private var lastAnswer: ContinuousClock.Instant?
    private var hasRested = false
    private let rules: PresenceRules

    /// A tag that is not there.
    package init(_ rules: PresenceRules = PresenceRules()) {
        self.rules = rules
    }

    /// From its first answer to its last, of its present stay or, when it is gone, of the one that ended.
    package var held: Duration {
        guard let arrival, let lastAnswer else { return .zero }
        return lastAnswer - arrival
    }

    /// Takes in what a round says, and returns what there is to report.
    package mutating func note(
        _ observation: Observation,
        at now: ContinuousClock.Instant
    ) -> Change? {
        switch observation {
        case .answered: answered(at: now)
        case .missed: missed(at: now)
        case .unheard: nil
        }
    }

    private mutating func answered(at now: ContinuousClock.Instant) -> Change? {
        lastAnswer = now
        misses = 0
        if state == .gone {
            arrival = now
            hasRested = false
            state = .coming
            return .detected
        }
        let rests = held >= rules.holdTime
        state = rests ? .resting : .present
        guard rests, !hasRested else { return nil }
        hasRested = true
        return .resting
    }

    private mutating func missed(at now: ContinuousClock.Instant) -> Change? {
        guard state != .gone, let lastAnswer else { return nil }
        misses += 1
        state = .going
        guard misses >= rules.misses, now - lastAnswer >= rules.quietTime else { return nil }
        state = .gone
        return .removed
    }
}
