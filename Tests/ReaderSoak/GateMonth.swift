import Foundation
import VirtualReader

/// What happens at a gate in a month, without the waiting between: taps, cards that rest, replugs, faults.
///
/// Each thing that is done to the field goes into the ledger as what must be reported of it; at the end the ledger and
/// the reports are the same list, or a tap was lost or doubled.
struct GateMonth {
    /// A busy gate: 500 taps a day; two replugs under a resting card and 20 faults on the wire.
    private static let tapsADay = 500
    private static let replugsADay = 2
    private static let faultsADay = 20

    let days: Int

    /// What a whole run has counted.
    private struct Ledger {
        var due: [Desk.Event] = []
        var seen: [Desk.Event] = []
        var losses = 0
        var returns = 0
        var replugs = 0
        var faults = 0
        var slowest = Duration.zero
    }

    /// Prints the ledger's sums; true when it agrees with the reports and nothing is left behind.
    func run() async throws -> Bool {
        let before = Resources.now
        let start = ContinuousClock.now
        // Rounds follow each other at once: the waiting of a month takes no time.
        let desk = try Desk(period: .zero)
        let cards = try (0..<50).map { number in
            try Type2Tag(
                kind: .ntag213,
                uid: .fixed(Data([0x04, 0x20, 0x30, 0x40, 0x50, 0x60, UInt8(number)]))
            )
        }
        desk.start()
        var ledger = Ledger()
        var generator = Generator(state: 30)
        var memory: [Int] = []
        for _ in 0..<days {
            try await day(desk, cards, &ledger, &generator)
            memory.append(Resources.now.memory)
        }
        desk.cancel()
        _ = await desk.wait(for: [.ended(hasFailed: false)], within: .seconds(10))
        let after = await Resources.settled(at: before)
        return conclude(ledger, start.duration(to: .now), before, after, memory)
    }

    private func day(
        _ desk: Desk,
        _ cards: [Type2Tag],
        _ ledger: inout Ledger,
        _ generator: inout Generator
    ) async throws {
        for tap in 0..<Self.tapsADay {
            let number = Int.random(in: 0..<cards.count, using: &generator)
            let (card, uid) = (cards[number], String(format: "042030405060%02x", number))
            let isReplug = tap % (Self.tapsADay / Self.replugsADay) == 100
            if tap % (Self.tapsADay / Self.faultsADay) == 7 {
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

    /// Trouble on the wire, of the kinds that pass.
    private static func fault(_ generator: inout Generator) -> Faults {
        let effects: [Fault.Effect] = [
            .swallow, .acknowledgeOnly, .wrongChecksum, .truncate(7), .answerCode(0x41), .errorFrame,
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
            throw SoakFailure("tap \(ledger.due.count / 2): due \(event), seen \(ledger.seen.suffix(3))")
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
        _ ledger: Ledger,
        _ time: Duration,
        _ before: Resources,
        _ after: Resources,
        _ memory: [Int]
    ) -> Bool {
        // The first day brings up what stays.
        let growth = (memory.last ?? 0) - (memory.first ?? 0)
        print(
            """
            {"days":\(days),"taps":\(ledger.due.count / 2),"due":\(ledger.due.count),"seen":\(ledger.seen.count),\
            "replugs":\(ledger.replugs),"losses":\(ledger.losses),"returns":\(ledger.returns),\
            "faults":\(ledger.faults),"slowestTapMilliseconds":\(ledger.slowest.milliseconds),\
            "seconds":\(time.milliseconds / 1000),"threadsBefore":\(before.threads),"threadsAfter":\(after.threads),\
            "descriptorsBefore":\(before.descriptors),"descriptorsAfter":\(after.descriptors),\
            "memoryGrowthKiB":\(growth)}
            """
        )
        return ledger.due == ledger.seen && ledger.losses == ledger.returns
            && ledger.losses >= ledger.replugs
    }
}

/// xorshift64* (Vigna, 2016): the same month every time.
private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
