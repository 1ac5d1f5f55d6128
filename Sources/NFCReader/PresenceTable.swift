#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A tag that came into the field, stayed in it or left it.
package enum PresenceEvent: Sendable, Equatable {
    /// A tag is in the field that was not there before. It is the active one, as the poll left it.
    case arrived(Target)
    /// The tag has stayed for the hold time, and for so long.
    case rests(Target, held: Duration)
    /// The tag has not answered for several rounds; it had stayed for so long.
    case left(Target, held: Duration)

    /// The tag that came, stayed or went, as it was when it came.
    package var target: Target {
        switch self {
        case .arrived(let target), .rests(let target, _), .left(let target, _): target
        }
    }
}

/// The tags in the field, as far as rounds of polls have found out: which of those that answered is which of those
/// that were there, and what has changed.
///
/// Tags with random UIDs cannot be told apart: all that are alike otherwise are one anonymous tag. A type B card
/// may draw its PUPI anew in every field; it is taken for the one that was there a round ago, when more than one tag
/// made a new field necessary.
package struct PresenceTable: Sendable {
    /// A tag that is there.
    package struct Entry: Sendable {
        /// The tag as it was announced, and will be when it leaves.
        package let announced: Target
        /// The same tag as the last poll saw it: its number in the chip and a random identifier change.
        package fileprivate(set) var target: Target
        /// Its state.
        package fileprivate(set) var presence: TagPresence
    }

    /// The tags that are there, first come first.
    package private(set) var entries: [Entry] = []
    private let rules: PresenceRules

    /// Nobody is there.
    package init(rules: PresenceRules = PresenceRules()) {
        self.rules = rules
    }

    /// Takes in who answered in a round.
    ///
    /// - Parameters:
    ///   - found: the tags that answered; the same one twice is one.
    ///   - isComplete: whether everybody was asked, so that who did not answer was missed.
    ///   - now: when the round began.
    /// - Returns: what changed: who left, who rests by now, and who came, in this order.
    package mutating func note(
        found: [Target],
        isComplete: Bool,
        at now: ContinuousClock.Instant
    ) -> [PresenceEvent] {
        var arrivals = found
        var isSeen = entries.map { _ in false }
        for isMatch in [isIdentical, isAlike] {
            for index in entries.indices where !isSeen[index] {
                guard let seen = arrivals.first(where: { isMatch($0, entries[index]) }) else {
                    continue
                }
                entries[index].target = seen
                arrivals.removeAll {
                    isIdentical($0, entries[index]) || isAnonymous($0, as: entries[index])
                }
                isSeen[index] = true
            }
        }
        var events: [PresenceEvent] = []
        for index in entries.indices {
            let missing: TagPresence.Observation = isComplete ? .missed : .unheard
            events += note(isSeen[index] ? .answered : missing, index, at: now)
        }
        entries.removeAll { $0.presence.state == .gone }
        events = events.filter(\.isDeparture) + events.filter { !$0.isDeparture }
        for target in arrivals { events += arrive(target, at: now) }
        return events
    }

    /// Takes in that one tag answered when it alone was asked.
    package mutating func note(
        answerOf target: Target,
        at now: ContinuousClock.Instant
    ) -> [PresenceEvent] {
        guard let index = entries.firstIndex(where: { isIdentical(target, $0) }) else { return [] }
        return note(.answered, index, at: now)
    }

    private mutating func note(
        _ observation: TagPresence.Observation,
        _ index: Int,
        at now: ContinuousClock.Instant
    ) -> [PresenceEvent] {
        let change = entries[index].presence.note(observation, at: now)
        let (announced, held) = (entries[index].announced, entries[index].presence.held)
        return switch change {
        case .detected: [.arrived(announced)]
        case .resting: [.rests(announced, held: held)]
        case .removed: [.left(announced, held: held)]
        case nil: []
        }
    }

    private mutating func arrive(
        _ target: Target,
        at now: ContinuousClock.Instant
    ) -> [PresenceEvent] {
        let isKnown = entries.contains { isIdentical(target, $0) || isAnonymous(target, as: $0) }
        guard !isKnown else { return [] }
        let presence = TagPresence(rules)
        entries.append(Entry(announced: target, target: target, presence: presence))
        return note(.answered, entries.count - 1, at: now)
    }

    // MARK: - Who is who

    private func isIdentical(_ found: Target, _ known: Entry) -> Bool {
        found.technology == known.target.technology && found.identifier == known.target.identifier
    }

    /// Whether `found` may be the known tag under another identifier.
    private func isAlike(_ found: Target, _ known: Entry) -> Bool {
        if isAnonymous(found, as: known) { return true }
        guard case .typeB(let a) = found, case .typeB(let b) = known.target else { return false }
        return entries.count > 1 && known.presence.misses == 0
            && a.applicationData == b.applicationData && a.protocolInfo == b.protocolInfo
    }

    private func isAnonymous(_ found: Target, as known: Entry) -> Bool {
        guard case .typeA(let a) = found, case .typeA(let b) = known.target else { return false }
        return a.hasRandomUID && b.hasRandomUID && a.atqa == b.atqa && a.sak == b.sak
            && a.ats == b.ats
    }
}

extension PresenceEvent {
    fileprivate var isDeparture: Bool {
        if case .left = self { true } else { false }
    }
}
