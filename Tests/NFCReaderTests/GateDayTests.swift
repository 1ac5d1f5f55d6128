import Foundation
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// A day at a gate in virtual time, a round being 100 ms of it.
///
/// People tap, hold, lay a card down, come two at a time or come back soon, in noise. A ledger proves that each stay was
/// reported once when it began, once when it ended, and as resting when it lasted.
///
/// `NFC_SESSION_SOAK=1`, which `make soak` sets, makes days of it.
@Suite struct GateDayTests {
    private static let isSoak = ProcessInfo.processInfo.environment["NFC_SESSION_SOAK"] == "1"
    private static let period = Duration.milliseconds(100)
    private static let rules = PresenceRules(quietTime: .milliseconds(300))

    /// One card on the reader: which, and in which rounds.
    private struct Stay {
        let card: Int
        let rounds: Range<Int>
    }

    /// The day's stays in the order in which they begin; the same card comes again 16 rounds later at the earliest, and
    /// two at most are there at a time.
    private static func stays(
        _ count: Int,
        cards: Int,
        shortest: Int,
        _ generator: inout SeededGenerator
    ) -> [Stay] {
        var stays: [Stay] = []
        var round = 20
        while stays.count < count {
            let card = Int.random(in: 0..<cards, using: &generator)
            // Seven taps of up to a second for two holds of up to five and one card that is laid down.
            let length =
                switch Int.random(in: 0..<10, using: &generator) {
                case 0: Int.random(in: 50..<300, using: &generator)
                case 1, 2: Int.random(in: 10..<50, using: &generator)
                default: Int.random(in: shortest..<(shortest + 8), using: &generator)
                }
            stays.append(Stay(card: card, rounds: round..<(round + length)))
            if Int.random(in: 0..<4, using: &generator) == 0, length > 10 {
                // Another card beside it, for part of the time.
                let other = (card + 1 + Int.random(in: 0..<(cards - 1), using: &generator)) % cards
                let begin = round + Int.random(in: 0..<(length / 2), using: &generator)
                let end = Int.random(
                    in: (begin + shortest)..<(begin + shortest + 20),
                    using: &generator
                )
                stays.append(Stay(card: other, rounds: begin..<end))
                round = max(round + length, end)
            } else {
                round += length
            }
            round += Int.random(in: 16..<40, using: &generator)
        }
        return stays.sorted { $0.rounds.lowerBound < $1.rounds.lowerBound }
    }

    /// What was reported of one card, as rounds.
    fileprivate struct Ledger {
        var detected: [Int] = []
        var rested: [Int] = []
        var removed: [Int] = []
    }

