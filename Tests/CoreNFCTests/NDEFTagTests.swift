import Bytes
import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// NDEF on type 2 and type 4 tags (facts/corenfc.md, 1.3 and 2.6; facts/pn532.md, 7.4).
@Suite(.serialized) struct NDEFTagTests {
    /// The URI record for http://www.nfc.com (RTD URI 1.0, A.1).
    private static let uriMessage = hex("d1010855016e66632e636f6d")

    private func makeMessage(ofSize size: Int) throws -> NFCNDEFMessage {
        // Header of an unknown record: 3 bytes up to a payload of 255, then 6.
        let payload = Data((0..<size - (size <= 258 ? 3 : 6)).map { UInt8(truncatingIfNeeded: $0) })
        let message = NFCNDEFMessage(records: [
            NFCNDEFPayload(format: .unknown, type: Data(), identifier: Data(), payload: payload)
        ])
        try #require(message.length == size)
        return message
    }

    private func withType2(
        _ tag: Type2Tag,
        _ body: (Bench, any NFCMiFareTag) async throws -> Void
    ) async throws {
        try await withBench([tag]) { bench in
            try await body(bench, try await bench.client.nextTags().miFare)
        }
    }

    private func withType4(
        _ card: any CardApplication,
        _ body: (any NFCISO7816Tag) async throws -> Void
    ) async throws {
        try await withBench([try ISODEPTag(application: card)]) { bench in
            try await body(try await bench.client.nextTags().iso7816)
        }
    }

    // MARK: Type 2

    @Test("A message TLV behind NULL, control and foreign TLVs is read")
    func type2Read() async throws {
        let tag = try Type2Tag()
        tag.load(hex("0103A00C34 00 FD02AABB 030C") + Self.uriMessage + hex("FE"))
        try await withType2(tag) { _, tag in
            let message = try await tag.readNDEF()
            #expect(message.encoded == Self.uriMessage)
        }
    }

    @Test("What a control TLV reserves is no part of the message")
    func type2Reserved() async throws {
        let tag = try Type2Tag()
        // Memory control: byte address 2 * 16 + 2 = 34 (page 8, byte 2), 3 bytes. The message TLV begins at 21: its value
        // at 23, eleven bytes to 33, and the twelfth behind the reserved ones, at 37.
        let area =
            hex("0203220304") + hex("030C") + Self.uriMessage.prefix(11) + hex("EEEEEE")
            + Self.uriMessage.suffix(1) + hex("FE")
        tag.load(area)
        try await withType2(tag) { _, tag in
            let message = try await tag.readNDEF()
            #expect(message.encoded == Self.uriMessage)
            let (_, capacity) = try await tag.queryNDEFStatus()
            // 144 bytes, less 5 of the control TLV, 3 reserved, 2 of the message TLV.
            #expect(capacity == 134)
        }
    }

    @Test(
        "Status and capacity follow from capability container and room",
        arguments: [
            // 144 bytes less tag and length.
            ("E1101200", "0300FE", NFCNDEFStatus.readWrite, 142),
            ("E110120F", "0300FE", .readOnly, 142),
            ("E1101200", "0103A00C340300FE", .readWrite, 137),
            // Version 2, not E1, and reading forbidden.
            ("E1201200", "0300FE", .notSupported, 0),
            ("00000000", "00000000", .notSupported, 0),
            ("E11012F0", "0300FE", .notSupported, 0),
        ]
    )
    func type2Status(
        container: String,
        area: String,
        status: NFCNDEFStatus,
        capacity: Int
    ) async throws {
        let tag = try Type2Tag()
        tag.load(hex(container), fromPage: 3)
        tag.load(hex(area))
        try await withType2(tag) { _, tag in
            let answer = try await tag.queryNDEFStatus()
            #expect(answer.0 == status)
            #expect(answer.1 == capacity)
        }
    }

    @Test(
        "On an NTAG216 the three-byte length costs four bytes of 872, or less if the message is short"
    )
    func type2LargeCapacity() async throws {
        let tag = try Type2Tag(kind: .ntag216)
        tag.load(hex("0300FE"))
        try await withType2(tag) { _, tag in
            let (_, capacity) = try await tag.queryNDEFStatus()
            #expect(capacity == 868)
        }
    }

