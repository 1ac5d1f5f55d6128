import Foundation
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// What rounds of polls make of tags that come, rest and go, over the real libnfc.
///
/// Rounds follow one another without a
/// pause, so that a minute at a gate is 600 rounds.
@Suite(.serialized) struct PresenceTests {
    /// A tag of every kind there is.
    static func everyKind() throws -> [any VirtualTag] {
        [
            try MifareClassicTag(kind: .mini, uid: .fixed(hex("01020304"))),
            try MifareClassicTag(kind: .classic1K, uid: .fixed(hex("deadbeef"))),
            try MifareClassicTag(kind: .classic4K, uid: .fixed(hex("04c4c4c4c4c4c4"))),
            try Type2Tag(kind: .ultralight, uid: .fixed(hex("04aaaaaaaaaa01"))),
            try Type2Tag(kind: .ntag213, uid: .fixed(hex("04a1b2c3d4e580"))),
            try ISODEPTag(uid: .fixed(hex("058c3fd9d4b200")), application: Parrot()),
            try ISODEPTag(uid: .fixed(hex("0102030405060708090a")), application: Parrot()),
            try TypeBTag(pupi: hex("a1a2a3a4"), application: Parrot()),
            try FeliCaTag(idm: hex("0102030405060708")),
        ]
    }

    private func rounds(
        _ count: Int,
        _ presence: inout Presence,
        _ reader: Reader
    ) async throws -> [PresenceEvent] {
        var events: [PresenceEvent] = []
        for _ in 0..<count { events += try await presence.nextRound(of: reader) }
        return events
    }

    /// Rounds until the tags in the field are known to be these, 20 at the most, and two more in which nothing may change.
    private func settle(
        _ identifiers: Set<Data>,
        _ presence: inout Presence,
        _ reader: Reader
    ) async throws -> [PresenceEvent] {
        var events: [PresenceEvent] = []
        var count = 0
        while Set(presence.targets.map(\.identifier)) != identifiers, count < 20 {
            events += try await presence.nextRound(of: reader)
            count += 1
        }
        return events + (try await rounds(2, &presence, reader))
    }

    @Test func reportsEveryKindOnceWhenItComesAndOnceWhenItGoes() async throws {
        for tag in try Self.everyKind() {
            try await withReader { virtual, reader in
                var presence = Presence(technologies: NFCReader.Technology.allCases)
                let before = try await rounds(10, &presence, reader)
                #expect(before.isEmpty)
                virtual.place(tag)
                let arrival = try await rounds(30, &presence, reader)
                // On a busy machine thirty rounds are a hold.
                let arrivals = arrival.filter { $0.arrival != nil }
                #expect(arrivals == presence.targets.map { .arrived($0) }, "\(tag.name)")
                #expect(arrival.allSatisfy { $0.departure == nil }, "\(tag.name)")
                let target = try #require(presence.targets.first, "\(tag.name)")
                #expect(target.identifier == tag.identifier)
                virtual.remove(tag)
                let departure = try await rounds(10, &presence, reader)
                #expect(departure.map(\.departure) == [tag.identifier], "\(tag.name)")
                #expect(departure.map(\.target) == [target], "\(tag.name)")
            }
        }
    }

    @Test func costsOneCommandARoundForAnEmptyFieldAndForARestingTag() async throws {
        for tag in try Self.everyKind().prefix(7) {
            try await withReader { virtual, reader in
                var presence = Presence(technologies: [.iso14443a])
                _ = try await rounds(5, &presence, reader)
                #expect(virtual.statistics.totalCommands == 5)
                virtual.place(tag)
                virtual.resetStatistics()
                let arrival = try await rounds(1, &presence, reader)
                #expect(arrival.count == 1)
                // The UID came with the one command of the round.
                #expect(virtual.statistics.totalCommands == 1)
                virtual.resetStatistics()
                _ = try await rounds(3, &presence, reader)
                #expect(virtual.statistics.totalCommands == 3)
            }
        }
    }

    @Test func seesASecondTagBesideARestingOne() async throws {
        let tags = try Self.everyKind()
        for (index, resting) in tags.enumerated() {
            for newcomer in tags[(index + 1)...] {
                try await withReader(resting) { virtual, reader in
                    var presence = Presence(technologies: NFCReader.Technology.allCases)
                    _ = try await settle([resting.identifier], &presence, reader)
                    virtual.place(newcomer)
                    let both: Set = [resting.identifier, newcomer.identifier]
                    let events = try await settle(both, &presence, reader)
                    let pair = "\(resting.name), \(newcomer.name)"
                    #expect(events.map(\.arrival) == [newcomer.identifier], "\(pair)")
                    virtual.remove(resting)
                    let after = try await settle([newcomer.identifier], &presence, reader)
                    #expect(after.map(\.departure) == [resting.identifier], "\(pair)")
                    #expect(presence.targets.map(\.identifier) == [newcomer.identifier], "\(pair)")
                }
            }
        }
    }

