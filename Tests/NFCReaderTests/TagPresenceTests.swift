import Foundation
import NFCReader
import TestSupport
import Testing

/// The state table of one tag, without a reader: cell by cell against docs/presence.md, and in random histories against
/// the definition of a stay.
@Suite struct TagPresenceTests {
    // MARK: - The published table

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The rows of a table whose first cell is a state, as cells.
    private static func rows(of file: String, prefix: String = "") throws -> [[String]] {
        try String(contentsOf: root.appending(path: file), encoding: .utf8)
            .split(separator: "\n")
            .filter { line in TagState.allCases.contains { line.hasPrefix(prefix + "| `\($0)` |") }
            }
            .map { line in
                line.dropFirst(prefix.count).split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            }
    }

    @Test("does what each cell of the published table says")
    func table() throws {
        let rows = try Self.rows(of: "docs/presence.md")
        #expect(rows.map { $0.first } == TagState.allCases.map { "`\($0)`" })
        for (state, row) in zip(TagState.allCases, rows) {
            let cells = try row.dropFirst().map { try #require($0.isEmpty ? nil : $0) }
            try #require(cells.count == Column.allCases.count)
            for (column, cell) in zip(Column.allCases, cells) {
                #expect(Self.cell(state, column) == cell, "\(state), \(column)")
            }
        }
    }

    @Test("has the same table in its documentation comment")
    func comment() throws {
        let published = try Self.rows(of: "docs/presence.md")
        #expect(try Self.rows(of: "Sources/NFCReader/TagState.swift", prefix: "/// ") == published)
    }

    private enum Column: CaseIterable { case answers, answersHeld, missed, missedEnough, unheard }

    /// What becomes of a tag in `state`, in the words of the table; `-` where the column cannot meet the state.
    private static func cell(_ state: TagState, _ column: Column) -> String {
        let rules = PresenceRules(misses: 3, quietTime: .milliseconds(300), holdTime: .seconds(2))
        let start = ContinuousClock.now
        var tag = TagPresence(rules)
        func note(_ observation: TagPresence.Observation, _ milliseconds: Int) -> String {
            let change = tag.note(observation, at: start + .milliseconds(milliseconds))
            return "`\(tag.state)`" + (change.map { " (\($0))" } ?? "")
        }
        let answers =
            switch state {
            case .gone: 0;
            case .coming: 1;
            case .present, .going: 2;
            case .resting: 3
            }
        for time in [0, 100, 2_000].prefix(answers) { _ = note(.answered, time) }
        if state == .going { _ = note(.missed, 200) }
        guard tag.state == state else { return "not reached" }
        switch (column, state) {
        case (.answers, .resting), (.answersHeld, .gone): return "-"
        case (.missedEnough, .gone): return "-"
        case (.answers, _): return note(.answered, 300)
        case (.answersHeld, _): return note(.answered, 2_100)
        case (.missed, _): return note(.missed, state == .resting ? 2_100 : 300)
        case (.missedEnough, .going):
            _ = note(.missed, 300)
            return note(.missed, 400)
        // One round is never enough.
        case (.missedEnough, _): return "-"
        case (.unheard, _): return note(.unheard, 10_000)
        }
    }

    // MARK: - Times

    @Test func threeRoundsAreNotEnoughBeforeTheQuietTimeIsOver() {
        let start = ContinuousClock.now
        var tag = TagPresence(PresenceRules(quietTime: .milliseconds(300)))
        _ = tag.note(.answered, at: start)
        for round in 1..<60 {
            let change = tag.note(.missed, at: start + .milliseconds(round * 5))
            #expect(change == nil && tag.state == .going)
        }
        #expect(tag.note(.missed, at: start + .milliseconds(300)) == .removed)
        #expect(tag.held == .zero)
    }

    @Test func theQuietTimeAloneIsNotEnough() {
        let start = ContinuousClock.now
        var tag = TagPresence(PresenceRules(quietTime: .milliseconds(300)))
        _ = tag.note(.answered, at: start)
        #expect(tag.note(.missed, at: start + .seconds(1)) == nil)
        #expect(tag.note(.missed, at: start + .seconds(2)) == nil)
        #expect(tag.note(.missed, at: start + .seconds(3)) == .removed)
    }

    @Test func aRestIsReportedOnceInAStayAndAgainInTheNext() {
        let start = ContinuousClock.now
        var tag = TagPresence(PresenceRules())
        var changes: [TagPresence.Change] = []
        // Three seconds of answers, with a miss a second; a second of misses; the same again.
        for round in 0..<80 {
            let isThere = round % 40 < 30 && round % 10 != 9
            let time = start + .milliseconds(round * 100)
            if let change = tag.note(isThere ? .answered : .missed, at: time) {
                changes.append(change)
            }
        }
        #expect(changes == [.detected, .resting, .removed, .detected, .resting, .removed])
        #expect(tag.held == .milliseconds(2_800))
    }

    // MARK: - Random histories

    /// What a history should report, by the definition and not by states: a stay is a run of answers, of which no two
    /// have an end between them; its end is the first miss that is one of at least `misses` since the last answer and
    /// comes at least the quiet time after it.
    static func reports(
        _ history: [(time: Int, heard: TagPresence.Observation)],
        misses: Int,
        quiet: Int,
        hold: Int
    ) -> [Int: [String]] {
        var reports: [Int: [String]] = [:]
        let answers = history.indices.filter { history[$0].heard == .answered }
        var stay: [Int] = []
        for (number, answer) in answers.enumerated() {
            if stay.isEmpty { reports[answer, default: []].append("detected") }
            stay.append(answer)
            let first = history[stay[0]].time
            let resting = stay.dropFirst().first { history[$0].time - first >= hold }
            if resting == answer {
                reports[answer, default: []].append("resting")
            }
            let next = number + 1 < answers.count ? answers[number + 1] : history.count
            let missed = (answer + 1..<next).filter { history[$0].heard == .missed }
            let end = missed.dropFirst(misses - 1).first {
                history[$0].time - history[answer].time >= quiet
            }
            if let end {
                reports[end, default: []].append("removed after \(history[answer].time - first)")
                stay = []
            }
        }
        return reports
    }

    @Test("reports what the definition of a stay says, in 4,000 random histories")
    func randomHistories() {
        var generator = SeededGenerator(seed: 20_261_130)
        for number in 0..<4_000 {
            let misses = Int.random(in: 1...4, using: &generator)
            let quiet = Int.random(in: 0...600, using: &generator)
            let hold = Int.random(in: 0...3_000, using: &generator)
            // How likely the tag comes or goes, is not heard, and is missed although it is there.
            let shares = (0..<3).map { _ in Double.random(in: 0...0.4, using: &generator) }
            var history: [(time: Int, heard: TagPresence.Observation)] = []
            var (time, isThere) = (0, false)
            for _ in 0..<100 {
                time += Int.random(in: 0...200, using: &generator)
                if Double.random(in: 0..<1, using: &generator) < shares[0] { isThere.toggle() }
                let isUnheard = Double.random(in: 0..<1, using: &generator) < shares[1]
                let isMissed = Double.random(in: 0..<1, using: &generator) < shares[2]
                history.append(
                    (time, isUnheard ? .unheard : isThere && !isMissed ? .answered : .missed)
                )
            }
            var tag = TagPresence(
                PresenceRules(
                    misses: misses,
                    quietTime: .milliseconds(quiet),
                    holdTime: .milliseconds(hold)
                )
            )
            let start = ContinuousClock.now
            var seen: [Int: [String]] = [:]
            for (index, (time, heard)) in history.enumerated() {
                guard let change = tag.note(heard, at: start + .milliseconds(time)) else {
                    continue
                }
                let held = change == .removed ? " after \(Int(tag.held / .milliseconds(1)))" : ""
                seen[index, default: []].append(change.rawValue + held)
            }
            let expected = Self.reports(history, misses: misses, quiet: quiet, hold: hold)
            #expect(seen == expected, "history \(number)")
        }
    }
}
