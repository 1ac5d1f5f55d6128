import Foundation
import NDEF
import TestSupport
import Testing

/// RTD Text 1.0: status byte, language code, text.
@Suite struct TextRecordTests {
    private func record(_ payload: String) throws -> NDEFRecord {
        try NDEFRecord(typeNameFormat: .wellKnown, type: Data("T".utf8), payload: hex(payload))
    }

    @Test(
        "text is read in both encodings",
        arguments: [
            ("02 656E 48656C6C6F", "en", "Hello"),
            ("05 66722D4341 C3A9", "fr-CA", "é"),
            ("00", "", ""),
            ("82 6A61 65E5672C", "ja", "日本"),  // big-endian without a mark
            ("82 6A61 FEFF65E5672C", "ja", "日本"),
            ("82 6A61 FFFEE5652C67", "ja", "日本"),
            ("82 656E D83DDE00", "en", "😀"),  // a surrogate pair
            ("82 656E", "en", ""),
        ]
    )
    func read(payload: String, language: String, text: String) throws {
        let decoded = try TextRecord(try record(payload))
        #expect(decoded.language == language)
        #expect(decoded.text == text)
    }

    @Test("text is written in UTF-8")
    func write() throws {
        let record = try TextRecord(text: "Hello", language: "en").record
        #expect(NDEFMessage(records: [record]).encoded == hex("D1010854 02656E 48656C6C6F"))
    }

    @Test(
        "a malformed payload is refused",
        arguments: [
            ("", "the payload is empty"),
            ("42 656E 41", "status byte 42 is reserved"),
            ("03 656E", "the language code is cut or not ASCII"),
            ("02 C3A9 41", "the language code is not ASCII"),
            ("02 FFFF 41", "the language code is cut or not ASCII"),
            ("02 656E FF", "the text is not UTF-8"),
            ("82 656E 00", "the text is not UTF-16"),
            ("82 656E D83D", "the text is not UTF-16"),  // half a surrogate pair
        ]
    )
    func malformed(payload: String, problem: String) {
        #expect(throws: NDEFError.malformedPayload(type: "T", problem: problem)) {
            try TextRecord(try record(payload))
        }
    }

    @Test("a language code that does not fit is refused")
    func language() throws {
        let longest = String(repeating: "a", count: 63)
        #expect(
            try TextRecord(try TextRecord(text: "", language: longest).record).language == longest
        )
        #expect(throws: NDEFError.self) { try TextRecord(text: "", language: longest + "a") }
        #expect(throws: NDEFError.self) { try TextRecord(text: "", language: "é") }
    }

    @Test("a record of another type is refused")
    func otherType() throws {
        let record = try URIRecord(uri: "http://a").record
        #expect(throws: NDEFError.unexpectedType(expected: "T")) { try TextRecord(record) }
    }
}
