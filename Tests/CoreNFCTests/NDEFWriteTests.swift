import Bytes
import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// What a write of NDEF leaves on the tag when it is interrupted, and what it costs (facts/corenfc.md, 1.3).
@Suite(.serialized) struct NDEFWriteTests {
    /// The URI record for http://www.nfc.com (RTD URI 1.0, A.1).
    private static let uriMessage = hex("d1010855016e66632e636f6d")

    private func message(ofSize size: Int) -> NFCNDEFMessage {
        var generator = SeededGenerator(seed: UInt64(size))
        return randomMessage(ofSize: size, &generator)
    }

    /// Expects that what a reader would find after each step is `old`, then nothing, then `new`.
    private func expectNoMixture(_ states: [Data?], from old: Data?, to new: Data?) {
        let kinds = states.map { state -> Int in
            if state == old { return 0 }
            if state == nil || state == Data() { return 1 }
            return state == new ? 2 : 3
        }
        #expect(kinds == kinds.sorted() && !kinds.contains(3), "\(kinds)")
        #expect(states.last == new)
    }

    // MARK: Interrupted

    @Test(
        "After each command of a write a type 2 tag holds the old message, none, or the new one",
        arguments: [
            // No message yet: nothing at all, only a terminator, an empty message.
            (Type2Chip.ultralight, "", 46), (.ntag213, "FE", 40), (.ntag213, "0300FE", 40),
            // The length in each byte of its page.
            (.ntag213, "030CURIFE", 40), (.ntag213, "00030CURIFE", 40),
            (.ntag213, "0000030CURIFE", 40), (.ntag213, "000000030CURIFE", 40),
            (.ntag213, "0103A00C34030CURIFE", 40), (.ntag213, "030CURIFE", 3),
            // Three bytes of length, before and after.
            (.ntag216, "030CURIFE", 300), (.ntag216, "00030CURIFE", 301),
            (.ntag216, "0000030CURIFE", 302), (.ntag216, "000000030CURIFE", 303),
            (.ntag216, "03FF012CC5000001260000", 20),
            (.ntag216, "00000003FF012CC50000012600", 868 - 3),
        ]
    )
    func type2Steps(chip: Type2Chip, area: String, size: Int) async throws {
        let type2 = try Type2Tag(kind: chip)
        if chip == .ultralight { type2.load(hex("E1100600"), fromPage: 3) }
        type2.load(hex(area.replacingOccurrences(of: "URI", with: Self.uriMessage.hex)))
        let old = typeTwoMessage(in: type2.memory)
        let tag = RecordingTag(type2)
        let new = message(ofSize: size)
        try await withBench([tag]) { bench in
            let client = try await bench.client.nextTags().miFare
            _ = tag.takeSteps()
            try await client.writeNDEF(new)
        }
        let states = tag.takeSteps().map { typeTwoMessage(in: $0.memory) }
        expectNoMixture(states, from: old, to: new.encoded)
    }

