import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// Debian's libnfc tools as judges of the virtual reader, unchanged. Each test is skipped where its tool is absent.
@Suite struct PeerTests {
    /// Runs a tool of libnfc on a reader and returns what it printed.
    private func run(
        _ tool: String, _ arguments: [String] = [], on reader: VirtualReader, in folder: URL? = nil
    ) async throws -> String {
        let program = try #require(Process.find(tool))
        let result = try await Process.run(
            program, arguments, environment: ["LIBNFC_DEVICE": reader.connectionString],
            in: folder)
        #expect(!result.timedOut, "\(tool) did not end")
        #expect(!result.wasSignalled, "\(tool) crashed: \(result.standardError)")
        return result.standardOutput
    }

    /// An empty folder that is gone after the test.
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("nfc-session-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// The text without blanks, so that `04  a1  b2` can be looked for as `04a1b2`.
    private func compact(_ text: String) -> String {
        text.filter { $0 != " " && $0 != "\n" }
    }

    @Test(.enabled(if: Process.find("nfc-list") != nil, "needs nfc-list (libnfc-bin)"))
    func nfcListFindsEveryKindOfTag() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try Type2Tag(kind: .ntag213))
        reader.place(try TypeBTag(application: EchoApplication()))
        reader.place(try FeliCaTag())
        let output = compact(try await run("nfc-list", ["-v"], on: reader))
        #expect(output.contains("1ISO14443Apassivetarget(s)found"))
        #expect(output.contains("ATQA(SENS_RES):0044"))
        #expect(output.contains("UID(NFCID1):04a1b2c3d4e580"))
        #expect(output.contains("SAK(SEL_RES):00"))
        #expect(output.contains("1Felica(212kbps)passivetarget(s)found"))
        #expect(output.contains("1Felica(424kbps)passivetarget(s)found"))
        #expect(output.contains("ID(NFCID2):012e3d4c5b6a7988"))
        #expect(output.contains("1ISO14443Bpassivetarget(s)found"))
        #expect(output.contains("PUPI:b0b1b2b3"))
        for kind in ["ISO14443B'", "ISO14443B-2STSRx", "ISO14443B-2ASKCTx", "ISO14443BiClass"] {
            #expect(output.contains("0\(kind)passivetarget(s)found"), "\(kind)")
        }
        #expect(!reader.isFieldOn)
    }

    @Test(
        .enabled(if: Process.find("nfc-list") != nil, "needs nfc-list (libnfc-bin)"),
        arguments: [
            ("01020304", "000420"), ("04112233445566", "004420"),
            ("04112233445566778899", "008420"),
        ])
    func nfcListReportsUIDAndATSOfISODEPTags(uid: String, atqaAndSak: String) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let ats = hex("06 75 77 81 02 80")
        reader.place(
            try ISODEPTag(uid: .fixed(hex(uid)), ats: ats, application: EchoApplication()))
        let output = compact(try await run("nfc-list", ["-v", "-t", "1"], on: reader))
        #expect(output.contains("ATQA(SENS_RES):" + atqaAndSak.prefix(4)))
        #expect(output.contains("UID(NFCID1):" + uid))
        #expect(output.contains("SAK(SEL_RES):20"))
        #expect(output.contains("ATS:7577810280"))
        // 19 commands for the whole run (facts/pn532.md, 2.1), seen with an NTAG; an ISO-DEP tag needs no more.
        #expect(reader.statistics.totalCommands == 19)
    }

    @Test(.enabled(if: Process.find("nfc-list") != nil, "needs nfc-list (libnfc-bin)"))
    func nfcListFindsTwoTypeATags() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try MifareClassicTag())
        reader.place(try Type2Tag())
        let output = compact(try await run("nfc-list", ["-t", "1"], on: reader))
        #expect(output.contains("2ISO14443Apassivetarget(s)found"))
        #expect(output.contains("UID(NFCID1):04a1b2c3d4e580"))
        #expect(output.contains("UID(NFCID1):deadbeef"))
    }

    @Test(.enabled(if: Process.find("nfc-poll") != nil, "needs nfc-poll (libnfc-examples)"))
    func nfcPollSeesATagComeAndGo() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try MifareClassicTag()
        reader.place(tag)
        // nfc-poll asks again and again whether the tag is still there; take it away once it has done so.
        reader.trace = { [weak reader] event in
            if event.direction == .toChip, event.bytes.hex.contains("d44a0100deadbeef") {
                reader?.remove(tag)
            }
        }
        let output = compact(try await run("nfc-poll", on: reader))
        #expect(output.contains("UID(NFCID1):deadbeef"))
        #expect(output.contains("SAK(SEL_RES):08"))
        #expect(output.contains("Waitingforcardremoving"))
        #expect(output.contains("done"))
        #expect(reader.statistics.commands[0x60] == 1)
    }

    @Test(
        .enabled(if: Process.find("nfc-mfclassic") != nil, "needs nfc-mfclassic (libnfc-bin)"),
        arguments: MifareClassicKind.allCases)
    func nfcMfclassicDumpsTheWholeCard(kind: MifareClassicKind) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try MifareClassicTag(kind: kind)
        var expected = tag.memory
        for block in 1..<kind.blockCount where !kind.isTrailer(block) {
            let data = Data((0..<16).map { UInt8(truncatingIfNeeded: block * 16 + $0) })
            tag.load(data, intoBlock: block)
            expected.replaceSubrange(block * 16..<block * 16 + 16, with: data)
        }
        // The tool, told to use key A, tries its own list of keys and never learns key B: it leaves it 0.
        for block in 0..<kind.blockCount where kind.isTrailer(block) {
            expected.replaceSubrange(block * 16 + 10..<block * 16 + 16, with: Data(count: 6))
        }
        if kind == .classic4K {
            // On a 4K the tool first tries to write block 0. The card's NAK throws it out, but the tool goes on
            // without selecting it again and so wastes the first key of its list, FFFFFFFFFFFF, on the last sector.
            let key = hex("A0A1A2A3A4A5")
            tag.setKeys(a: key, sector: 39)
            expected.replaceSubrange(255 * 16..<255 * 16 + 6, with: key)
        }
        reader.place(tag)
        try await withFolder { folder in
            // "u": a card with any UID.
            let output = try await run(
                "nfc-mfclassic", ["r", "a", "u", "dump.mfd"], on: reader, in: folder)
            #expect(output.contains("Done, \(kind.blockCount) of \(kind.blockCount) blocks read"))
            let dump = try Data(contentsOf: folder.appendingPathComponent("dump.mfd"))
            #expect(dump == expected)
        }
    }

    @Test(.enabled(if: Process.find("nfc-mfclassic") != nil, "needs nfc-mfclassic (libnfc-bin)"))
    func nfcMfclassicUsesTheKeysOfAFile() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try MifareClassicTag(uid: .fixed(hex("04112233445566")))
        for sector in 0..<16 {
            let number = UInt8(sector)
            tag.setKeys(
                a: Data(repeating: 0xA0 + number, count: 6),
                b: Data(repeating: 0xB0 + number, count: 6), sector: sector)
        }
        reader.place(tag)
        try await withFolder { folder in
            try tag.memory.write(to: folder.appendingPathComponent("keys.mfd"))
            let output = try await run(
                "nfc-mfclassic", ["r", "a", "u", "dump.mfd", "keys.mfd", "f"], on: reader, in: folder)
            #expect(output.contains("Done, 64 of 64 blocks read"), "\(output)")
            let dump = try Data(contentsOf: folder.appendingPathComponent("dump.mfd"))
            #expect(dump == tag.memory)
        }
    }

    @Test(.enabled(if: Process.find("nfc-mfclassic") != nil, "needs nfc-mfclassic (libnfc-bin)"))
    func nfcMfclassicWritesACard() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try MifareClassicTag()
        reader.place(tag)
        try await withFolder { folder in
            // The tool of libnfc 1.8.0 writes only the first block of each sector, from sector 1 on.
            var image = tag.memory
            image.replaceSubrange(4 * 16..<5 * 16, with: Data(0xA0...0xAF))
            image.replaceSubrange(60 * 16..<61 * 16, with: Data(0x10...0x1F))
            try image.write(to: folder.appendingPathComponent("image.mfd"))
            _ = try await run("nfc-mfclassic", ["w", "a", "u", "image.mfd"], on: reader, in: folder)
            #expect(tag.memory == image)
        }
    }

    @Test(
        .enabled(if: Process.find("nfc-mfultralight") != nil, "needs nfc-mfultralight (libnfc-bin)"),
        arguments: [Type2Chip.ultralight, .ultralightEV1, .ntag213, .ntag215, .ntag216])
    func nfcMfultralightDumpsTheWholeTag(chip: Type2Chip) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try Type2Tag(kind: chip)
        tag.load(Data((0..<48).map { UInt8($0) }))
        reader.place(tag)
        try await withFolder { folder in
            let output = try await run("nfc-mfultralight", ["r", "dump.bin"], on: reader, in: folder)
            #expect(output.contains("Done, "), "\(output)")
            let dump = try Data(contentsOf: folder.appendingPathComponent("dump.bin"))
            // Password and PACK read back as 0 (facts/pn532.md, 7.4).
            let hidden = chip == .ultralight ? 0 : 8
            #expect(dump == tag.memory.dropLast(hidden) + Data(count: hidden))
        }
    }

    @Test(.enabled(if: Process.find("pn53x-diagnose") != nil, "needs pn53x-diagnose (libnfc-pn53x-examples)"))
    func pn53xDiagnoseIsContent() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let output = try await run("pn53x-diagnose", on: reader)
        #expect(output.contains("Communication line test: OK"), "\(output)")
        #expect(output.contains("ROM test: OK"))
        #expect(output.contains("RAM test: OK"))
    }
}

extension MifareClassicKind {
    /// Whether a block holds a sector's keys: every fourth, from 128 on every sixteenth.
    fileprivate func isTrailer(_ block: Int) -> Bool {
        block % (block < 128 ? 4 : 16) == (block < 128 ? 3 : 15)
    }
}
