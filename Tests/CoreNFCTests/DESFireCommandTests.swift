import Bytes
import CoreNFC
import TestSupport
import Testing
import VirtualReader

/// Native and wrapped commands to a DESFire through `sendMiFareCommand` (facts/corenfc.md, 1.5).
@Suite(.serialized) struct DESFireCommandTests {
    private func withTag(
        _ application: any CardApplication,
        _ body: (any NFCMiFareTag, VirtualReader) async throws -> Void
    ) async throws {
        let tag = try ISODEPTag(atqa: 0x0344, ats: hex("067577810280"), application: application)
        try await withBench([tag], configure: { $0.iso7816SelectIdentifiers = [] }) { bench in
            let tag = try await bench.client.nextTags().miFare
            #expect(tag.mifareFamily == .desfire)
            try await body(tag, bench.reader)
        }
    }

    /// The three frames that a real card of 4096 bytes gave in a published log.
    private func card(applications: [Data] = []) throws -> DESFireIdentification {
        try DESFireIdentification(
            uid: hex("04253DD29E5580"),
            batch: hex("B90C174D20"),
            week: 32,
            year: 2017,
            applications: applications
        )
    }

    @Test("GetVersion: the three frames joined behind the last status byte")
    func version() async throws {
        try await withTag(try card()) { tag, reader in
            let before = reader.statistics.tagExchanges
            let answer = try await tag.sendMiFareCommand(commandPacket: hex("60"))
            #expect(
                answer
                    == hex(
                        "00" + "04010101001805" + "04010101041805" + "04253DD29E5580B90C174D203217"
                    )
            )
            #expect(reader.statistics.tagExchanges == before + 3)
        }
    }

    @Test("GetApplicationIDs of 28 applications, in two frames; of none, in one")
    func applications() async throws {
        let identifiers = (0..<28).map { Data([UInt8($0), 0xA0, 0xF0]) }
        try await withTag(try card(applications: identifiers)) { tag, reader in
            let before = reader.statistics.tagExchanges
            let answer = try await tag.sendMiFareCommand(commandPacket: hex("6A"))
            #expect(answer == [0x00] + identifiers.reduce(Data(), +))
            #expect(reader.statistics.tagExchanges == before + 2)
        }
        try await withTag(try card()) { tag, _ in
            let answer = try await tag.sendMiFareCommand(commandPacket: hex("6A"))
            #expect(answer == hex("00"))
        }
    }

    @Test("A wrapped command goes unchanged, and the client does the chaining")
    func wrapped() async throws {
        let identifiers = (0..<20).map { Data([UInt8($0), 0xA0, 0xF0]) }
        try await withTag(try card(applications: identifiers)) { tag, reader in
            let before = reader.statistics.tagExchanges
            let first = try await tag.sendMiFareCommand(commandPacket: hex("906A000000"))
            #expect(first == identifiers.prefix(19).reduce(Data(), +) + hex("91AF"))
            #expect(reader.statistics.tagExchanges == before + 1)
            let second = try await tag.sendMiFareCommand(commandPacket: hex("90AF000000"))
            #expect(second == identifiers[19] + hex("9100"))
            let apdu = try #require(NFCISO7816APDU(data: hex("9060000000")))
            let (data, sw1, sw2) = try await tag.sendMiFareISO7816Command(apdu)
            #expect(data == hex("04010101001805"))
            #expect((sw1, sw2) == (0x91, 0xAF))
        }
    }

    @Test(
        "What wants the client's word comes as it is: challenges, and the client's own AF",
        arguments: ["0a00", "1a00", "aa00", "710000", "7700", "af"]
    )
    func clientsWord(command: String) async throws {
        let challenge = "af" + "0102030405060708"
        let card = ScriptedCard([command: challenge], otherwise: "7e")
        try await withTag(card) { tag, _ in
            let answer = try await tag.sendMiFareCommand(commandPacket: hex(command))
            #expect(answer == hex(challenge))
            #expect(card.commands == [command])
        }
    }

    @Test("An error of the tag comes as it is, also in the middle", arguments: ["1c", "9d", "ae"])
    func errors(status: String) async throws {
        let card = ScriptedCard(["6a": "af010203", "af": status, "5a010203": status])
        try await withTag(card) { tag, _ in
            let middle = try await tag.sendMiFareCommand(commandPacket: hex("6a"))
            #expect(middle == hex(status))
            let once = try await tag.sendMiFareCommand(commandPacket: hex("5a010203"))
            #expect(once == hex(status))
        }
    }

    @Test("A long command goes in frames of 60 bytes, which the tag asks for")
    func longCommand() async throws {
        // WRITE_DATA: file 1, offset 0, length 130, data.
        let header = hex("3d" + "01" + "000000" + "820000")
        let data = Data((0..<130).map { UInt8($0) })
        let command = header + data
        let frames = [
            command.prefix(60).hex, "af" + Data(command[60..<119]).hex,
            "af" + Data(command[119...]).hex,
        ]
        let card = ScriptedCard([frames[0]: "af", frames[1]: "af", frames[2]: "00"])
        try await withTag(card) { tag, _ in
            let answer = try await tag.sendMiFareCommand(commandPacket: command)
            #expect(answer == hex("00"))
            #expect(card.commands == frames)
        }
    }

    @Test("The tag's refusal ends a long command")
    func refusedLongCommand() async throws {
        let command = hex("3d") + Data(count: 100)
        let card = ScriptedCard([command.prefix(60).hex: "9d"], otherwise: "00")
        try await withTag(card) { tag, _ in
            let answer = try await tag.sendMiFareCommand(commandPacket: command)
            #expect(answer == hex("9d"))
            #expect(card.commands.count == 1)
        }
    }

    @Test("A tag that goes on for ever is a packet too long")
    func endless() async throws {
        let frame = "af" + String(repeating: "55", count: 4000)
        let card = ScriptedCard(["6a": frame, "af": frame])
        try await withTag(card) { tag, _ in
            await expect(.readerTransceiveErrorPacketTooLong) {
                _ = try await tag.sendMiFareCommand(commandPacket: hex("6a"))
            }
        }
    }

    @Test("A tag that goes on for ever with little is a packet too long, too")
    func endlessSmallFrames() async throws {
        let card = ScriptedCard(["6a": "af55", "af": "af55"])
        try await withTag(card) { tag, _ in
            await expect(.readerTransceiveErrorPacketTooLong) {
                _ = try await tag.sendMiFareCommand(commandPacket: hex("6a"))
            }
            // 64 KiB, the most that an APDU's answer has, in frames of 59 bytes are 1111.
            #expect((1111..<2048).contains(card.commands.count))
        }
    }

    @Test("A tag that wants the client's word after some data gets it, and the data is handed over")
    func dataBeforeClientsWord() async throws {
        let card = ScriptedCard(["6a": "af010203", "af": "af"])
        try await withTag(card) { tag, _ in
            let answer = try await tag.sendMiFareCommand(commandPacket: hex("6a"))
            #expect(answer == hex("af010203"))
            #expect(card.commands == ["6a", "af"])
        }
    }

    // MARK: Applications

    @Test(
        "Selecting an application that is not listed is a security violation here too; nothing is sent",
        arguments: ["067577810280", "0c75778002c1052f2f01bcd6"]
    )
    func selection(ats: String) async throws {
        let card = ScriptedCard(otherwise: "6a82")
        let tag = try ISODEPTag(atqa: 0x0344, ats: hex(ats), application: card)
        try await withBench([tag]) { bench in
            let tag = try await bench.client.nextTags().miFare
            let before = card.commands.count
            for command in ["00A4040005A00000000100", "00A4040005A000000001", "00A40400"] {
                await expect(.readerErrorSecurityViolation) {
                    _ = try await tag.sendMiFareCommand(commandPacket: hex(command))
                }
            }
            #expect(card.commands.count == before)
            // A listed application, and a file by its identifier.
            for command in [ScriptedCard.selectType4, "00a4000c02e104"] {
                let answer = try await tag.sendMiFareCommand(commandPacket: hex(command))
                #expect(answer == hex("6a82"))
                #expect(card.commands.last == command)
            }
        }
    }

    @Test("A native command whose bytes look like a SELECT by name is none")
    func nativeLookalike() async throws {
        // SelectApplication 0104A4, lowest byte first.
        let card = ScriptedCard(["5aa40401": "00"])
        try await withTag(card) { tag, _ in
            let answer = try await tag.sendMiFareCommand(commandPacket: hex("5AA40401"))
            #expect(answer == hex("00"))
        }
    }

    @Test("A Plus gets every command as it is")
    func plus() async throws {
        let card = ScriptedCard(["60": "af01", "70": "0b"])
        let tag = try ISODEPTag(
            atqa: 0x0044,
            ats: hex("0c75778002c1052f2f01bcd6"),
            application: card
        )
        try await withBench([tag], configure: { $0.iso7816SelectIdentifiers = [] }) { bench in
            let tag = try await bench.client.nextTags().miFare
            #expect(tag.mifareFamily == .plus)
            let answer = try await tag.sendMiFareCommand(commandPacket: hex("60"))
            #expect(answer == hex("af01"))
            #expect(card.commands == ["60"])
        }
    }
}
