import Bytes
import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// NDEF on type 3 tags (NFC Forum Type 3 Tag 1.0).
@Suite(.serialized) struct NDEFType3Tests {
    /// The URI record for http://www.nfc.com (RTD URI 1.0, A.1).
    private static let uriMessage = hex("d1010855016e66632e636f6d")

    private func withTag(
        _ tag: FeliCaTag,
        systemCode: String = "12FC",
        _ body: (Bench, any NFCFeliCaTag) async throws -> Void
    ) async throws {
        try await withBench(
            [tag],
            pollingOption: .iso18092,
            configure: { $0.feliCaSystemCodes = [systemCode] }
        ) { bench in
            try await body(bench, try await bench.client.nextTags().feliCa)
        }
    }

    /// Block 0 of 16 bytes: its first 14, and their sum.
    private func withSum(_ bytes: String) -> Data {
        let sum = hex(bytes).reduce(0) { $0 + UInt16($1) }
        return hex(bytes) + [UInt8(sum >> 8), UInt8(sum & 0xFF)]
    }

    @Test("A message is read, also on a card that was found by another of its systems")
    func reads() async throws {
        let memory = try Type3Memory(ndefMessage: Self.uriMessage)
        for system in ["12FC", "0003"] {
            let tag = try FeliCaTag(systemCodes: [0x0003, 0x12FC], memory: memory)
            try await withTag(tag, systemCode: system) { _, tag in
                let (status, capacity) = try await tag.queryNDEFStatus()
                #expect(status == .readWrite)
                #expect(capacity == 64 * 16)
                let message = try await tag.readNDEF()
                #expect(message.encoded == Self.uriMessage)
            }
        }
    }

    @Test("Block 0 is what it says: Nbr 4, Nbw 1, Nmaxb 64, Ln 12, and the sum of all")
    func attributes() throws {
        let memory = try Type3Memory(ndefMessage: Self.uriMessage)
        #expect(memory.bytes.prefix(16) == withSum("10 04 01 0040 00000000 00 01 00000C"))
    }

    @Test(
        "What block 0 says decides",
        arguments: [
            // Read-only; no writing at all; version 2; no reading; no blocks.
            ("10 04 01 0040 00000000 00 00 00000C", NFCNDEFStatus.readOnly),
            ("10 04 00 0040 00000000 00 01 00000C", .readOnly),
            ("20 04 01 0040 00000000 00 01 00000C", .notSupported),
            ("10 00 01 0040 00000000 00 01 00000C", .notSupported),
            ("10 04 01 0000 00000000 00 01 00000C", .notSupported),
        ]
    )
    func status(block: String, expected: NFCNDEFStatus) async throws {
        var memory = try Type3Memory(ndefMessage: Self.uriMessage)
        memory.load(withSum(block), intoBlock: 0)
        let tag = try FeliCaTag(memory: memory)
        try await withTag(tag) { _, client in
            let (status, _) = try await client.queryNDEFStatus()
            #expect(status == expected)
            await expect(.ndefReaderSessionErrorTagNotWritable) {
                try await client.writeNDEF(NFCNDEFMessage(records: []))
            }
            #expect(tag.memory == memory)
        }
    }

    @Test("A wrong sum, other bytes, no memory and no NFC Forum system are no NDEF")
    func notSupported() async throws {
        var memory = try Type3Memory()
        memory.load(Data(count: 16), intoBlock: 0)
        var wrongSum = try Type3Memory()
        wrongSum.load(hex("10 04 01 0040 00000000 00 01 00000C 0000"), intoBlock: 0)
        let cards = [
            try FeliCaTag(memory: memory), try FeliCaTag(memory: wrongSum), try FeliCaTag(),
        ]
        for card in cards {
            try await withTag(card) { _, client in
                let status = try? await client.queryNDEFStatus()
                #expect(status?.0 ?? .notSupported == .notSupported)
            }
        }
        let other = try FeliCaTag(systemCodes: [0x0003], memory: try Type3Memory())
        try await withTag(other, systemCode: "0003") { _, client in
            let (status, _) = try await client.queryNDEFStatus()
            #expect(status == .notSupported)
        }
    }

    @Test("A write that was not finished leaves no message; the next one mends it")
    func unfinished() async throws {
        var memory = try Type3Memory(ndefMessage: Self.uriMessage)
        memory.load(withSum("10 04 01 0040 00000000 0F 01 00000C"), intoBlock: 0)
        let tag = try FeliCaTag(memory: memory)
        try await withTag(tag) { _, client in
            await expect(.ndefReaderSessionErrorZeroLengthMessage) {
                _ = try await client.readNDEF()
            }
            let message = try #require(NFCNDEFMessage(data: Self.uriMessage))
            try await client.writeNDEF(message)
            #expect(tag.memory?.bytes.prefix(16) == withSum("10 04 01 0040 00000000 00 01 00000C"))
        }
    }

    @Test(
        "A length beyond the blocks is a tag response error; a message longer than the capacity is refused"
    )
    func tooLong() async throws {
        var memory = try Type3Memory(ndefMessage: Self.uriMessage, blockCount: 2)
        let tag = try FeliCaTag(memory: memory)
        try await withTag(tag) { _, client in
            let long = NFCNDEFPayload(
                format: .unknown,
                type: Data(),
                identifier: Data(),
                payload: Data(count: 30)
            )
            await expect(.ndefReaderSessionErrorTagSizeTooSmall) {
                try await client.writeNDEF(NFCNDEFMessage(records: [long]))
            }
            #expect(tag.memory == memory)
        }
        memory.load(withSum("10 04 01 0002 00000000 00 01 000021"), intoBlock: 0)
        try await withTag(try FeliCaTag(memory: memory)) { _, client in
            await expect(.readerTransceiveErrorTagResponseError) { _ = try await client.readNDEF() }
        }
    }

    @Test("Locking clears RWFlag and nothing else")
    func locks() async throws {
        let tag = try FeliCaTag(memory: try Type3Memory(ndefMessage: Self.uriMessage))
        let before = try #require(tag.memory)
        try await withTag(tag) { _, client in
            try await client.writeLock()
            var expected = before
            expected.load(withSum("10 04 01 0040 00000000 00 00 00000C"), intoBlock: 0)
            #expect(tag.memory == expected)
            try await client.writeLock()
            #expect(tag.memory == expected)
        }
    }
}
