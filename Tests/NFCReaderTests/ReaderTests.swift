import Foundation
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// The reader over the real libnfc on a virtual PN532.
@Suite(.serialized) struct ReaderTests {
    @Test func pollsAnEmptyFieldWithOneChipCommand() async throws {
        try await withReader { virtual, reader in
            let found = try await reader.poll(.iso14443a)
            #expect(found.isEmpty)
            #expect(virtual.statistics.commands == [0x4A: 1])
        }
    }

    @Test func reportsAUIDWithOneChipCommand() async throws {
        let tag = try Type2Tag(kind: .ntag213, uid: .fixed(hex("04a1b2c3d4e580")))
        try await withReader(tag) { virtual, reader in
            let found = try await reader.poll(.iso14443a)
            let expected = TypeATarget(
                atqa: 0x0044,
                sak: 0x00,
                uid: hex("04a1b2c3d4e580"),
                ats: nil
            )
            #expect(found == [.typeA(expected)])
            #expect(virtual.statistics.commands == [0x4A: 1])
        }
    }

    @Test(
        "reports UIDs of every length",
        arguments: ["deadbeef", "04a1b2c3d4e580", "0102030405060708090a"]
    )
    func reportsUIDs(uid: String) async throws {
        let tag = try ISODEPTag(name: "A", uid: .fixed(hex(uid)), application: Parrot())
        try await withReader(tag) { _, reader in
            let found = try await reader.poll(.iso14443a)
            #expect(found.map(\.identifier) == [hex(uid)])
            // And selects by it, whatever its length. ISO-DEP tags answer in a new field only.
            try await reader.cycleField()
            let selected = try await reader.select(uid: hex(uid))
            #expect(selected?.identifier == hex(uid))
            let stranger = try await reader.select(uid: hex("01020304"))
            #expect(stranger == nil)
        }
    }

    @Test func reportsTwoTagsFromOneCommand() async throws {
        let one = try MifareClassicTag(kind: .classic1K, uid: .fixed(hex("deadbeef")))
        let other = try Type2Tag(kind: .ntag213, uid: .fixed(hex("04a1b2c3d4e580")))
        try await withReader(one, other) { virtual, reader in
            let found = try await reader.poll(.iso14443a, maximum: 2)
            #expect(Set(found.map(\.identifier)) == [hex("deadbeef"), hex("04a1b2c3d4e580")])
            #expect(virtual.statistics.commands == [0x4A: 1])
            // Each can be spoken to: READ of page 0 by number.
            guard let ntag = found.first(where: { $0.identifier.count == 7 }) else { return }
            let page0 = try await reader.exchange(hex("3000"), with: ntag)
            #expect(page0.prefix(3) == hex("04a1b2"))
        }
    }

    @Test func reportsTypeBAndFeliCa() async throws {
        let card = try TypeBTag(name: "B", pupi: hex("a1a2a3a4"), application: Parrot())
        let suica = try FeliCaTag(idm: hex("0102030405060708"))
        try await withReader(card, suica) { _, reader in
            let typeB = try await reader.poll(.iso14443b)
            #expect(typeB.map(\.identifier) == [hex("a1a2a3a4")])
            let feliCa = try await reader.poll(.felica)
            #expect(feliCa.map(\.identifier) == [hex("0102030405060708")])
            let typeA = try await reader.poll(.iso14443a)
            #expect(typeA.isEmpty)
        }
    }

    @Test func exchangesAPDUsWithTypeAAndTypeB() async throws {
        for tag in [
            try ISODEPTag(
                name: "A",
                uid: .fixed(hex("04010203040506")),
                application: Parrot(answer: [1, 0x90, 0])
            ),
            try TypeBTag(
                name: "B",
                pupi: hex("a1a2a3a4"),
                application: Parrot(answer: [1, 0x90, 0])
            ),
        ] as [any VirtualTag] {
            try await withReader(tag) { _, reader in
                let technology: NFCReader.Technology = tag is TypeBTag ? .iso14443b : .iso14443a
                let target = try #require(try await reader.poll(technology).first)
                #expect(target.isISODEP)
                let answer = try await reader.exchange(hex("00a4040000"), with: target)
                #expect(answer == hex("019000"))
                #expect(try await reader.isPresent(target))
            }
        }
    }

    @Test func asksATagWhetherItIsThereWithOneCommand() async throws {
        for tag in [
            try ISODEPTag(name: "A", uid: .fixed(hex("04010203040506")), application: Parrot()),
            try Type2Tag(kind: .ntag213, uid: .fixed(hex("04a1b2c3d4e580"))),
            try FeliCaTag(idm: hex("0102030405060708")),
            try TypeBTag(name: "B", pupi: hex("a1a2a3a4"), application: Parrot()),
        ] as [any VirtualTag] {
            try await withReader(tag) { virtual, reader in
                var found: [Target] = []
                for technology in NFCReader.Technology.allCases where found.isEmpty {
                    found = try await reader.poll(technology)
                }
                let target = try #require(found.first)
                virtual.resetStatistics()
                #expect(try await reader.isPresent(target))
                #expect(virtual.statistics.totalCommands == 1)
                virtual.remove(tag)
                #expect(try await !reader.isPresent(target))
            }
        }
    }

    @Test func takesAGarbledAnswerToThePresenceCheckForPresence() async throws {
        let tag = try ISODEPTag(
            name: "A",
            uid: .fixed(hex("04010203040506")),
            application: Parrot()
        )
        try await withReader(tag) { virtual, reader in
            let target = try #require(try await reader.poll(.iso14443a).first)
            virtual.faults = Faults(Fault(.status(0x02), .nth(1)))
            #expect(try await reader.isPresent(target))
        }
    }

