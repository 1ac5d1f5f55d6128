import Bytes
import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// Messages that this package writes as others read them, and the other way round: nfcpy on tags of type 2, 3 and 4, and
/// Debian's nfc-mfultralight and nfc-read-forum-tag3.
///
/// Each tag is in the fields of two readers, one of ours and one of the peer's, that take turns. `make peers` sets
/// `NFC_SESSION_PEER_MESSAGES`, the number of messages each way; the short form is 20.
@Suite(.serialized) struct NDEFPeerTests {
    /// Messages each way with each peer.
    private static let messageCount: Int = {
        let text = ProcessInfo.processInfo.environment["NFC_SESSION_PEER_MESSAGES"]
        return text.flatMap(Int.init) ?? 20
    }()

    private static let type2Chips: [Type2Chip] = [.ultralight, .ntag213, .ntag215, .ntag216]

    /// An empty tag of a type 2 chip.
    private func makeType2(_ chip: Type2Chip) throws -> Type2Tag {
        let tag = try Type2Tag(kind: chip)
        // The first Ultralight comes without a capability container.
        if chip == .ultralight { tag.load(hex("E1100600"), fromPage: 3) }
        tag.load(hex("0300FE"))
        return tag
    }

    /// Sizes from the smallest message to the capacity: both ends, those around a longer length field, and others.
    private func sizes(
        _ count: Int,
        upTo capacity: Int,
        _ generator: inout SeededGenerator
    ) -> [Int] {
        let edges = [3, capacity, 254, 255].filter { $0 <= capacity }.prefix(count)
        return edges
            + (edges.count..<count).map { _ in Int.random(in: 3...capacity, using: &generator) }
    }

    // MARK: nfcpy

    /// Reads lines `read`, or `write` and a message, and answers with the message that is on the tag then.
    private static let script = """
        import sys
        import nfc, nfc.clf, nfc.clf.pn532, nfc.clf.transport, nfc.tag
        device = nfc.clf.pn532.init(nfc.clf.transport.TTY(sys.argv[1]))
        device._path = sys.argv[1]
        clf = nfc.clf.ContactlessFrontend()
        clf.device = device
        try:
            for line in sys.stdin:
                try:
                    target = clf.sense(nfc.clf.RemoteTarget(sys.argv[2]))
                    tag = nfc.tag.activate(clf, target)
                    words = line.split()
                    if words == ["write"] and tag.type == "Type2Tag":
                        # Its assignment of an empty message fails on these.
                        tag.format()
                    elif words[0] == "write":
                        tag.ndef.octets = bytes.fromhex("".join(words[1:]))
                    print("message", bytes(tag.ndef.octets).hex(), flush=True)
                except Exception as error:
                    print("error", repr(error), flush=True)
        finally:
            clf.close()
        """

