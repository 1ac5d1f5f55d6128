import Foundation
import NFCReader
import TestSupport
import Testing

/// Who is who among several tags, without a reader.
@Suite struct PresenceTableTests {
    private let start = ContinuousClock.now

    private func typeA(_ uid: String, ats: String? = nil) -> Target {
        .typeA(
            TypeATarget(atqa: 0x0044, sak: ats == nil ? 0 : 0x20, uid: hex(uid), ats: ats.map(hex))
        )
    }

    /// A phone, whose UID is drawn anew each time.
    private func phone(_ number: UInt64) -> Target {
        let drawn = String(number % 0x100_0000, radix: 16)
        return typeA(
            "08" + String(repeating: "0", count: 6 - drawn.count) + drawn,
            ats: "0578807002"
        )
    }

    private func typeB(_ pupi: String) -> Target {
        .typeB(
            TypeBTarget(
                pupi: hex(pupi),
                applicationData: hex("00000000"),
                protocolInfo: hex("008171")
            )
        )
    }

    @Test func theSameTagTwiceInOneRoundIsOne() {
        var table = PresenceTable()
        let tag = typeA("04a1b2c3d4e580")
        #expect(table.note(found: [tag, tag], isComplete: true, at: start) == [.arrived(tag)])
        #expect(table.note(found: [tag, tag], isComplete: true, at: start) == [])
        #expect(table.entries.map(\.target) == [tag])
        #expect(table.entries.map(\.presence.state) == [.present])
    }

    @Test func allPhonesAlikeAreOneAnonymousTag() {
        var table = PresenceTable()
        #expect(
            table.note(found: [phone(1), phone(2)], isComplete: true, at: start)
                == [.arrived(phone(1))]
        )
        #expect(table.note(found: [phone(3), phone(4)], isComplete: true, at: start) == [])
        #expect(table.note(found: [phone(5)], isComplete: true, at: start) == [])
        // Another model is another tag, and so is a tag whose UID is its own.
        let other = typeA("08112233", ats: "0675778102")
        let card = typeA("04112233", ats: "0578807002")
        #expect(
            table.note(found: [card, phone(6), other], isComplete: true, at: start)
                == [.arrived(card), .arrived(other)]
        )
        var left: [PresenceEvent] = []
        for _ in 0..<3 { left += table.note(found: [card, other], isComplete: true, at: start) }
        #expect(left == [.left(phone(1), held: .zero)], "by the UID it came with")
        #expect(
            table.note(found: [card, phone(7), other], isComplete: true, at: start)
                == [.arrived(phone(7))]
        )
    }

    @Test func aTypeBCardKeepsItsPlaceInANewFieldBesideAnotherTag() {
        var table = PresenceTable()
        let card = typeA("04112233")
        _ = table.note(found: [card, typeB("a1a2a3a4")], isComplete: true, at: start)
        #expect(table.note(found: [card, typeB("b1b2b3b4")], isComplete: true, at: start) == [])
        // Alone there is no reason for a new field: it is another card.
        var alone = PresenceTable()
        _ = alone.note(found: [typeB("a1a2a3a4")], isComplete: true, at: start)
        #expect(
            alone.note(found: [typeB("b1b2b3b4")], isComplete: true, at: start)
                == [.arrived(typeB("b1b2b3b4"))]
        )
    }

    @Test func oneTagThatIsAskedAloneSaysNothingOfTheOthers() {
        var table = PresenceTable(rules: PresenceRules(holdTime: .seconds(2)))
        let (one, other) = (typeA("04a1b2c3d4e580"), typeA("04a1b2c3d4e581"))
        _ = table.note(found: [one, other], isComplete: true, at: start)
        for _ in 0..<10 { #expect(table.note(answerOf: one, at: start) == []) }
        #expect(table.entries.map(\.presence.state) == [.present, .coming])
        #expect(
            table.note(answerOf: one, at: start + .seconds(2)) == [.rests(one, held: .seconds(2))]
        )
        #expect(table.note(answerOf: typeA("04ffffff"), at: start) == [], "it is not there")
    }

    @Test func whoLeavesIsReportedBeforeWhoComes() {
        var table = PresenceTable(rules: PresenceRules(misses: 1))
        let (one, other) = (typeA("04a1b2c3d4e580"), typeA("04a1b2c3d4e581"))
        _ = table.note(found: [one], isComplete: true, at: start)
        #expect(
            table.note(found: [other], isComplete: true, at: start)
                == [.left(one, held: .zero), .arrived(other)]
        )
    }

    /// Four tags that come and go by themselves, a phone among them, in rounds of which some ask only some of them, some
    /// fail, and some miss a tag that is there: each is reported as if it were alone.
    @Test("reports each of four tags as if it were alone, in 1,000 random histories")
    func randomHistories() {
        var generator = SeededGenerator(seed: 5)
        let fixed = [
            typeA("04a1b2c3d4e580"), typeA("deadbeef"),
            .feliCa(
                FeliCaTarget(
                    idm: hex("0102030405060708"),
                    pmm: hex("1112131415161718"),
                    systemCode: nil
                )
            ),
        ]
        for number in 0..<1_000 {
            let hold = Int.random(in: 0...2_000, using: &generator)
            let quiet = Int.random(in: 0...500, using: &generator)
            var table = PresenceTable(
                rules: PresenceRules(
                    quietTime: .milliseconds(quiet),
                    holdTime: .milliseconds(hold)
                )
            )
            var histories: [[(time: Int, heard: TagPresence.Observation)]] = [[], [], [], []]
            var seen: [[Int: [String]]] = [[:], [:], [:], [:]]
            var isThere = [false, false, false, false]
            for round in 0..<60 {
                let time = round * 100
                for index in isThere.indices where Int.random(in: 0..<12, using: &generator) == 0 {
                    isThere[index].toggle()
                }
                let isComplete = Bool.random(using: &generator)
                let answering = isThere.indices.filter {
                    isThere[$0] && Int.random(in: 0..<5, using: &generator) > 0
                }
                var found = answering.map {
                    $0 < 3 ? fixed[$0] : phone(UInt64.random(in: 0...UInt64.max, using: &generator))
                }
                if Bool.random(using: &generator) { found += found }
                found.shuffle(using: &generator)
                for index in histories.indices {
                    let missing: TagPresence.Observation = isComplete ? .missed : .unheard
                    histories[index].append((time, answering.contains(index) ? .answered : missing))
                }
                let events = table.note(
                    found: found,
                    isComplete: isComplete,
                    at: start + .milliseconds(time)
                )
                for event in events {
                    let index = fixed.firstIndex(of: event.target) ?? 3
                    seen[index][round, default: []].append(event.words)
                }
            }
            let expected = histories.map {
                TagPresenceTests.reports($0, misses: 3, quiet: quiet, hold: hold)
            }
            #expect(seen == expected, "history \(number)")
        }
    }
}

extension PresenceEvent {
    fileprivate var words: String {
        switch self {
        case .arrived: "detected"
        case .rests: "resting"
        case .left(_, let held): "removed after \(Int(held / .milliseconds(1)))"
        }
    }
}
