/// Which tags are in the field: the rounds of polls that find it out, and what they mean.
///
/// One round costs as few chip commands as its question needs (facts/libnfc.md, 8 and 12):
///
/// | in the field | commands | what is sent |
/// |---|---|---|
/// | nothing | 1 | a poll for one type A tag; every third round one for each other technology asked for |
/// | nothing, every tenth round, and after a lost answer | 3 | field off and on first: a tag that was halted, or whose activation was cut short, answers no poll before that |
/// | one tag | 1 | a poll again, or an R(NAK) to a tag that ISO-DEP keeps from answering polls |
/// | one tag, every fifth round, and after a miss | 3 | field off and on, a poll for two tags |
/// | two tags | 3 | the same |
///
/// What the rounds mean is decided by `PresenceTable`, by the states of `TagState`: a tag has left after three rounds
/// that ended with the chip's word that it is not there. A round that failed, or an answer that came garbled, says
/// nothing of the kind.
package struct Presence: Sendable {
    /// Rounds that failed one after the other before the reader counts as failed.
    package static let failuresBeforeGivingUp = 10
    /// Rounds between looks for a second tag beside a resting one.
    static let roundsBetweenInventories = 5
    /// Rounds between polls for the technologies other than type A while the field is empty.
    static let roundsBetweenOtherPolls = 3
    /// Rounds between new fields while the field is empty.
    static let roundsBetweenNewFields = 10

    private let technologies: [Technology]
    private let rules: PresenceRules
    private var table: PresenceTable
    private var round = 0
    /// When the round that runs began.
    private var now = ContinuousClock.now
    private var failures = 0
    /// Whether a tag may stand in the field that does not answer polls: activated by one whose
    /// answer was lost.
    private var needsNewField = false

    /// Looks for these technologies; type A first, where it is among them.
    package init(technologies: [Technology], rules: PresenceRules = PresenceRules()) {
        self.technologies = Technology.allCases.filter(technologies.contains)
        self.rules = rules
        table = PresenceTable(rules: rules)
    }

    /// The tags in the field, and how each stands.
    package var entries: [PresenceTable.Entry] { table.entries }

    /// The tags in the field.
    package var targets: [Target] { entries.map(\.target) }

    /// Does one round and says what changed.
    ///
    /// Hold and quiet times are counted in `now`, when the round begins.
    ///
    /// - Throws: the reader's error, once `failuresBeforeGivingUp` rounds in a row have failed, or at once when
    ///   the reader was closed or interrupted.
    package mutating func nextRound(
        of reader: Reader,
        at now: ContinuousClock.Instant = .now
    ) async throws(ReaderError) -> [PresenceEvent] {
        self.now = now
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
    /// Two commands more renew the field after an answer was lost, and now and then.
    private mutating func search(_ reader: Reader) async throws(ReaderError) -> [PresenceEvent] {
        if needsNewField || round % Self.roundsBetweenNewFields == 0 {
            try await reader.cycleField()
        }
        for technology in technologies where isTurn(of: technology) {
            // Until the answer has come.
            needsNewField = true
            let found = try await reader.poll(technology)
            needsNewField = false
            if !found.isEmpty { return note(found, isComplete: false) }
        }
        return []
    }

    private func isTurn(of technology: Technology) -> Bool {
        technology == technologies.first || round % Self.roundsBetweenOtherPolls == 0
    }

    private mutating func check(_ reader: Reader) async throws(ReaderError) -> [PresenceEvent] {
        let isScheduled = round % Self.roundsBetweenInventories == 0
        guard entries.count == 1, let resting = entries.first else {
            return note(try await inventory(reader), isComplete: true)
        }
        if keepsStill(resting.target) {
            return try await checkStill(resting, reader, looksForOthers: isScheduled)
        }
        if resting.presence.misses == 0, !isScheduled {
            let found = try await reader.poll(resting.target.technology)
            if found.contains(where: { isIdentical($0, resting.target) }) {
                return table.note(answerOf: resting.target, at: now)
            }
        }
        return note(try await inventory(reader), isComplete: true)
    }

    /// Asks a resting tag that ISO-DEP keeps from answering polls.
    ///
    /// An R(NAK) leaves it as it is, and others can be looked for beside it. The field is cycled only before it is given
    /// up, because a tag with a random identifier would come back as another one.
    private mutating func checkStill(
        _ resting: PresenceTable.Entry,
        _ reader: Reader,
        looksForOthers: Bool
    ) async throws(ReaderError) -> [PresenceEvent] {
        let isThere = try await reader.isPresent(resting.target)
        var events: [PresenceEvent] = []
        if isThere {
            events = table.note(answerOf: resting.target, at: now)
            guard looksForOthers else { return events }
        } else if resting.presence.misses + 1 >= rules.misses {
            return note(try await inventory(reader), isComplete: true)
        }
        var found: [Target] = []
        for technology in order(last: resting.target.technology) {
            found += try await reader.poll(technology)
        }
        return events + note(found, isComplete: !isThere)
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

    private mutating func note(_ found: [Target], isComplete: Bool) -> [PresenceEvent] {
        table.note(found: found, isComplete: isComplete, at: now)
    }

    private func isIdentical(_ one: Target, _ other: Target) -> Bool {
        one.technology == other.technology && one.identifier == other.identifier
    }
}
