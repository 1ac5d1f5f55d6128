import Foundation
import NFCReader
import TestSupport
import VirtualReader

/// What happens at gates in so many days, without most of the waiting between: taps, cards that rest, replugs, faults.
///
/// Each thing that is done to the field goes into the ledger as what must be reported of it; at the end the ledger and
/// the reports are the same list, or a tap was lost or doubled. Six gates share the days and run beside each other.
struct GateMonth {
    /// A busy gate: two replugs under a card and 20 faults on the wire among the taps of a day.
    private static let replugsADay = 2
    private static let faultsADay = 20
    /// Polls of the empty field for each tap: half an hour of them a day, at 100 ms.
    private static let idlePollsATap = 36
    private static let gates = 6

    let days: Int
    var tapsADay = 500

    /// What a gate has counted.
    private struct Ledger: Sendable {
        var due: [Desk.Event] = []
        var seen: [Desk.Event] = []
        var losses = 0
        var returns = 0
        var replugs = 0
        var faults = 0
        var polls = 0
        var slowest = Duration.zero
    }

    /// Prints the ledgers' sums; true when they agree with the reports and nothing is left behind.
    func run() async throws -> Bool {
        // Brings up what stays for the life of the process.
        _ = try await gate(seed: 1, days: 0)
        let before = await Resources.steady
        let start = ContinuousClock.now
        let shares = (0..<Self.gates).map { days / Self.gates + ($0 < days % Self.gates ? 1 : 0) }
        let ledgers = try await withThrowingTaskGroup(of: Ledger.self) { group in
            for (gate, days) in shares.enumerated() where days > 0 {
                group.addTask { try await self.gate(seed: UInt64(gate) + 1, days: days) }
            }
            var all: [Ledger] = []
            for try await ledger in group { all.append(ledger) }
            return all
        }
        let after = await Resources.settled(at: before)
        return conclude(ledgers, start.duration(to: .now), before, after)
    }

    private func gate(seed: UInt64, days: Int) async throws -> Ledger {
        // Rounds follow each other at once.
        let desk = try Desk(period: .zero, quietTime: .zero)
        let cards = try (0..<50).map { number in
            try Type2Tag(
                kind: .ntag213,
                uid: .fixed(Data([0x04, 0x20, 0x30, 0x40, 0x50, 0x60, UInt8(number)]))
            )
        }
        desk.start()
        var ledger = Ledger()
        var generator = Generator(state: seed)
        for _ in 0..<days { try await day(desk, cards, &ledger, &generator) }
        desk.cancel()
        _ = await desk.wait(for: [.ended(hasFailed: false)], within: .seconds(10))
        return ledger
    }

    private func day(
        _ desk: Desk,
        _ cards: [Type2Tag],
        _ ledger: inout Ledger,
        _ generator: inout Generator
    ) async throws {
        try await idle(desk, &ledger)
        let replugs = tapsADay / Self.replugsADay
        let faults = tapsADay / Self.faultsADay
        for tap in 0..<tapsADay {
            let number = Int.random(in: 0..<cards.count, using: &generator)
            let (card, uid) = (cards[number], String(format: "042030405060%02x", number))
            let isReplug = tap % replugs == replugs / 2
            if tap % faults == faults / 3 {
                desk.reader.faults = Self.fault(&generator)
                ledger.faults += 1
            }
            let start = ContinuousClock.now
            desk.reader.place(card)
            try await expect(.detected(uid), desk, &ledger)
            ledger.slowest = max(ledger.slowest, start.duration(to: .now))
            var isTaken = false
            if isReplug {
                // By turns the card rests through it, or is taken away while the reader is gone.
                isTaken = ledger.replugs % 2 == 1
                ledger.replugs += 1
                desk.reader.hangUp()
                if isTaken { desk.reader.remove(card) }
                try desk.reader.reconnect()
                if !isTaken { try await waitForReturn(desk, &ledger) }
            }
            if !isTaken { desk.reader.remove(card) }
            try await expect(.removed(uid), desk, &ledger)
        }
    }

    /// Nobody comes.
    private func idle(_ desk: Desk, _ ledger: inout Ledger) async throws {
        let polls = tapsADay * Self.idlePollsATap
        desk.reader.resetStatistics()
        while desk.reader.statistics.commands[0x4A, default: 0] < polls {
            try await Task.sleep(for: .milliseconds(5))
        }
        ledger.polls += polls
    }

    /// Trouble on the wire, of the kinds that pass.
    private static func fault(_ generator: inout Generator) -> Faults {
        let effects: [Fault.Effect] = [
            .swallow, .acknowledgeOnly, .wrongChecksum, .truncate(7), .answerCode(0x41),
            .errorFrame,
            .delay(.milliseconds(50)), .spoiledFrameToChip, .spoiledFrameToHost,
        ]
        let effect = effects.randomElement(using: &generator) ?? .swallow
        return Faults(Fault(effect, .nth(Int.random(in: 1...6, using: &generator))))
    }

    /// Takes events until the reader is back; none of a tag may come.
    private func waitForReturn(_ desk: Desk, _ ledger: inout Ledger) async throws {
        let returns = ledger.returns
        while ledger.returns == returns { try await takeEvent(desk, &ledger) }
    }

    private func expect(_ event: Desk.Event, _ desk: Desk, _ ledger: inout Ledger) async throws {
        ledger.due.append(event)
        while ledger.seen.count < ledger.due.count { try await takeEvent(desk, &ledger) }
        guard ledger.seen.last == event else {
            throw SoakFailure(
                "tap \(ledger.due.count / 2): due \(event), seen \(ledger.seen.suffix(3))"
            )
        }
    }

    private func takeEvent(_ desk: Desk, _ ledger: inout Ledger) async throws {
        guard let event = await desk.next(within: .seconds(30)) else {
            throw SoakFailure("nothing for 30 s after \(ledger.seen.suffix(3))")
        }
        switch event {
        case .detected, .removed: ledger.seen.append(event)
        case .lost: ledger.losses += 1
        case .back: ledger.returns += 1
        case .ended: throw SoakFailure("the monitor ended")
        }
    }

    private func conclude(
        _ ledgers: [Ledger],
        _ time: Duration,
        _ before: Resources,
        _ after: Resources
    ) -> Bool {
        func sum(_ value: (Ledger) -> Int) -> Int { ledgers.map(value).reduce(0, +) }
        let wrong = ledgers.filter { $0.due != $0.seen }.count
        print(
            """
            {"days":\(days),"taps":\(sum { $0.due.count } / 2),"due":\(sum { $0.due.count }),\
            "seen":\(sum { $0.seen.count }),"wrongLedgers":\(wrong),"idlePolls":\(sum { $0.polls }),\
            "replugs":\(sum { $0.replugs }),"losses":\(sum { $0.losses }),"returns":\(sum { $0.returns }),\
            "faults":\(sum { $0.faults }),\
            "slowestTapMilliseconds":\((ledgers.map(\.slowest).max() ?? .zero).milliseconds),\
            "seconds":\(time.milliseconds / 1000),\(Resources.json(before: before, after: after))}
            """
        )
        return wrong == 0 && sum { $0.losses } == sum { $0.returns }
            && after.threads <= before.threads
            && after.descriptors <= before.descriptors + Reader.lostInterrupts
    }
}
