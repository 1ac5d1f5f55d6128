import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// Extended-length commands and answers of more than one chip frame, through sessions (facts/corenfc.md, 2.10; ISO
/// 7816-4, 5.1; facts/pn532.md, 3.4).
@Suite(.serialized) struct LongExchangeTests {
    static func pattern(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }

    private func tag(isTypeB: Bool, _ card: ScriptedCard) throws -> any VirtualTag {
        isTypeB ? try TypeBTag(application: card) : try ISODEPTag(application: card)
    }

    private func readBinary() throws -> NFCISO7816APDU {
        try #require(NFCISO7816APDU(data: hex("00B00000000000")))
    }

    private func updateBinary(_ data: Data) -> NFCISO7816APDU {
        NFCISO7816APDU(
            instructionClass: 0x00,
            instructionCode: 0xD6,
            p1Parameter: 0x00,
            p2Parameter: 0x00,
            data: data,
            expectedResponseLength: -1
        )
    }

    // Fact 2.10: ISO-DEP block chaining and WTX
    @Test(
        "Answers of every length up to an extended APDU's arrive whole",
        arguments: [1, 254, 255, 256, 257, 260, 261, 1000, 4000, 65_536],
        [false, true]
    )
    func answers(length: Int, isTypeB: Bool) async throws {
        let data = Self.pattern(length)
        let card = ScriptedCard([
            ScriptedCard.selectType4: "9000", "00b00000000000": data.hexText + "9000",
        ])
        try await withBench([try tag(isTypeB: isTypeB, card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let (answer, sw1, sw2) = try await tag.sendCommand(apdu: try readBinary())
            #expect(answer == data)
            #expect((sw1, sw2) == (0x90, 0x00))
            #expect(card.commands == [ScriptedCard.selectType4, "00b00000000000"])
        }
    }

    @Test(
        "Commands of every length up to the longest extended APDU reach the card whole",
        arguments: [1, 254, 255, 256, 257, 1000, 4000, 65_535],
        [false, true]
    )
    func commands(length: Int, isTypeB: Bool) async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000"], otherwise: "9000")
        try await withBench([try tag(isTypeB: isTypeB, card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let data = Self.pattern(length)
            let (_, sw1, sw2) = try await tag.sendCommand(apdu: updateBinary(data))
            #expect((sw1, sw2) == (0x90, 0x00))
            // Lc in one byte up to 255, else in three (ISO 7816-4, 5.1).
            let lc =
                length <= 255
                ? String(format: "%02x", length) : "00" + String(format: "%04x", length)
            #expect(card.commands.last == "00d60000" + lc + data.hexText)
        }
    }

    // Fact 2.6: frame too long
    @Test("An answer longer than an extended APDU's is a packet too long, and the session goes on")
    func answerTooLong() async throws {
        let card = ScriptedCard(
            [
                ScriptedCard.selectType4: "9000",
                "00b00000000000": Self.pattern(65_537).hexText + "9000",
            ],
            otherwise: "9000"
        )
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            await expect(.readerTransceiveErrorPacketTooLong) {
                _ = try await tag.sendCommand(apdu: try readBinary())
            }
            let (_, sw1, _) = try await tag.sendCommand(apdu: updateBinary(hex("01")))
            #expect(sw1 == 0x90)
            #expect(tag.isAvailable)
        }
    }

    @Test(
        "A tag that leaves in part k of a command or an answer is connection lost; the session finds it again",
        arguments: 1...4,
        [false, true]
    )
    func lost(part: Int, isInAnswer: Bool) async throws {
        let data = Self.pattern(1000)
        let card = ScriptedCard(
            [ScriptedCard.selectType4: "9000", "00b00000000000": data.hexText + "9000"],
            otherwise: "9000"
        )
        let virtual = try ISODEPTag(application: card)
        try await withBench([virtual]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.reader.faults = Faults(Fault(.tagLost, .nth(part)))
            await expect(.readerTransceiveErrorTagConnectionLost) {
                let command = isInAnswer ? try readBinary() : updateBinary(data)
                _ = try await tag.sendCommand(apdu: command)
            }
            #expect(!tag.isAvailable)
            bench.reader.faults = .none
            bench.reader.place(virtual)
            bench.session.restartPolling()
            let again = try await bench.client.nextTags().iso7816
            let (answer, _, _) = try await again.sendCommand(apdu: try readBinary())
            #expect(answer == data)
        }
    }

    @Test(
        "After a bad answer in the middle of a command the tag is lost until it is found anew",
        arguments: 1...3
    )
    func badAnswer(part: Int) async throws {
        let data = Self.pattern(1000)
        let card = ScriptedCard([ScriptedCard.selectType4: "9000"], otherwise: "9000")
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.reader.faults = Faults(Fault(.status(0x0B), .nth(part)))
            await expect(.readerTransceiveErrorTagResponseError) {
                _ = try await tag.sendCommand(apdu: updateBinary(data))
            }
            #expect(!tag.isAvailable)
            await expect(.readerTransceiveErrorTagConnectionLost) {
                _ = try await tag.sendCommand(apdu: updateBinary(hex("01")))
            }
            bench.session.restartPolling()
            let again = try await bench.client.nextTags().iso7816
            let (_, sw1, _) = try await again.sendCommand(apdu: updateBinary(hex("02")))
            #expect(sw1 == 0x90)
            // Neither the half command nor its joining with the next one was ever carried out.
            #expect(Set(card.commands) == [ScriptedCard.selectType4, "00d600000102"])
        }
    }

    @Test(
        "A fault on the wire in the middle of an exchange does not end the session",
        arguments: [false, true]
    )
    func wireFault(isInAnswer: Bool) async throws {
        let data = Self.pattern(1000)
        let card = ScriptedCard(
            [ScriptedCard.selectType4: "9000", "00b00000000000": data.hexText + "9000"],
            otherwise: "9000"
        )
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.reader.faults = Faults(Fault(.wrongChecksum, .nth(2), command: 0x40))
            // The tag of a half-sent command is let go; that of a half-read answer is still there.
            await expect(
                isInAnswer
                    ? .readerTransceiveErrorTagResponseError
                    : .readerTransceiveErrorTagConnectionLost
            ) {
                let command = isInAnswer ? try readBinary() : updateBinary(data)
                _ = try await tag.sendCommand(apdu: command)
            }
            #expect(bench.session.isReady)
            bench.session.restartPolling()
            let again = try await bench.client.nextTags().iso7816
            let (answer, _, _) = try await again.sendCommand(apdu: try readBinary())
            #expect(answer == data)
        }
    }

    @Test("An answer that goes on without a status byte costs neither reader nor session")
    func missingStatus() async throws {
        let data = Self.pattern(1000)
        let card = ScriptedCard([
            ScriptedCard.selectType4: "9000", "00b00000000000": data.hexText + "9000",
        ])
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.reader.resetStatistics()
            bench.reader.faults = Faults(Fault(.noStatus, .nth(2)))
            await expect(.readerTransceiveErrorTagResponseError) {
                _ = try await tag.sendCommand(apdu: try readBinary())
            }
            // GetFirmwareVersion is what libnfc opens a reader with.
            #expect(bench.reader.statistics.commands[0x02] == nil)
            #expect(tag.isAvailable)
            bench.reader.faults = .none
            bench.session.restartPolling()
            let again = try await bench.client.nextTags().iso7816
            let (answer, _, _) = try await again.sendCommand(apdu: try readBinary())
            #expect(answer == data)
        }
    }
}

extension Data {
    /// In lower case, as `ScriptedCard` has it.
    fileprivate var hexText: String { map { String(format: "%02x", $0) }.joined() }
}
