#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A tag that came into the field or left it.
package enum PresenceEvent: Sendable, Equatable {
    /// A tag is in the field that was not there before. It is the active one, as the poll left it.
    case arrived(Target)
    /// The tag has not answered for several rounds.
    case left(Target)

    /// The tag that came or went.
    package var target: Target {
        switch self {
        case .arrived(let target), .left(let target): target
        }
    }
}

/// Which tags are in the field: the rounds of polls that find it out, and what they mean.
///
/// One round costs as few chip commands as its question needs (facts/libnfc.md, 8 and 12):
///
/// | in the field | commands | what is sent |
/// |---|---|---|
/// | nothing | 1 | a poll for one type A tag; every third round one for each other technology asked for |
/// | one tag | 1 | a poll again, or an R(NAK) to a tag that ISO-DEP keeps from answering polls |
/// | one tag, every fifth round, and after a miss | 3 | field off and on, a poll for two tags |
/// | two tags | 3 | the same |
///
/// A tag has left after `missesBeforeLeaving` rounds that ended with the chip's word that it is not there. A round
/// that failed, or an answer that came garbled, says nothing of the kind.
package struct Presence: Sendable {
    /// Rounds without a tag before it counts as gone.
    package static let missesBeforeLeaving = 3
    /// Rounds that failed one after the other before the reader counts as failed.
    package static let failuresBeforeGivingUp = 10
    /// Rounds between looks for a second tag beside a resting one.
    static let roundsBetweenInventories = 5
    /// Rounds between polls for the technologies other than type A while the field is empty.
    static let roundsBetweenOtherPolls = 3

    private struct Entry: Sendable {
        /// The tag as it was announced, and will be when it leaves.
        let announced: Target
        /// The same tag as the last poll saw it: its number in the chip and a random identifier change.
        var target: Target
        var misses = 0

        init(_ target: Target) {
            announced = target
            self.target = target
        }

        mutating func seen(_ target: Target) {
            self.target = target
            misses = 0
        }
    }

    private let technologies: [Technology]
    private var entries: [Entry] = []
    private var round = 0
    private var failures = 0
    /// Whether a tag may stand in the field that does not answer polls: activated by one whose
    /// answer was lost.
    private var needsNewField = false

    /// Looks for these technologies; type A first, where it is among them.
    package init(technologies: [Technology]) {
        self.technologies = Technology.allCases.filter(technologies.contains)
    }

    /// The tags in the field.
    package var targets: [Target] { entries.map(\.target) }

    /// Does one round and says what changed.
    ///
    /// - Throws: the reader's error, once `failuresBeforeGivingUp` rounds in a row have failed, or at once when
    ///   the reader was closed or interrupted.
    package mutating func nextRound(of reader: Reader) async throws(ReaderError) -> [PresenceEvent]
    {
        round += 1
        do throws(ReaderError) {
            let events = entries.isEmpty ? try await search(reader) : try await check(reader)
            failures = 0
            return events
        } catch {
            failures += 1
            let isFinal = error.kind == .usage || error.kind == .interrupted
            guard !isFinal, failures < Self.failuresBeforeGivingUp else { throw error }
            return []
        }
    }

    /// The field is empty: one poll, for the technologies in turn.
    ///
    /// Two commands more renew the field after an answer was lost.
    private mutating func search(_ reader: Reader) async throws(ReaderError) -> [PresenceEvent] {
        if needsNewField { try await reader.cycleField() }
        for technology in technologies where isTurn(of: technology) {
            // Until the answer has come.
            needsNewField = true
            let found = try await reader.poll(technology)
            needsNewField = false
            if !found.isEmpty { return update(found: found, isComplete: false) }
        }
        return []
    }

    private func isTurn(of technology: Technology) -> Bool {
        technology == technologies.first || round % Self.roundsBetweenOtherPolls == 0
    }

    private mutating func check(_ reader: Reader) async throws(ReaderError) -> [PresenceEvent] {
        let isScheduled = round % Self.roundsBetweenInventories == 0
        guard entries.count == 1, let resting = entries.first else {
            return update(found: try await inventory(reader), isComplete: true)
        }
        if keepsStill(resting.target) {
            return try await checkStill(resting, reader, looksForOthers: isScheduled)
        }
        if resting.misses == 0, !isScheduled {
            let found = try await reader.poll(resting.target.technology)
            if found.contains(where: { isIdentical($0, resting.target) }) { return [] }
        }
        return update(found: try await inventory(reader), isComplete: true)
    }

    /// Asks a resting tag that ISO-DEP keeps from answering polls.
    ///
    /// An R(NAK) leaves it as it is, and others can be looked for beside it. The field is cycled only before it is given up, because a tag with a random identifier would
    /// come back as another one.
    private mutating func checkStill(
        _ resting: Entry,
        _ reader: Reader,
        looksForOthers: Bool
    ) async throws(ReaderError) -> [PresenceEvent] {
        let isThere = try await reader.isPresent(resting.target)
        if isThere {
            entries[0].misses = 0
            guard looksForOthers else { return [] }
        } else if resting.misses + 1 >= Self.missesBeforeLeaving {
            return update(found: try await inventory(reader), isComplete: true)
        }
        var found: [Target] = []
        for technology in order(last: resting.target.technology) {
            found += try await reader.poll(technology)
        }
        return update(found: found, isComplete: !isThere)
    }

    /// The technologies with `last` at the end.
    ///
    /// A poll leaves the chip in its technology's framing, which is the one that an R(NAK) or a command without the
    /// chip's framing goes out in.
    private func order(last: Technology) -> [Technology] {
        technologies.filter { $0 != last } + technologies.filter { $0 == last }
    }

    /// Whether ISO-DEP keeps this tag from answering polls.
    private func keepsStill(_ target: Target) -> Bool {
        switch target {
        case .typeA(let tag): target.isISODEP && tag.ats != nil
        case .typeB: target.isISODEP
        case .feliCa: false
        }
    }

    /// Everything that answers in a new field.
    ///
    /// The chip deselects the first of two tags while it looks for the second. A tag that is to stay active is
    /// therefore listed alone, and the second beside it.
    private func inventory(_ reader: Reader) async throws(ReaderError) -> [Target] {
        try await reader.cycleField()
        let still = entries.first { keepsStill($0.target) }
        var found: [Target] = []
        for technology in order(last: still?.target.technology ?? .iso14443a) {
            let isPair = technology == .iso14443a && still == nil
            let answers = try await reader.poll(technology, maximum: isPair ? 2 : 1)
            found += answers
            guard still != nil, technology == .iso14443a, let first = answers.first else {
                continue
            }
            let others = try await reader.poll(technology, maximum: keepsStill(first) ? 1 : 2)
            found += others.filter { !isIdentical($0, first) }
        }
        return found
    }

    /// Compares what answered with what was there.
    ///
    /// Only a complete round can miss a tag.
    private mutating func update(found: [Target], isComplete: Bool) -> [PresenceEvent] {
        var arrivals = found
        var missed: [Int] = []
        for index in entries.indices {
            let known = entries[index].target
            if let seen = arrivals.firstIndex(where: { isIdentical($0, known) }) {
                entries[index].seen(arrivals.remove(at: seen))
            } else {
                missed.append(index)
            }
        }
        for index in missed {
            let entry = entries[index]
            if let seen = arrivals.firstIndex(where: { isAlike($0, entry) }) {
                entries[index].seen(arrivals.remove(at: seen))
            } else if isComplete {
                entries[index].misses += 1
            }
        }
        let gone = entries.filter { $0.misses >= Self.missesBeforeLeaving }
        entries.removeAll { $0.misses >= Self.missesBeforeLeaving }
        entries += arrivals.map(Entry.init)
        return gone.map { .left($0.announced) } + arrivals.map { .arrived($0) }
    }

    private func isIdentical(_ one: Target, _ other: Target) -> Bool {
        one.technology == other.technology && one.identifier == other.identifier
    }

    /// Whether `found` may be the known tag under another identifier.
    ///
    /// Tags with random UIDs cannot be told apart: all alike ones are one. A type B card may draw its PUPI anew in
    /// every field; it is taken for the one that was there a round ago, when more than one tag made a new field
    /// necessary.
    private func isAlike(_ found: Target, _ known: Entry) -> Bool {
        switch (found, known.target) {
        case (.typeA(let a), .typeA(let b)):
            a.hasRandomUID && b.hasRandomUID && a.atqa == b.atqa && a.sak == b.sak && a.ats == b.ats
        case (.typeB(let a), .typeB(let b)):
            entries.count > 1 && known.misses == 0 && a.applicationData == b.applicationData
                && a.protocolInfo == b.protocolInfo
        default: false
        }
    }
}
