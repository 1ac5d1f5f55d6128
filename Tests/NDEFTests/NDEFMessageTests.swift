import Foundation
import NDEF
import TestSupport
import Testing

/// Rules of facts/nbt.md, 6.1; vectors of 8.8.
@Suite struct NDEFMessageTests {
    @Test("records are written with the flags of their place (vector 109)")
    func threeRecords() throws {
        let uris = ["http://a", "http://b", "http://c"]
        let message = NDEFMessage(records: try uris.map { try URIRecord(uri: $0).record })
        #expect(message.encoded == hex("910102550361 110102550362 510102550363"))
        #expect(try NDEFMessage(encoded: message.encoded) == message)
    }

    @Test("external records are written (vectors 104 and 105)")
    func external() throws {
        let infineon = try NDEFRecord(
            typeNameFormat: .external,
            type: Data("infineon.com:nfc-test".utf8),
            payload: Data("Infineon".utf8)
        )
        #expect(
            NDEFMessage(records: [infineon]).encoded
                == hex("D41508696E66696E656F6E2E636F6D3A6E66632D74657374496E66696E656F6E")
        )
        let short = try NDEFRecord(
            typeNameFormat: .external,
            type: Data("a:b".utf8),
            identifier: hex("00"),
            payload: hex("3000")
        )
        #expect(NDEFMessage(records: [short]).encoded == hex("DC030201613A62003000"))
    }

    @Test(
        "a payload above 255 bytes takes the long form (vectors 106 and 107)",
        arguments: [(255, "D401FF41"), (256, "C4010000010041"), (65_536, "C4010001000041")]
    )
    func payloadLength(count: Int, start: String) throws {
        let record = try NDEFRecord(
            typeNameFormat: .external,
            type: Data("A".utf8),
            payload: Data(count: count)
        )
        let bytes = NDEFMessage(records: [record]).encoded
        #expect(bytes == hex(start) + Data(count: count))
        #expect(try NDEFMessage(encoded: bytes).records == [record])
    }

    @Test("a message without records is one empty record (vector 108)")
    func emptyMessage() throws {
        #expect(NDEFMessage(records: []).encoded == hex("D00000"))
        let record = try #require(try NDEFMessage(encoded: hex("D00000")).records.first)
        #expect(record.typeNameFormat == .empty)
        #expect(record.type.isEmpty && record.identifier.isEmpty && record.payload.isEmpty)
    }

    @Test("every type name format is read", arguments: NDEFRecord.TypeNameFormat.allCases)
    func typeNameFormats(format: NDEFRecord.TypeNameFormat) throws {
        let isEmpty = format == .empty
        let type = isEmpty || format == .unknown ? "" : "41"
        let payload = isEmpty ? "" : "AABB"
        let header = Data([
            0xD0 | format.rawValue, UInt8(type.count / 2), UInt8(payload.count / 2),
        ])
        let record = try #require(
            try NDEFMessage(encoded: header + hex(type) + hex(payload)).records.first
        )
        #expect(record.typeNameFormat == format)
        #expect(record.type == hex(type))
        #expect(record.payload == hex(payload))
    }

    @Test("the reserved format 7 is read as unknown, without its type")
    func reserved() throws {
        let record = try #require(
            try NDEFMessage(encoded: hex("D701014142")).records.first
        )
        #expect(record.typeNameFormat == .unknown)
        #expect(record.type.isEmpty)
        #expect(record.payload == hex("42"))
    }

    @Test("a long record with a short payload is read, and written short (vector 120)")
    func longForm() throws {
        let message = try NDEFMessage(encoded: hex("C1010000000355036161"))
        #expect(message.encoded == hex("D1010355036161"))
    }

    @Test("an identifier is read, and one of no bytes is none (vector 121)")
    func identifier() throws {
        let message = try NDEFMessage(encoded: hex("D90103015541036161"))
        #expect(message.records.first?.identifier == hex("41"))
        #expect(message.encoded == hex("D90103015541036161"))
        let empty = try NDEFMessage(encoded: hex("D90103005503 6161"))
        #expect(empty.records.first?.identifier == Data())
        #expect(empty.encoded == hex("D1010355036161"))
    }

    @Test("chunks are joined to the record they belong to")
    func chunks() throws {
        // "U" 03 "aa" in three chunks with an identifier, then a second record.
        let message = try NDEFMessage(
            encoded: hex("B901010155 41 03  36000161  16000161  510102550362")
        )
        #expect(message.records.count == 2)
        let first = try #require(message.records.first)
        #expect(first.typeNameFormat == .wellKnown)
        #expect(first.type == hex("55"))
        #expect(first.identifier == hex("41"))
        #expect(first.payload == hex("036161"))
        #expect(message.encoded == hex("9901030155 41 036161 510102550362"))
    }

    @Test("a chunked record can be the last one, and its chunks can be empty")
    func lastChunk() throws {
        let message = try NDEFMessage(encoded: hex("B1010055 360000 36000103 560000"))
        #expect(message.records.map(\.payload) == [hex("03")])
    }

    @Test("messages nested in a payload are left alone")
    func nested() throws {
        // A handover select record of facts/nbt.md, 8.8 (vector 111).
        let bytes = hex("D1020A487315D10204616301013000")
        let message = try NDEFMessage(encoded: bytes)
        #expect(message.records.map(\.type) == [hex("4873")])
        #expect(message.encoded == bytes)
    }

    @Test(
        "what breaks a rule is refused, with the place",
        arguments: [
            ("", .noBytes),
            // MB missing in the first record, set in the second.
            ("5101025503 61", .misplacedMessageBegin(offset: 0)),
            ("910102550361 D10102550362", .misplacedMessageBegin(offset: 6)),
            // No ME: nothing follows the last record.
            ("910102550361", .truncated(offset: 6)),
            ("D1", .truncated(offset: 0)),
            ("D10103550361", .truncated(offset: 0)),
            ("C10100000003550361", .truncated(offset: 0)),
            ("C101FFFFFFFF550361", .truncated(offset: 0)),
            ("D9010301550361", .truncated(offset: 0)),
            // Bytes after ME: a stray byte, and a second message (quirk D3).
            ("D101035503616199", .trailingBytes(offset: 7)),
            ("D2010361626363646566", .trailingBytes(offset: 7)),
            ("D10103550361615101025503 62", .trailingBytes(offset: 7)),
            // An empty record with type, identifier or payload (quirk D4).
            ("D0010041", .contentInEmptyRecord(offset: 0)),
            ("D8000001 41", .contentInEmptyRecord(offset: 0)),
            ("D0000161", .contentInEmptyRecord(offset: 0)),
            ("D501014142", .typeInUnknownRecord(offset: 0)),
            ("910102550361 55010141 42", .typeInUnknownRecord(offset: 6)),
            // A chunk without a beginning.
            ("D601014142", .brokenChunk(offset: 0)),
            ("D6000141", .brokenChunk(offset: 0)),
            ("910102550361 56000141", .brokenChunk(offset: 6)),
            // A chunked record that goes on with another record, a type, an identifier.
            ("B1010155 03 5101025503 62", .brokenChunk(offset: 5)),
            ("B1010155 03 56010155 61", .brokenChunk(offset: 5)),
            ("B1010155 03 5E000101 41 61", .brokenChunk(offset: 5)),
            // Chunks with ME before the last, with MB, or cut.
            ("F1010155 03", .misplacedMessageEnd(offset: 0)),
            ("B1010155 03 76000161 56000161", .misplacedMessageEnd(offset: 5)),
            ("B1010155 03 D6000161", .misplacedMessageBegin(offset: 5)),
            ("B1010155 03", .truncated(offset: 5)),
            // An empty record cannot be chunked with content.
            ("B00000 56000161", .contentInEmptyRecord(offset: 0)),
        ] as [(String, NDEFError)]
    )
    func refused(text: String, error: NDEFError) {
        #expect(throws: error) { try NDEFMessage(encoded: hex(text)) }
    }

    @Test(
        "a message cut anywhere is refused",
        arguments: [
            "910102550361 110102550362 510102550363",
            "B901010155 41 03  36000161  16000161  510102550362",
            "9101025503 61 4C030000000201 613A62 00 3000",
        ]
    )
    func truncated(text: String) throws {
        let whole = hex(text)
        #expect(throws: Never.self) { try NDEFMessage(encoded: whole) }
        for count in 0..<whole.count {
            #expect(throws: NDEFError.self) { try NDEFMessage(encoded: whole.prefix(count)) }
        }
    }

    @Test("a slice of a larger buffer is read by its own bytes")
    func slice() throws {
        let buffer = hex("000B D1010355036161 FFFF")
        #expect(try NDEFMessage(encoded: buffer[2..<9]).encoded == hex("D1010355036161"))
    }

    @Test("random bytes are refused or survive the way through records and back")
    func randomBytes() throws {
        var generator = SeededGenerator(seed: 6)
        var valid = 0
        for _ in 0..<50_000 {
            let bytes = randomMessage(using: &generator)
            guard let message = try? NDEFMessage(encoded: bytes) else { continue }
            valid += 1
            #expect(try NDEFMessage(encoded: message.encoded) == message)
        }
        // The generator is no use if nothing gets through.
        #expect(valid > 1000)
    }

    /// Records with random flags and small lengths, sometimes with a byte changed.
    private func randomMessage(using generator: inout SeededGenerator) -> Data {
        let count = Int.random(in: 1...3, using: &generator)
        var bytes = Data()
        for index in 0..<count {
            var header = UInt8.random(in: 0...7, using: &generator) | 0x10
            if index == 0 { header |= 0x80 }
            if index == count - 1 { header |= 0x40 }
            if Int.random(in: 0..<4, using: &generator) == 0 { header |= 0x20 }
            let type = UInt8.random(in: 0...1, using: &generator)
            let payload = UInt8.random(in: 0...3, using: &generator)
            bytes.append(contentsOf: [header, type, payload])
            for _ in 0..<(type + payload) { bytes.append(.random(in: 0...255, using: &generator)) }
        }
        if Bool.random(using: &generator) {
            let index = Int.random(in: 0..<bytes.count, using: &generator)
            bytes[index] = .random(in: 0...255, using: &generator)
        }
        return bytes
    }
}