    /// Runs `body` with nfcpy on a reader of its own.
    private func withNfcpy(
        _ tag: any VirtualTag,
        technology: String = "106A",
        _ body: (Dialogue) async throws -> Void
    ) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(tag)
        let python = try #require(Python.withNfcpy)
        let dialogue = try Dialogue(
            python,
            ["-c", Self.script, reader.path, technology],
            deadline: .seconds(120)
        )
        try await body(dialogue)
        await dialogue.end()
    }

    /// Asks nfcpy, and again when the machine was too busy for its limits of a few milliseconds.
    private func ask(_ nfcpy: Dialogue, _ line: String) async -> Data? {
        for _ in 0..<5 {
            guard let answer = await nfcpy.ask(line) else { return nil }
            let words = answer.split(separator: " ")
            if words.first == "message" {
                return words.count > 1 ? Data(hex: String(words[1])) : Data()
            }
        }
        return nil
    }

    /// Lets both write messages of many sizes in turn, and the other one read them.
    private func exchange(
        _ ours: any NFCNDEFTag,
        _ nfcpy: Dialogue,
        seed: UInt64
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        let (status, capacity) = try await ours.queryNDEFStatus()
        try #require(status == .readWrite)
        // Four kinds of type 2 tag, and types 3 and 4.
        for size in sizes((Self.messageCount + 5) / 6, upTo: capacity, &generator) {
            let message = randomMessage(ofSize: size, &generator)
            try #require(message.length == size)
            try await ours.writeNDEF(message)
            let read = await ask(nfcpy, "read")
            #expect(read == message.encoded)

            let other = try #require(randomMessage(ofSize: size, &generator).encoded)
            _ = await ask(nfcpy, "write \(other.hex)")
            let message2 = try await ours.readNDEF()
            #expect(message2.encoded == other)
        }
        _ = await ask(nfcpy, "write")
        await expect(.ndefReaderSessionErrorZeroLengthMessage) { _ = try await ours.readNDEF() }
    }

    @Test(
        "nfcpy reads what we write on a type 2 tag, and we what it writes",
        .enabled(if: Python.withNfcpy != nil, "needs a python3 that can import nfc (make deps)"),
        arguments: type2Chips
    )
    func nfcpyOnType2(chip: Type2Chip) async throws {
        let tag = try makeType2(chip)
        try await withNfcpy(tag) { nfcpy in
            try await withBench([tag]) { bench in
                let ours = try await bench.client.nextTags().miFare
                try await exchange(ours, nfcpy, seed: UInt64(chip.pageCount))
            }
        }
    }

    @Test(
        "nfcpy reads what we write on a type 3 tag, and we what it writes",
        .enabled(if: Python.withNfcpy != nil, "needs a python3 that can import nfc (make deps)")
    )
    func nfcpyOnType3() async throws {
        // More than 255 blocks, so that the numbers of some have two bytes; 13 such ones would not fit into a frame.
        let memory = try Type3Memory(blockCount: 300, readLimit: 15, writeLimit: 12)
        let tag = try FeliCaTag(memory: memory)
        try await withNfcpy(tag, technology: "212F") { nfcpy in
            try await withFeliCa(tag) { try await exchange($0, nfcpy, seed: 3) }
        }
    }

    private func withFeliCa(
        _ tag: FeliCaTag,
        _ body: (any NFCFeliCaTag) async throws -> Void
    ) async throws {
        try await withBench(
            [tag],
            pollingOption: .iso18092,
            configure: { $0.feliCaSystemCodes = ["12FC"] }
        ) { bench in
            try await body(try await bench.client.nextTags().feliCa)
        }
    }

    @Test(
        "nfcpy reads what we write on a type 4 tag, and we what it writes",
        .enabled(if: Python.withNfcpy != nil, "needs a python3 that can import nfc (make deps)")
    )
    func nfcpyOnType4() async throws {
        let card = try Type4Application()
        try await withNfcpy(try ISODEPTag(application: card)) { nfcpy in
            try await withBench([try ISODEPTag(application: card)]) { bench in
                let ours = try await bench.client.nextTags().iso7816
                try await exchange(ours, nfcpy, seed: 4)
            }
        }
    }

    // MARK: Debian's tools

    @Test(
        "nfc-read-forum-tag3 extracts what we write",
        .enabled(if: Process.find("nfc-read-forum-tag3") != nil, "needs nfc-read-forum-tag3")
    )
    func readForumTag3() async throws {
        // As many blocks as one command reads: the tool of libnfc 1.8.0 gets the pieces of a longer message wrong.
        let tag = try FeliCaTag(memory: try Type3Memory(blockCount: 15, readLimit: 15))
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(tag)
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("nfc-session-\(UUID().uuidString).ndef")
        defer { try? FileManager.default.removeItem(at: file) }
        let tool = try #require(Process.find("nfc-read-forum-tag3"))
        var generator = SeededGenerator(seed: 33)
        try await withFeliCa(tag) { ours in
            for size in sizes((Self.messageCount + 4) / 5, upTo: 240, &generator) {
                let message = randomMessage(ofSize: size, &generator)
                try await ours.writeNDEF(message)
                _ = try await Process.run(
                    tool,
                    ["-q", "-o", file.path],
                    environment: ["LIBNFC_DEVICE": reader.connectionString]
                )
                let read = try Data(contentsOf: file)
                #expect(read == message.encoded)
            }
        }
    }

    /// nfc-mfultralight (libnfc-bin) is the only one of Debian's tools that reads or writes a message on a type 2 tag, as
    /// none does on a type 4 tag, but for those that emulate one; and it moves all pages, whatever they mean: the TLVs in its dump are read and made by the test.
    @Test(
        "nfc-mfultralight dumps what we write, and we read what it restores",
        .enabled(if: Process.find("nfc-mfultralight") != nil, "needs nfc-mfultralight"),
        arguments: type2Chips
    )
    func mfultralight(chip: Type2Chip) async throws {
        let tag = try makeType2(chip)
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(tag)
        let dump = FileManager.default.temporaryDirectory
            .appendingPathComponent("nfc-session-\(UUID().uuidString).bin")
        defer { try? FileManager.default.removeItem(at: dump) }
        let tool = try #require(Process.find("nfc-mfultralight"))
        let environment = ["LIBNFC_DEVICE": reader.connectionString]
        var generator = SeededGenerator(seed: UInt64(chip.pageCount))
        try await withBench([tag]) { bench in
            let ours = try await bench.client.nextTags().miFare
            let (_, capacity) = try await ours.queryNDEFStatus()
            for size in sizes((Self.messageCount + 3) / 4, upTo: capacity, &generator) {
                let message = randomMessage(ofSize: size, &generator)
                try await ours.writeNDEF(message)
                _ = try await Process.run(tool, ["r", dump.path], environment: environment)
                var image = try Data(contentsOf: dump)
                #expect(typeTwoMessage(in: image) == message.encoded)

                let other = try #require(randomMessage(ofSize: size, &generator).encoded)
                let length =
                    size < 0xFF
                    ? Data([UInt8(size)]) : Data([0xFF, UInt8(size >> 8), UInt8(size & 0xFF)])
                let area = hex("03") + length + other
                image.replaceSubrange(16..<16 + area.count, with: area)
                try image.write(to: dump)
                // It asks about lock bytes and the like; the end of its input means no.
                _ = try await Process.run(tool, ["w", dump.path], environment: environment)
                let read = try await ours.readNDEF()
                #expect(read.encoded == other)
            }
        }
    }
}
