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

    @Test(
        "Further commands of NTAG and Ultralight EV1: signature, counters, password, compatible write"
    )
    func furtherType2Commands() async throws {
        let signature = Data((0..<32).map { UInt8($0) })
        let tag = try Type2Tag(kind: .ultralightEV1, signature: signature)
        try await withBench([tag]) { bench in
            let tag = try await bench.client.nextTags().miFare
            func send(_ command: String) async throws -> Data {
                try await tag.sendMiFareCommand(commandPacket: hex(command))
            }
            #expect(try await send("3C00") == signature)
            #expect(try await send("3900") == hex("000000"))
            // Counter 0 goes up by 1, then by 0x0203.
            #expect(try await send("A50001000000") == hex("0A"))
            #expect(try await send("A50003020000") == hex("0A"))
            #expect(try await send("3900") == hex("040200"))
            // Of the 16 bytes a type 2 tag writes the first four.
            #expect(try await send("A006CAFEBABE000102030405060708090A0B") == hex("0A"))
            #expect(try await send("3006").prefix(8) == hex("CAFEBABE00000000"))
            #expect(try await send("1BFFFFFFFF") == hex("0000"))
            #expect(tag.isAvailable)
        }
    }

    @Test(
        "A NAK to any command is a tag response error, and the next command works",
        arguments: [
            "3CFF01", "3905", "A50501000000", "1B01020304",
            "A000" + String(repeating: "00", count: 16),
        ]
    )
    func nak(command: String) async throws {
        try await withBench([try Type2Tag(kind: .ultralightEV1)]) { bench in
            let tag = try await bench.client.nextTags().miFare
            await expect(.readerTransceiveErrorTagResponseError) {
                _ = try await tag.sendMiFareCommand(commandPacket: hex(command))
            }
            #expect(tag.isAvailable)
            let version = try await tag.sendMiFareCommand(commandPacket: hex("60"))
            #expect(version == hex("0004030101000B03"))
            let page = try await tag.sendMiFareCommand(commandPacket: hex("3000"))
            #expect(page.prefix(3) == hex("04A1B2"))
        }
    }

    @Test("The chip's own framing carries 30, A2 and A0; everything else goes raw")
    func framing() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            _ = try await tag.sendMiFareCommand(commandPacket: hex("3000"))
            for (command, chip) in [
                ("3004", 0x40), ("A20501020304", 0x40),
                ("A006" + String(repeating: "00", count: 16), 0x40), ("60", 0x42),
                ("3A0405", 0x42), ("3C00", 0x42), ("1BFFFFFFFF", 0x42),
            ] as [(String, UInt8)] {
                bench.reader.resetStatistics()
                _ = try await tag.sendMiFareCommand(commandPacket: hex(command))
                #expect(bench.reader.statistics.commands == [chip: 1], "\(command)")
            }
        }
    }

    @Test(
        "Commands that a tag answers by 4 bits: acknowledged, and refused",
        arguments: [
            "A50001000000",  // INCR_CNT
            "A60413" + String(repeating: "5A", count: 64),  // FAST_WRITE of NTAG I2C plus
            "A90001020304", "AC02",  // WRITE_SIG and LOCK_SIG of Ultralight Nano
        ]
    )
    func acknowledged(command: String) async throws {
        for nibble in [0x0A, 0x00, 0x01] as [UInt8] {
            let code = command.prefix(2).lowercased()
            let tag = RecordingTag(try Type2Tag(), acknowledges: [code: nibble])
            try await withBench([tag]) { bench in
                let client = try await bench.client.nextTags().miFare
                _ = tag.takeSteps()
                if nibble == 0x0A {
                    let answer = try await client.sendMiFareCommand(commandPacket: hex(command))
                    #expect(answer == hex("0A"))
                } else {
                    await expect(.readerTransceiveErrorTagResponseError) {
                        _ = try await client.sendMiFareCommand(commandPacket: hex(command))
                    }
                }
                #expect(tag.takeSteps().map(\.command) == [command.lowercased()])
                let version = try await client.sendMiFareCommand(commandPacket: hex("60"))
                #expect(version == hex("0004040201000F03"))
            }
        }
    }

    @Test(
        "A register that cannot be written costs no answer: the tag's counts, and the next one is whole",
        arguments: [[1], [2], [2, 3]]
    )
    func registerFails(writes: [Int]) async throws {
        try await withBench([try Type2Tag(kind: .ultralightEV1)]) { bench in
            let tag = try await bench.client.nextTags().miFare
            _ = try await tag.sendMiFareCommand(commandPacket: hex("60"))
            // WriteRegister: without the CRC, and with it again.
            var faults = Faults.none
            faults.list = writes.map { Fault(.errorFrame, .nth($0), command: 0x08) }
            bench.reader.faults = faults
            let isSent = writes.first != 1
            if isSent {
                let answer = try await tag.sendMiFareCommand(commandPacket: hex("A50001000000"))
                #expect(answer == hex("0A"))
            } else {
                await expect(.readerTransceiveErrorTagResponseError) {
                    _ = try await tag.sendMiFareCommand(commandPacket: hex("A50001000000"))
                }
            }
            let counter = try await tag.sendMiFareCommand(commandPacket: hex("3900"))
            #expect(counter == hex(isSent ? "010000" : "000000"))
            let again = try await tag.sendMiFareCommand(commandPacket: hex("A50001000000"))
            #expect(again == hex("0A"))
        }
    }

    @Test("SECTOR_SELECT is not supported, and not sent", arguments: ["C2FF", "C2FF01000000"])
    func sectorSelect(command: String) async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            await expect(.readerErrorUnsupportedFeature) {
                _ = try await tag.sendMiFareCommand(commandPacket: hex(command))
            }
            #expect(bench.reader.statistics.tagExchanges == 0)
        }
    }

    @Test(
        "A compatible write of another length is refused before anything is sent",
        arguments: ["A005", "A00501020304"]
    )
    func compatibleWriteOfWrongLength(command: String) async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            await expect(.readerErrorInvalidParameterLength) {
                _ = try await tag.sendMiFareCommand(commandPacket: hex(command))
            }
            #expect(bench.reader.statistics.tagExchanges == 0)
        }
    }

    @Test("Value commands of a MIFARE Classic: increment, decrement, restore, transfer")
    func values() async throws {
        try await withBench([try MifareClassicTag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            func send(_ command: String) async throws -> Data {
                try await tag.sendMiFareCommand(commandPacket: hex(command))
            }
            // Value, inverted, value, lowest byte first; address 04 (facts/pn532.md, 7.3).
            let hundred = "640000009BFFFFFF6400000004FB04FB"
            let hundredAndFive = "6900000096FFFFFF6900000004FB04FB"
            let zero = "00000000FFFFFFFF0000000004FB04FB"
            #expect(try await send("6004FFFFFFFFFFFFDEADBEEF").isEmpty)
            #expect(try await send("A004" + hundred) == hex("0A"))
            #expect(try await send("C10405000000") == hex("0A"))
            #expect(
                try await send("3004") == hex(hundred),
                "nothing is written before the transfer"
            )
            #expect(try await send("C10405000000") == hex("0A"))
            #expect(try await send("B004") == hex("0A"))
            #expect(try await send("3004") == hex(hundredAndFive))
            #expect(try await send("C00469000000") == hex("0A"))
            #expect(try await send("B005") == hex("0A"))
            #expect(try await send("3005") == hex(zero))
            #expect(try await send("C20400000000") == hex("0A"))
            #expect(try await send("B006") == hex("0A"))
            #expect(try await send("3006") == hex(hundredAndFive))
        }
    }

    @Test(
        "After a wrong key the card is selected anew, and no sector is open until the right key comes"
    )
    func wrongKey() async throws {
        try await withBench([try MifareClassicTag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            func send(_ command: String) async throws -> Data {
                try await tag.sendMiFareCommand(commandPacket: hex(command))
            }
            #expect(try await send("6004FFFFFFFFFFFFDEADBEEF").isEmpty)
            let polls = Polls()
            bench.reader.trace = polls.note
            await expect(.readerTransceiveErrorTagResponseError) {
                _ = try await send("6008A0A1A2A3A4A5DEADBEEF")
            }
            // Selected by its UID, in the field that is on, or once more in a new one.
            #expect(polls.all.last == "4a0100deadbeef")
            #expect(tag.isAvailable)
            await expect(.readerTransceiveErrorTagResponseError) { _ = try await send("3004") }
            #expect(try await send("6008FFFFFFFFFFFFDEADBEEF").isEmpty)
            #expect(try await send("3008") == Data(count: 16))
        }
    }

    @Test("A refused command closes the sector", arguments: ["300C", "B004", "C00801000000"])
    func refusedByClassic(command: String) async throws {
        // Block 0C is in another sector; there is nothing to transfer; block 8 is no value block.
        try await withBench([try MifareClassicTag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            func send(_ command: String) async throws -> Data {
                try await tag.sendMiFareCommand(commandPacket: hex(command))
            }
            #expect(try await send("6004FFFFFFFFFFFFDEADBEEF").isEmpty)
            await expect(.readerTransceiveErrorTagResponseError) { _ = try await send(command) }
            await expect(.readerTransceiveErrorTagResponseError) { _ = try await send("3004") }
            #expect(try await send("6004FFFFFFFFFFFFDEADBEEF").isEmpty)
            #expect(try await send("3004") == Data(count: 16))
        }
    }

    @Test("A MIFARE Classic with a UID of 7 bytes is authenticated by the last four")
    func classicWithLongUID() async throws {
        let card = try MifareClassicTag(uid: .fixed(hex("04112233445566")))
        try await withBench([card]) { bench in
            let tag = try await bench.client.nextTags().miFare
            let answer = try await tag.sendMiFareCommand(
                commandPacket: hex("6004FFFFFFFFFFFF") + tag.identifier.suffix(4)
            )
            #expect(answer.isEmpty)
            let block = try await tag.sendMiFareCommand(commandPacket: hex("3004"))
            #expect(block == Data(count: 16))
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