    @Test(
        "After each command of a write a type 4 tag holds the old message, none, or the new one",
        arguments: [UInt16(2), 3, 16, 0xFF],
        [3, 40, 300]
    )
    func type4Steps(maximum: UInt16, size: Int) async throws {
        let card = RecordingCard(
            try Type4Application(ndefMessage: Self.uriMessage, maximumCommandData: maximum)
        )
        let new = message(ofSize: size)
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let client = try await bench.client.nextTags().iso7816
            try await client.writeNDEF(new)
        }
        let states = card.takeSteps().map { typeFourMessage(in: $0.memory) }
        expectNoMixture(states, from: Self.uriMessage, to: new.encoded)
    }

    @Test(
        "After each command of a write a type 3 tag holds the old message, none, or the new one",
        arguments: [1, 3, 13],
        [3, 40, 16, 900]
    )
    func type3Steps(writeLimit: Int, size: Int) async throws {
        let memory = try Type3Memory(ndefMessage: Self.uriMessage, writeLimit: writeLimit)
        let tag = RecordingTag(try FeliCaTag(memory: memory))
        let new = message(ofSize: size)
        try await withFeliCa(tag) { client in
            _ = tag.takeSteps()
            try await client.writeNDEF(new)
        }
        let states = tag.takeSteps().map { typeThreeMessage(in: $0.memory) }
        expectNoMixture(states, from: Self.uriMessage, to: new.encoded)
    }

    private func withFeliCa(
        _ tag: any VirtualTag,
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

    /// Writes again and again, and takes the tag away one exchange later each time, until a write comes through.
    private func interrupt(
        _ makeTag: () throws -> (any VirtualTag, () -> Data?),
        writing new: NFCNDEFMessage
    ) async throws {
        var isDone = false
        var exchange = 0
        while !isDone {
            exchange += 1
            try #require(exchange < 100)
            let (tag, message) = try makeTag()
            try await withBench([tag]) { bench in
                let client: any NFCNDEFTag =
                    switch try await bench.client.nextTags().only {
                    case .miFare(let tag): tag
                    case .iso7816(let tag): tag
                    default: throw Unexpected(events: "another tag")
                    }
                bench.reader.faults = Faults(Fault(.tagLost, .nth(exchange)))
                do {
                    try await client.writeNDEF(new)
                    isDone = true
                } catch {
                    let code = (error as? NFCReaderError)?.code
                    #expect(code == .readerTransceiveErrorTagConnectionLost, "\(error)")
                }
            }
            // What was written and not read back may be complete.
            let left = message()
            #expect([Self.uriMessage, Data(), new.encoded].contains(left), "exchange \(exchange)")
            #expect(!isDone || left == new.encoded)
        }
        // Otherwise nothing was interrupted.
        #expect(exchange > 8)
    }

    @Test("A type 2 tag that is lost at any exchange is no worse off than an empty one")
    func type2Lost() async throws {
        try await interrupt(
            {
                let tag = try Type2Tag()
                tag.load(hex("030C") + Self.uriMessage + hex("FE"))
                return (tag, { typeTwoMessage(in: tag.memory) })
            },
            writing: message(ofSize: 40)
        )
    }

    @Test("A type 4 tag that is lost at any exchange is no worse off than an empty one")
    func type4Lost() async throws {
        try await interrupt(
            {
                let card = try Type4Application(
                    ndefMessage: Self.uriMessage,
                    maximumCommandData: 32
                )
                let tag = try ISODEPTag(application: card)
                return (tag, { typeFourMessage(in: card.ndefFile) })
            },
            writing: message(ofSize: 40)
        )
    }

    @Test(
        "What is too long for the pages that commands reach is refused before anything is written",
        arguments: ["E1107E00", "E110EA00", "E110FF00"]
    )
    func beyondReach(container: String) async throws {
        let type2 = try Type2Tag(kind: .ntag216)
        type2.load(hex(container), fromPage: 3)
        type2.load(hex("030C") + Self.uriMessage + hex("FE"))
        let before = type2.memory
        let tag = RecordingTag(type2)
        try await withBench([tag]) { bench in
            let client = try await bench.client.nextTags().miFare
            // Pages 4 to 255, less the tag byte and three bytes of length.
            let (status, capacity) = try await client.queryNDEFStatus()
            #expect(status == .readWrite)
            #expect(capacity == 252 * 4 - 4)
            for size in [252 * 4 - 3, 1500] {
                await expect(.ndefReaderSessionErrorTagSizeTooSmall) {
                    try await client.writeNDEF(message(ofSize: size))
                }
            }
            #expect(!tag.takeSteps().contains { $0.command.hasPrefix("a2") })
            #expect(type2.memory == before)
            let read = try await client.readNDEF()
            #expect(read.encoded == Self.uriMessage)
        }
    }

    // MARK: What it costs

    @Test("On a type 2 tag nothing is read twice, and nothing written that is there")
    func type2Commands() async throws {
        let type2 = try Type2Tag()
        type2.load(hex("030C") + Self.uriMessage + hex("FE"))
        let tag = RecordingTag(type2)
        try await withBench([tag]) { bench in
            let client = try await bench.client.nextTags().miFare
            _ = tag.takeSteps()
            func commands() -> [String] { tag.takeSteps().map { String($0.command.prefix(4)) } }

            _ = try await client.queryNDEFStatus()
            // Pages 3 to 6: the capability container and the first 12 bytes of the data area.
            #expect(commands() == ["3003"])
            _ = try await client.readNDEF()
            #expect(commands() == ["3003", "3007"])
            // 23 bytes: length 0, then pages 5 to 9, page 4 with the length, and all of it read back.
            try await client.writeNDEF(message(ofSize: 20))
            #expect(
                commands() == [
                    "3003", "a204", "a205", "a206", "a207", "a208", "a209", "a204", "3004", "3008",
                ]
            )
        }
    }

    @Test("On a type 3 tag one read tells its state, and blocks come as many at once as it allows")
    func type3Commands() async throws {
        let memory = try Type3Memory(ndefMessage: Self.uriMessage, readLimit: 4, writeLimit: 2)
        let tag = RecordingTag(try FeliCaTag(memory: memory))
        try await withFeliCa(tag) { client in
            _ = tag.takeSteps()
            // Behind the IDm: one service, 0B00 or 0900, and the list of blocks.
            func commands() -> [String] {
                tag.takeSteps().map { String($0.command.dropFirst(20).prefix(20)) }
            }
            let attributes = "010b00018000"
            _ = try await client.queryNDEFStatus()
            #expect(commands() == [attributes])
            _ = try await client.readNDEF()
            #expect(commands() == [attributes, "010b00018001"])
            // 80 bytes are five blocks: the state, two, two and one of them, the state, and all read back.
            try await client.writeNDEF(message(ofSize: 80))
            let sent = commands()
            let expected = [
                attributes, "010900018000", "0109000280018002", "0109000280038004", "010900018005",
                "010900018000", attributes, "010b00048001800280038004".prefix(20).description,
                "010b00018005",
            ]
            #expect(
                sent.count == expected.count && zip(sent, expected).allSatisfy { $0.hasPrefix($1) },
                "\(sent)"
            )
        }
    }

    @Test("On a type 4 tag nothing is selected twice in a row")
    func type4Commands() async throws {
        let card = RecordingCard(try Type4Application(ndefMessage: Self.uriMessage))
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let client = try await bench.client.nextTags().iso7816
            _ = card.takeSteps()
            let find = ["00a4040007", "00a4000c02e103", "00b000000f"]
            func expect(_ commands: [String]) {
                let sent = card.takeSteps().map(\.command)
                #expect(
                    sent.count == commands.count
                        && zip(sent, commands).allSatisfy { $0.hasPrefix($1) },
                    "\(sent)"
                )
            }
            _ = try await client.queryNDEFStatus()
            expect(find)
            _ = try await client.readNDEF()
            expect(find + ["00a4000c02e104", "00b00000ff"])
            try await client.writeNDEF(message(ofSize: 20))
            expect(
                find + [
                    "00a4000c02e104", "00d60000020000", "00d6000214", "00d60000020014",
                    "00b00000ff",
                ]
            )
        }
    }
}
