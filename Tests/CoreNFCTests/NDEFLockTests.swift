import Bytes
import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// How NDEF messages are made read-only (NFC Forum Type 2 Tag 1.1, 2.2; facts/pn532.md, 7.4).
@Suite(.serialized) struct NDEFLockTests {
    /// An empty message, and where the dynamic lock bits are and which of them there are by the chip's data sheet.
    struct Chip: Sendable {
        let chip: Type2Chip
        let lockPage: Int?
        let lockBits: String
        var container: String?
        var area = "0300FE"
    }

    private func withTag(
        _ chip: Chip,
        _ body: (RecordingTag, Type2Tag, Bench, any NFCMiFareTag) async throws -> Void
    ) async throws {
        let type2 = try Type2Tag(kind: chip.chip)
        if let container = chip.container { type2.load(hex(container), fromPage: 3) }
        type2.load(hex(chip.area))
        let tag = RecordingTag(type2)
        try await withBench([tag]) { bench in
            let client = try await bench.client.nextTags().miFare
            _ = tag.takeSteps()
            try await body(tag, type2, bench, client)
        }
    }

    private static let chips = [
        Chip(chip: .ultralight, lockPage: nil, lockBits: "", container: "E1100600"),
        Chip(chip: .ntag210, lockPage: nil, lockBits: ""),
        Chip(chip: .ultralightC, lockPage: 0x28, lockBits: "FF0F", container: "E1101200"),
        Chip(chip: .ntag203, lockPage: 0x28, lockBits: "FF0F"),
        Chip(chip: .ntag212, lockPage: 0x24, lockBits: "FF03"),
        Chip(chip: .ntag213, lockPage: 0x28, lockBits: "FF0F"),
        // As it is delivered, with a lock control TLV: byte 0 of page 10 of 16 bytes, 12 bits.
        Chip(chip: .ntag213, lockPage: 0x28, lockBits: "FF0F", area: "0103A00C340300FE"),
        Chip(chip: .ntag215, lockPage: 0x82, lockBits: "FF00"),
        Chip(chip: .ntag216, lockPage: 0xE2, lockBits: "FF3F"),
    ]

    @Test("Locking closes every page of user memory, on each chip", arguments: chips)
    func locks(chip: Chip) async throws {
        try await withTag(chip) { recorder, tag, _, client in
            let before = tag.memory
            try await client.writeLock()
            var expected = before
            expected.replaceSubrange(10..<12, with: hex("FFFF"))
            expected[15] = 0x0F
            if let page = chip.lockPage {
                expected.replaceSubrange(page * 4..<page * 4 + 2, with: hex(chip.lockBits))
            }
            #expect(tag.memory == expected)
            _ = recorder.takeSteps()

            // Locked already: looked at, but nothing written.
            try await client.writeLock()
            #expect(!recorder.takeSteps().contains { $0.command.hasPrefix("a2") })

            // The chip refuses the first and the last page of user memory.
            let last = (chip.lockPage ?? 16) - 1
            for page in [4, last] {
                await expect(.readerTransceiveErrorTagResponseError) {
                    let command = Data([0xA2, UInt8(page), 1, 2, 3, 4])
                    _ = try await client.sendMiFareCommand(commandPacket: command)
                }
            }
            let (status, _) = try await client.queryNDEFStatus()
            #expect(status == .readOnly)
        }
    }

    @Test("A lock that was interrupted at any exchange can be finished")
    func interrupted() async throws {
        let chip = Chip(chip: .ntag216, lockPage: 0xE2, lockBits: "FF3F")
        var isDone = false
        var exchange = 0
        while !isDone {
            exchange += 1
            try #require(exchange < 30)
            let tag = try Type2Tag(kind: chip.chip)
            tag.load(hex(chip.area))
            try await withBench([tag]) { bench in
                let client = try await bench.client.nextTags().miFare
                bench.reader.faults = Faults(Fault(.tagLost, .nth(exchange)))
                do {
                    try await client.writeLock()
                    isDone = true
                } catch {
                    let code = (error as? NFCReaderError)?.code
                    #expect(code == .readerTransceiveErrorTagConnectionLost, "\(error)")
                }
            }
            guard !isDone else { break }
            try await withBench([tag]) { bench in
                let client = try await bench.client.nextTags().miFare
                try await client.writeLock()
            }
            #expect(tag.memory.dropFirst(10).prefix(6) == hex("FFFF E1106D0F"))
            #expect(tag.memory.dropFirst(0xE2 * 4).prefix(2) == hex(chip.lockBits))
        }
        #expect(exchange > 8)
    }

