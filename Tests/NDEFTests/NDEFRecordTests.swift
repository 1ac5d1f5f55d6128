import Foundation
import NDEF
import TestSupport
import Testing

@Suite struct NDEFRecordTests {
    @Test("fields that no record can hold are refused")
    func tooLong() {
        #expect(throws: NDEFError.typeTooLong(count: 256)) {
            try NDEFRecord(typeNameFormat: .media, type: Data(count: 256))
        }
        #expect(throws: NDEFError.identifierTooLong(count: 256)) {
            try NDEFRecord(typeNameFormat: .unknown, identifier: Data(count: 256))
        }
    }

    @Test("the longest type and identifier are written and read")
    func longest() throws {
        let record = try NDEFRecord(
            typeNameFormat: .media,
            type: Data(repeating: 0x61, count: 255),
            identifier: Data(repeating: 0x62, count: 255),
            payload: hex("01")
        )
        let bytes = NDEFMessage(records: [record]).encoded
        #expect(bytes.prefix(4) == hex("DAFF01FF"))
        #expect(try NDEFMessage(encoded: bytes).records == [record])
    }

    @Test("an empty record holds nothing, an unknown one no type")
    func content() {
        for (type, identifier, payload) in [("41", "", ""), ("", "41", ""), ("", "", "41")] {
            #expect(throws: NDEFError.contentInEmptyRecord(offset: 0)) {
                try NDEFRecord(
                    typeNameFormat: .empty,
                    type: hex(type),
                    identifier: hex(identifier),
                    payload: hex(payload)
                )
            }
        }
        #expect(throws: NDEFError.typeInUnknownRecord(offset: 0)) {
            try NDEFRecord(typeNameFormat: .unknown, type: hex("41"))
        }
    }

    @Test("well-known types are compared exactly, and not with those of another format")
    func wellKnown() throws {
        let record = try NDEFRecord(typeNameFormat: .wellKnown, type: Data("Hs".utf8))
        #expect(record.isWellKnown("Hs"))
        #expect(!record.isWellKnown("hs"))
        #expect(!record.isWellKnown("H"))
        #expect(!record.isExternal("Hs"))
    }

    @Test("external types are compared without regard to case of ASCII letters, and no others")
    func external() throws {
        let record = try NDEFRecord(typeNameFormat: .external, type: Data("Example.com:Kind".utf8))
        #expect(record.isExternal("example.com:kind"))
        #expect(record.isExternal("EXAMPLE.COM:KIND"))
        #expect(!record.isExternal("example.com:kin"))
        #expect(!record.isWellKnown("Example.com:Kind"))
        let kelvin = try NDEFRecord(
            typeNameFormat: .external,
            type: Data("example.com:\u{212A}ind".utf8)
        )
        #expect(!kelvin.isExternal("example.com:kind"))
        // 5B and 7B differ by the same bit as upper and lower case, but are no letters.
        let bracket = try NDEFRecord(typeNameFormat: .external, type: Data("a:[".utf8))
        #expect(!bracket.isExternal("a:{"))
    }
}
