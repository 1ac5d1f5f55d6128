import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// `sendMiFareCommand` and `sendMiFareISO7816Command` (facts/corenfc.md, 1.5; facts/pn532.md, 7.3 and 7.4).
@Suite(.serialized) struct MiFareCommandTests {
    @Test("An NTAG answers READ, FAST_READ, GET_VERSION, PWD_AUTH and WRITE")
    func ntag() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            func send(_ command: String) async throws -> Data {
                try await tag.sendMiFareCommand(commandPacket: hex(command))
            }
            #expect(try await send("60") == hex("0004040201000F03"))
            // Page 3 is the capability container.
            #expect(try await send("3003").prefix(4) == hex("E1101200"))
            #expect(try await send("A205CAFEBABE") == hex("0A"))
            #expect(try await send("3005").prefix(4) == hex("CAFEBABE"))
            #expect(try await send("3A0506") == hex("CAFEBABE00000000"))
            #expect(try await send("1BFFFFFFFF") == hex("0000"))
            #expect(tag.isAvailable)
        }
    }

    @Test(
        "A command the tag refuses is a tag response error, and the next one works",
        arguments: ["30F0", "A2F000000000", "3AF0F1"]
    )
    func refused(command: String) async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            _ = try await tag.sendMiFareCommand(commandPacket: hex("60"))
            await #expect {
                try await tag.sendMiFareCommand(commandPacket: hex(command))
            } throws: {
                ($0 as? NFCReaderError)?.code == .readerTransceiveErrorTagResponseError
            }
            #expect(tag.isAvailable)
            let answer = try await tag.sendMiFareCommand(commandPacket: hex("60"))
            #expect(answer == hex("0004040201000F03"))
        }
    }

    @Test("A command that a tag does not know, and so does not answer, is a tag response error")
    func unknown() async throws {
        try await withBench([try Type2Tag(kind: .ultralight)]) { bench in
            let tag = try await bench.client.nextTags().miFare
            await #expect {
                try await tag.sendMiFareCommand(commandPacket: hex("60"))
            } throws: {
                ($0 as? NFCReaderError)?.code == .readerTransceiveErrorTagResponseError
            }
            let page = try await tag.sendMiFareCommand(commandPacket: hex("3000"))
            #expect(page.prefix(3) == hex("04A1B2"))
        }
    }

    @Test("A tag that has gone gives connection lost")
    func gone() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            _ = try await tag.sendMiFareCommand(commandPacket: hex("60"))
            bench.reader.removeAll()
            for command in ["60", "3000"] {
                await #expect {
                    try await tag.sendMiFareCommand(commandPacket: hex(command))
                } throws: {
                    ($0 as? NFCReaderError)?.code == .readerTransceiveErrorTagConnectionLost
                }
            }
            #expect(!tag.isAvailable)
        }
    }

    @Test(
        "A MIFARE Classic is authenticated, read and written; a wrong key is a tag response error"
    )
    func classic() async throws {
        try await withBench([try MifareClassicTag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            func send(_ command: String) async throws -> Data {
                try await tag.sendMiFareCommand(commandPacket: hex(command))
            }
            let block = "000102030405060708090a0b0c0d0e0f"
            #expect(try await send("6004FFFFFFFFFFFFDEADBEEF").isEmpty)
            #expect(try await send("A004" + block) == hex("0A"))
            #expect(try await send("3004") == hex(block))
            await #expect {
                try await send("6008A0A1A2A3A4A5DEADBEEF")
            } throws: {
                ($0 as? NFCReaderError)?.code == .readerTransceiveErrorTagResponseError
            }
            #expect(try await send("6004FFFFFFFFFFFFDEADBEEF").isEmpty)
            #expect(try await send("3004") == hex(block))
        }
    }

    @Test("An empty command is refused before anything is sent")
    func empty() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            await #expect(throws: NFCReaderError(.readerErrorInvalidParameterLength)) {
                try await tag.sendMiFareCommand(commandPacket: Data())
            }
            #expect(bench.reader.statistics.tagExchanges == 0)
        }
    }

    @Test("A wrapped DESFire command goes as it is, by either call, and brings its status word")
    func wrapped() async throws {
        let card = ScriptedCard(["9060000000": "0401010100180591af", "90af000000": "0401aa9100"])
        let tag = try ISODEPTag(atqa: 0x0344, ats: hex("067577810280"), application: card)
        try await withBench([tag], configure: { $0.iso7816SelectIdentifiers = [] }) { bench in
            let tag = try await bench.client.nextTags().miFare
            let first = try await tag.sendMiFareCommand(commandPacket: hex("9060000000"))
            #expect(first == hex("0401010100180591af"))
            let apdu = NFCISO7816APDU(
                instructionClass: 0x90,
                instructionCode: 0xAF,
                p1Parameter: 0,
                p2Parameter: 0,
                data: Data(),
                expectedResponseLength: 0
            )
            let (data, sw1, sw2) = try await tag.sendMiFareISO7816Command(apdu)
            #expect(data == hex("0401aa"))
            #expect((sw1, sw2) == (0x91, 0x00))
            #expect(card.commands == ["9060000000", "90af000000"])
        }
    }

    @Test("A command APDU to a tag without ISO 14443-4 is an invalid parameter")
    func apduToUltralight() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            let apdu = try #require(NFCISO7816APDU(data: hex("9060000000")))
            await #expect(throws: NFCReaderError(.readerErrorInvalidParameter)) {
                try await tag.sendMiFareISO7816Command(apdu)
            }
            #expect(bench.reader.statistics.tagExchanges == 0)
        }
    }
}