    @Test("Lock bits that stay 0 because they are frozen are an update failure")
    func frozen() async throws {
        let chip = Chip(chip: .ntag213, lockPage: 0x28, lockBits: "")
        try await withTag(chip) { _, tag, _, client in
            // Byte 2, bit 1 freezes the lock bits of pages 4 to 9.
            tag.load(hex("00 00 02 00"), fromPage: 2)
            await expect(.ndefReaderSessionErrorTagUpdateFailure) { try await client.writeLock() }
        }
    }

    @Test(
        "A tag whose lock bits cannot be reached is refused before anything is written",
        arguments: [
            // Default lock bits behind the data area, which ends at the last page or beyond it.
            ("E1107E00", "0300FE", ""), ("E110EA00", "0300FE", ""), ("E110FF00", "0300FE", ""),
            // Lock control: byte 14 of page 15, of 1024 bytes; byte 0 of page 15, of 32: no such page; 256 bits.
            ("E1101200", "0103FE100A0300FE", ""), ("E1101200", "0103F000050300FE", ""),
            // In the UID, on the static lock bits, and on the capability container.
            ("E1101200", "01030008040300FE", ""), ("E1101200", "01030A10040300FE", ""),
            ("E1101200", "01030F08040300FE", ""),
            // The tag refuses to read the page of its lock bits, or that of the static ones.
            ("E1101200", "0300FE", "3028"), ("E1101200", "0300FE", "3002"),
        ]
    )
    func unreachable(container: String, area: String, refused: String) async throws {
        let type2 = try Type2Tag(kind: .ntag203)
        type2.load(hex(container), fromPage: 3)
        type2.load(hex(area))
        let tag = RecordingTag(type2, acknowledges: refused.isEmpty ? [:] : [refused: 0x00])
        let before = type2.memory
        try await withBench([tag]) { bench in
            let client = try await bench.client.nextTags().miFare
            // The second try finds what the first one found.
            for _ in 0..<2 {
                await expect(.ndefReaderSessionErrorTagUpdateFailure) {
                    try await client.writeLock()
                }
            }
            #expect(!tag.takeSteps().contains { $0.command.hasPrefix("a2") })
            #expect(type2.memory == before)
            #expect(client.isAvailable)
        }
    }

    // MARK: Type 4

    @Test(
        "A write access of the tag's own does not count as locked: read-only is written, or locking has failed",
        arguments: ["01", "80", "fe"],
        [("9000", "ff9000", true), ("6985", "", false)]
    )
    func conditionalAccess(access: String, update: (String, String, Bool)) async throws {
        let card = ScriptedCard(
            [
                ScriptedCard.selectType4: "9000", "00a4000c02e103": "9000",
                "00b000000f": "000f2000ff00ff0406e104004000" + access + "9000",
                "00d6000e01ff": update.0, "00b0000e01": update.1,
            ]
        )
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let (status, _) = try await tag.queryNDEFStatus()
            #expect(status == .readOnly)
            if update.2 {
                try await tag.writeLock()
            } else {
                await expect(.ndefReaderSessionErrorTagUpdateFailure) { try await tag.writeLock() }
            }
            #expect(card.commands.contains("00d6000e01ff"))
        }
    }

    @Test("A type 4 tag that says read-only stays as it is, without an error")
    func lockedType4() async throws {
        let card = ScriptedCard(
            [
                ScriptedCard.selectType4: "9000", "00a4000c02e103": "9000",
                "00b000000f": "000f2000ff00ff0406e104004000ff9000",
            ]
        )
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            try await tag.writeLock()
            #expect(!card.commands.contains { $0.hasPrefix("00d6") })
        }
    }

    @Test(
        "A type 4 tag says read-only in its capability container, or locking has failed",
        arguments: [("9000", "ff9000", true), ("9000", "009000", false), ("6985", "009000", false)]
    )
    func type4(update: String, readBack: String, succeeds: Bool) async throws {
        // CC: version 2.0, MLe 00FF, MLc 00FF, file E104 of 0040 bytes, read and write free; write access at 0E.
        let card = ScriptedCard(
            [
                ScriptedCard.selectType4: "9000", "00a4000c02e103": "9000",
                "00b000000f": "000f2000ff00ff0406e104004000009000",
                "00d6000e01ff": update, "00b0000e01": readBack,
            ]
        )
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            if succeeds {
                try await tag.writeLock()
            } else {
                await expect(.ndefReaderSessionErrorTagUpdateFailure) { try await tag.writeLock() }
            }
            #expect(card.commands.contains("00d6000e01ff"))
        }
    }
}