    /// Compares ledger and stays of one card: as many of each, each in its time, or `late` rounds after it at most.
    private func audit(_ ledger: Ledger, _ stays: [Stay], late: Int, _ card: Int) {
        #expect(ledger.detected.count == stays.count, "card \(card): taps")
        #expect(ledger.removed.count == stays.count, "card \(card): departures")
        for (index, stay) in stays.enumerated() {
            guard index < ledger.detected.count, index < ledger.removed.count else { return }
            let (came, went) = (ledger.detected[index], ledger.removed[index])
            #expect(stay.rounds.contains(came) && came - stay.rounds.lowerBound <= late)
            #expect((stay.rounds.upperBound...(stay.rounds.upperBound + 3 + late)).contains(went))
            let rests = ledger.rested.filter { (came...went).contains($0) }
            // Two seconds are 20 rounds.
            if stay.rounds.count > 20 + 2 * late { #expect(rests.count == 1, "a hold") }
            if stay.rounds.count <= 20 { #expect(rests.isEmpty, "a tap") }
        }
    }

    // MARK: - Without a reader

    /// More than a day of rounds, or as many stays as an hour has.
    ///
    /// Noise is as bad as it may be without making a tag look gone: of four rounds in a row one has an answer, and between
    /// two answers lie two misses at most.
    @Test func losesAndDoublesNoTapInNoise() {
        var generator = SeededGenerator(seed: 1)
        let cards = 9
        let stays = Self.stays(Self.isSoak ? 20_000 : 300, cards: cards, shortest: 4, &generator)
        let targets = (0..<cards).map { card in
            Target.typeA(
                TypeATarget(atqa: 0x0044, sak: 0, uid: hex("0411223344550\(card)"), ats: nil)
            )
        }
        var table = PresenceTable(rules: Self.rules)
        var ledgers = [Ledger](repeating: Ledger(), count: cards)
        // Rounds, and misses, since each card's last answer.
        var silent = [Int](repeating: 0, count: cards)
        var misses = [Int](repeating: 0, count: cards)
        let start = ContinuousClock.now
        var ahead = stays[...]
        var there: [Stay] = []
        for round in 0..<((stays.last?.rounds.upperBound ?? 0) + 400) {
            while let next = ahead.first, next.rounds.lowerBound == round {
                there.append(next)
                ahead = ahead.dropFirst()
            }
            for stay in there where stay.rounds.upperBound == round {
                (silent[stay.card], misses[stay.card]) = (0, 0)
            }
            there.removeAll { $0.rounds.upperBound <= round }
            let mayFail = there.allSatisfy { silent[$0.card] < 3 }
            if mayFail, round % 4 != 0, Int.random(in: 0..<4, using: &generator) == 0 {
                for stay in there { silent[stay.card] += 1 }
                continue
            }
            var found: [Target] = []
            for card in there.map(\.card) {
                let mayMiss = silent[card] < 3 && misses[card] < 2
                if mayMiss, Int.random(in: 0..<3, using: &generator) == 0 {
                    silent[card] += 1
                    misses[card] += 1
                } else {
                    (silent[card], misses[card]) = (0, 0)
                    found.append(targets[card])
                }
            }
            let now = start + Self.period * round
            for event in table.note(found: found, isComplete: true, at: now) {
                guard let card = targets.firstIndex(of: event.target) else { continue }
                ledgers[card].note(event, round)
            }
        }
        for card in 0..<cards {
            audit(ledgers[card], stays.filter { $0.card == card }, late: 12, card)
        }
    }

    // MARK: - On a virtual reader

    /// The same through libnfc: cards of every kind, and some frames spoiled on the wire and on air.
    @Test func losesAndDoublesNoTapOnAVirtualReader() async throws {
        var generator = SeededGenerator(seed: 2)
        let cards = try PresenceTests.everyKind()
        let stays = Self.stays(
            Self.isSoak ? 500 : 8,
            cards: cards.count,
            shortest: 8,
            &generator
        )
        var ledgers = [Ledger](repeating: Ledger(), count: cards.count)
        try await withReader { virtual, reader in
            virtual.faults = .noise(wire: 0.002, radio: 0.01, seed: 3)
            var presence = Presence(
                technologies: NFCReader.Technology.allCases,
                rules: Self.rules
            )
            let start = ContinuousClock.now
            var ahead = stays[...]
            for round in 0..<((stays.last?.rounds.upperBound ?? 0) + 400) {
                while let next = ahead.first, next.rounds.lowerBound == round {
                    virtual.place(cards[next.card])
                    ahead = ahead.dropFirst()
                }
                for stay in stays where stay.rounds.upperBound == round {
                    virtual.remove(cards[stay.card])
                }
                let now = start + Self.period * round
                for event in try await presence.nextRound(of: reader, at: now) {
                    let identifier = event.target.identifier
                    let card = try #require(cards.firstIndex { $0.identifier == identifier })
                    ledgers[card].note(event, round)
                }
            }
        }
        for card in cards.indices {
            audit(ledgers[card], stays.filter { $0.card == card }, late: 7, card)
        }
    }
}

extension GateDayTests.Ledger {
    fileprivate mutating func note(_ event: PresenceEvent, _ round: Int) {
        switch event {
        case .arrived: detected.append(round)
        case .rests: rested.append(round)
        case .left: removed.append(round)
        }
    }
}