    @Test(
        "A message of any size up to the capacity is written, and stands in the memory as it should",
        arguments: [3, 4, 100, 253, 254, 255, 256, 868]
    )
    func type2Write(size: Int) async throws {
        let tag = try Type2Tag(kind: .ntag216)
        tag.load(hex("0300FE"))
        let message = try makeMessage(ofSize: size)
        let bytes = try #require(message.encoded)
        try await withType2(tag) { _, ndefTag in
            try await ndefTag.writeNDEF(message)
            let length =
                size <= 254
                ? Data([UInt8(size)]) : Data([0xFF, UInt8(size >> 8), UInt8(size & 0xFF)])
            let expected = hex("03") + length + bytes + (size < 868 ? hex("FE") : Data())
            #expect(tag.memory.dropFirst(16).prefix(expected.count) == expected)
            let read = try await ndefTag.readNDEF()
            #expect(read.encoded == bytes)
        }
    }

    @Test("A message longer than the capacity is refused before anything is written")
    func type2TooLong() async throws {
        let tag = try Type2Tag()
        tag.load(hex("030C") + Self.uriMessage + hex("FE"))
        let before = tag.memory
        try await withType2(tag) { _, ndefTag in
            await expect(.ndefReaderSessionErrorTagSizeTooSmall) {
                try await ndefTag.writeNDEF(try makeMessage(ofSize: 143))
            }
            #expect(tag.memory == before)
        }
    }

    // Fact 2.6: NDEF read: formatted, no message
    @Test(
        "An empty tag holds no message; neither does one that is not formatted, nor can it be written"
    )
    func type2Empty() async throws {
        let empty = try Type2Tag()
        empty.load(hex("0300FE"))
        try await withType2(empty) { _, tag in
            await expect(.ndefReaderSessionErrorZeroLengthMessage) { _ = try await tag.readNDEF() }
        }
        let blank = try Type2Tag(kind: .ultralight)
        blank.load(hex("00000000"), fromPage: 3)
        try await withType2(blank) { _, tag in
            await expect(.ndefReaderSessionErrorZeroLengthMessage) { _ = try await tag.readNDEF() }
            await expect(.ndefReaderSessionErrorTagNotWritable) {
                try await tag.writeNDEF(try makeMessage(ofSize: 10))
            }
        }
    }

    @Test(
        "Nonsense in the data area is a tag response error, not a crash",
        arguments: ["03FFFFFF", "03FE", "030101FE", "0304D1010855FE", "01FF0000", "0103FFFFFF03FF"]
    )
    func type2Nonsense(area: String) async throws {
        let tag = try Type2Tag()
        tag.load(Data(repeating: 0xFF, count: 144))
        tag.load(hex(area))
        try await withType2(tag) { _, tag in
            await #expect(throws: NFCReaderError.self) { _ = try await tag.readNDEF() }
            _ = try await tag.queryNDEFStatus()
        }
    }

    // MARK: Type 4

    @Test(
        "A message of any size is read in pieces of what the tag allows",
        arguments: [3, 13, 14, 252, 253, 254, 255, 256, 257, 1000],
        [15, 0x80, 0xFF, 0x0200]
    )
    func type4Read(size: Int, maximum: UInt16) async throws {
        let message = try makeMessage(ofSize: size)
        let bytes = try #require(message.encoded)
        let card = try Type4Application(ndefMessage: bytes, maximumResponseData: maximum)
        try await withType4(card) { tag in
            let read = try await tag.readNDEF()
            #expect(read.encoded == bytes)
        }
    }

    @Test(
        "A message of any size is written in pieces of what the tag allows",
        arguments: [3, 252, 253, 300, 2046],
        [UInt16(2), 16, 0xFF, 0x0200]
    )
    func type4Write(size: Int, maximum: UInt16) async throws {
        let card = try Type4Application(ndefMessage: Self.uriMessage, maximumCommandData: maximum)
        let message = try makeMessage(ofSize: size)
        let bytes = try #require(message.encoded)
        try await withType4(card) { tag in
            try await tag.writeNDEF(message)
            let length = Data([UInt8(size >> 8), UInt8(size & 0xFF)])
            #expect(card.ndefFile.prefix(2 + size) == length + bytes)
        }
    }