    @Test func sendsNothingRawThatIsTooLong() async throws {
        let tag = try ISODEPTag(
            name: "A",
            uid: .fixed(hex("04010203040506")),
            application: Parrot()
        )
        try await withReader(tag) { virtual, reader in
            let target = try #require(try await reader.poll(.iso14443a).first)
            virtual.resetStatistics()
            // 263 bytes overflow a buffer of libnfc (facts/libnfc.md, 7.1).
            for size in [263, 264, 1000, 70_000] {
                await #expect(throws: ReaderError.commandTooLong(size: size, limit: 262)) {
                    try await reader.exchangeRaw(Data(count: size))
                }
            }
            #expect(virtual.statistics.totalCommands == 0)
            let answer = try await reader.exchange(Data(count: 262), with: target)
            #expect(answer == hex("9000"))
        }
    }

    @Test(
        "tells a tag's fault from the reader's",
        arguments: [
            (Fault.Effect.tagLost, ReaderError.tagLost), (.status(0x01), .tagLost),
            (.status(0x27), .tagLost),
            (.status(0x29), .tagLost), (.status(0x2B), .tagLost),
            (.status(0x02), .tagError(status: 0x02)),
            (.status(0x13), .tagError(status: 0x13)), (.status(0x14), .tagError(status: 0x14)),
            (.status(0x0D), .tagError(status: 0x0D)),
            (.noStatus, .malformedAnswer(during: "exchange")),
        ]
    )
    func classifies(effect: Fault.Effect, error: ReaderError) async throws {
        let tag = try ISODEPTag(
            name: "A",
            uid: .fixed(hex("04010203040506")),
            application: Parrot()
        )
        try await withReader(tag) { virtual, reader in
            let target = try #require(try await reader.poll(.iso14443a).first)
            virtual.faults = Faults(Fault(effect, .nth(1)))
            await #expect(throws: error) {
                try await reader.exchange(hex("00b0000000"), with: target)
            }
        }
    }

    @Test(
        "reports a reader that answers wrongly, and goes on",
        arguments: [
            Fault.Effect.wrongChecksum, .truncate(7), .answerCode(0x41), .errorFrame, .swallow,
            .acknowledgeOnly, .spoiledFrameToHost, .spoiledFrameToChip,
        ]
    )
    func reportsReaderFaults(effect: Fault.Effect) async throws {
        let tag = try Type2Tag(kind: .ntag213, uid: .fixed(hex("04a1b2c3d4e580")))
        try await withReader(tag) { virtual, reader in
            virtual.faults = Faults(Fault(effect, .nth(1)))
            await #expect {
                try await reader.poll(.iso14443a)
            } throws: { error in
                (error as? ReaderError)?.kind == .reader
            }
            let found = try await reader.poll(.iso14443a)
            #expect(found.count == 1)
        }
    }

    @Test func noticesAPortThatHangsUp() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let reader = try await Reader.open(virtual.connectionString)
        virtual.faults = Faults(Fault(.hangUp, .nth(1)))
        for _ in 0..<2 {
            await #expect {
                try await reader.poll(.iso14443a)
            } throws: { error in
                (error as? ReaderError)?.kind == .reader
            }
        }
        await reader.close()
    }

    @Test func locksItsPort() async throws {
        try await withReader { virtual, _ in
            await #expect {
                try await Reader.open(virtual.connectionString)
            } throws: { error in
                guard case .inUse(let text)? = error as? ReaderError else { return false }
                return text.contains(virtual.path)
            }
        }
    }

    @Test func saysWhyAPortCannotBeOpened() async throws {
        await #expect {
            try await Reader.open("pn532_uart:/dev/ttyNONE0")
        } throws: { error in
            guard case .cannotOpen(let text)? = error as? ReaderError else { return false }
            return text.contains("plugged in")
        }
    }

    @Test("leaves the field off when an answer is garbled while it closes", arguments: 1...4)
    func closesInNoise(command: Int) async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let reader = try await Reader.open(virtual.connectionString)
        #expect(virtual.isFieldOn)
        virtual.faults = Faults(Fault(.wrongChecksum, .nth(command)))
        await reader.close()
        #expect(!virtual.isFieldOn)
    }

    @Test func refusesCallsAfterClosing() async throws {
        try await withReader { _, reader in
            await reader.close()
            await reader.close()
            await #expect(throws: ReaderError.closed) { try await reader.poll(.iso14443a) }
        }
    }

    @Test func endsAnExchangeThatWaitsWhenInterrupted() async throws {
        // The card takes a minute; only an interrupt ends the exchange before libnfc's timer of 5 s does.
        let tag = try ISODEPTag(
            name: "slow",
            uid: .fixed(hex("04010203040506")),
            application: Parrot(after: .seconds(60))
        )
        try await withReader(tag, timing: .real) { _, reader in
            let target = try #require(try await reader.poll(.iso14443a).first)
            async let answer = reader.exchange(hex("00b0000000"), with: target)
            // Wait until the chip has the command: its poll of the same reader queues behind the exchange.
            try await Task.sleep(for: .milliseconds(20))
            reader.interrupt()
            do {
                _ = try await answer
                Issue.record("the exchange was not interrupted")
            } catch {
                #expect(error as? ReaderError == .interrupted)
            }
            await #expect(throws: ReaderError.interrupted) { try await reader.poll(.iso14443a) }
        }
    }
}