    @Test func keepsALedgerOf500Changes() async throws {
        let tags = try Self.everyKind()
        var generator = SeededGenerator(seed: 20_261_130)
        try await withReader { virtual, reader in
            var presence = Presence(technologies: NFCReader.Technology.allCases)
            var inField: Set<Data> = []
            var ledger: [Data: Int] = [:]
            for change in 0..<500 {
                let tag = tags[Int.random(in: tags.indices, using: &generator)]
                let present = virtual.tags.first
                switch (present, Bool.random(using: &generator)) {
                case (let present?, true) where present !== tag:
                    virtual.swap(present, for: tag)
                    inField = [tag.identifier]
                case (let present?, _):
                    virtual.remove(present)
                    inField = []
                case (nil, _):
                    virtual.place(tag)
                    inField = [tag.identifier]
                }
                for event in try await settle(inField, &presence, reader) {
                    let identifier = event.target.identifier
                    switch event {
                    case .arrived: ledger[identifier, default: 0] += 1
                    case .left: ledger[identifier, default: 0] -= 1
                    case .rests: continue
                    }
                    // Never twice in a row the same event of one tag.
                    #expect([0, 1].contains(ledger[identifier] ?? -1), "change \(change)")
                }
                let reported = Set(ledger.filter { $0.value == 1 }.keys)
                #expect(reported == inField, "change \(change)")
            }
        }
    }

    @Test func takesARandomUIDForOneAnonymousTag() async throws {
        let phone = try ISODEPTag(uid: .random, application: Parrot())
        let other = try Type2Tag(kind: .ntag213)
        try await withReader(phone) { virtual, reader in
            var presence = Presence(technologies: [.iso14443a])
            let arrival = try await rounds(10, &presence, reader)
            #expect(arrival.count == 1)
            // A second tag makes field cycles necessary, which change the phone's UID each time.
            virtual.place(other)
            let second = try await rounds(20, &presence, reader)
            #expect(second.map(\.arrival) == [other.identifier])
            virtual.remove(phone)
            let departure = try await rounds(20, &presence, reader)
            #expect(departure.map(\.target) == arrival.map(\.target))
        }
    }

    @Test func reportsATagAgainThatComesBack() async throws {
        let tag = try Type2Tag(kind: .ntag213)
        try await withReader { virtual, reader in
            var presence = Presence(technologies: [.iso14443a])
            for _ in 0..<3 {
                virtual.place(tag)
                let arrival = try await rounds(4, &presence, reader)
                #expect(arrival.map(\.arrival) == [tag.identifier])
                virtual.remove(tag)
                let departure = try await rounds(4, &presence, reader)
                #expect(departure.map(\.departure) == [tag.identifier])
            }
        }
    }

    @Test func wakesAHaltedTagByANewField() async throws {
        let tag = try Type2Tag(kind: .ntag213)
        try await withReader(tag) { _, reader in
            let found = try await reader.poll(.iso14443a)
            #expect(found.count == 1)
            // HLTA, which nothing answers (ISO 14443-3, 6.4.3).
            await #expect(throws: ReaderError.tagLost) {
                try await reader.exchangeRaw(hex("50 00"))
            }
            let deaf = try await reader.poll(.iso14443a)
            #expect(deaf.isEmpty)
            var presence = Presence(technologies: [.iso14443a])
            let events = try await rounds(10, &presence, reader)
            #expect(events.map(\.arrival) == [tag.identifier])
        }
    }

    /// It has taken RATS and ignores polls, but the chip has not heard its ATS and does not know it.
    @Test func findsATagWhoseActivationWasCutShort() async throws {
        let tag = try ISODEPTag(uid: .fixed(hex("058c3fd9d4b200")), application: Parrot())
        try await withReader(tag) { virtual, reader in
            // REQA is lost; in the second try REQA, two levels of anticollision and select, then the answer to RATS.
            virtual.faults = Faults(
                Fault(.spoiledRadioFrame, .nth(1)),
                Fault(.spoiledRadioFrame, .nth(7))
            )
            var presence = Presence(technologies: [.iso14443a])
            let first = try await rounds(5, &presence, reader)
            #expect(first.isEmpty)
            let events = try await rounds(5, &presence, reader)
            #expect(events.map(\.arrival) == [tag.identifier])
        }
    }

    @Test func givesUpOnAReaderThatKeepsFailing() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let reader = try await Reader.open(virtual.connectionString)
        var presence = Presence(technologies: [.iso14443a])
        virtual.faults = Faults(Fault(.errorFrame))
        for _ in 1..<Presence.failuresBeforeGivingUp {
            let events = try await presence.nextRound(of: reader)
            #expect(events.isEmpty)
        }
        await #expect {
            try await presence.nextRound(of: reader)
        } throws: { error in
            (error as? ReaderError)?.kind == .reader
        }
        await reader.close()
    }
}

extension PresenceEvent {
    fileprivate var arrival: Data? {
        if case .arrived(let target) = self { target.identifier } else { nil }
    }

    fileprivate var departure: Data? {
        if case .left(let target, _) = self { target.identifier } else { nil }
    }
}

extension VirtualTag {
    var identifier: Data {
        switch identification {
        case .typeA(_, _, let uid, _): uid
        case .typeB(let pupi, _, _): pupi
        case .feliCa(let idm, _, _): idm
        }
    }
}