    // Fact 2.6: NDEF write: read-only / failed / too small
    // Fact 2.6: NDEF read: formatted, no message
    // Fact 2.7: On an unformatted tag queryNDEFStatus
    @Test("Status, capacity and errors of type 4 tags")
    func type4Status() async throws {
        try await withType4(try Type4Application()) { tag in
            let answer = try await tag.queryNDEFStatus()
            #expect(answer.0 == .readWrite)
            #expect(answer.1 == 2046)
            await expect(.ndefReaderSessionErrorZeroLengthMessage) { _ = try await tag.readNDEF() }
            await expect(.ndefReaderSessionErrorTagSizeTooSmall) {
                try await tag.writeNDEF(try makeMessage(ofSize: 2047))
            }
        }
        try await withType4(try Type4Application(ndefMessage: Self.uriMessage, isReadOnly: true)) {
            tag in
            let (status, _) = try await tag.queryNDEFStatus()
            #expect(status == .readOnly)
            await expect(.ndefReaderSessionErrorTagNotWritable) {
                try await tag.writeNDEF(try makeMessage(ofSize: 10))
            }
        }
        try await withType4(ScriptedCard.type4) { tag in
            let (status, capacity) = try await tag.queryNDEFStatus()
            #expect(status == .notSupported)
            #expect(capacity == 0)
        }
    }

    @Test("The length is 0 before the first byte of a message and set after the last")
    func type4Order() async throws {
        // CC: version 2.0, MLe 00FF, MLc 0010 (16), file E104 of 0040 bytes, read and write free.
        let card = ScriptedCard(
            [
                ScriptedCard.selectType4: "9000",
                "00b000000f": "000f2000ff00100406e104004000009000",
            ],
            otherwise: "9000"
        )
        try await withType4(card) { tag in
            await #expect(throws: NFCReaderError.self) {
                try await tag.writeNDEF(try makeMessage(ofSize: 20))
            }
            let updates = card.commands.filter { $0.hasPrefix("00d6") }
            #expect(
                updates.map { String($0.prefix(10)) } == [
                    "00d6000002", "00d6000210", "00d6001204", "00d6000002",
                ]
            )
            #expect(updates.first == "00d60000020000")
            #expect(updates.last == "00d60000020014")
        }
    }

    // Fact 2.6: NDEF write: read-only / failed / too small
    @Test("A refused update is an update failure")
    func type4Refused() async throws {
        let card = ScriptedCard(
            [
                ScriptedCard.selectType4: "9000",
                "00b000000f": "000f2000ff00100406e104004000009000",
                "00a4000c02e103": "9000", "00a4000c02e104": "9000",
            ],
            otherwise: "6982"
        )
        try await withType4(card) { tag in
            await expect(.ndefReaderSessionErrorTagUpdateFailure) {
                try await tag.writeNDEF(try makeMessage(ofSize: 20))
            }
        }
    }

    @Test(
        "A capability container that makes no sense is not supported",
        arguments: [
            "9000", "000f9000", "000f1000ff00ff0406e104004000009000",
            "000e2000ff00ff0406e104004000009000",
            "000f20000000ff0406e104004000009000", "000f2000ff00ff0506e104004000009000",
            "000f2000ff00ff0406e104000400009000", "000f2000ff00ff0406e1040040ff009000", "6a82",
            // The file is the capability container itself, or the master file.
            "000f2000ff00ff0406e103004000009000", "000f2000ff00ff04063f00004000009000",
        ]
    )
    func type4Containers(container: String) async throws {
        let card = ScriptedCard(
            [ScriptedCard.selectType4: "9000", "00b000000f": container],
            otherwise: "9000"
        )
        try await withType4(card) { tag in
            let (status, _) = try await tag.queryNDEFStatus()
            #expect(status == .notSupported)
        }
    }

    @Test("A length beyond the file is a tag response error")
    func type4LengthBeyond() async throws {
        let card = try Type4Application(ndefMessage: Self.uriMessage)
        try card.overwriteNDEFFile(with: hex("FFFF"))
        try await withType4(card) { tag in
            await expect(.readerTransceiveErrorTagResponseError) { _ = try await tag.readNDEF() }
        }
    }
}
