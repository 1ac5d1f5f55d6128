import Bytes
import Foundation
import NDEF
import TestSupport
import Testing

/// RTD Smart Poster 1.1.
@Suite struct SmartPosterRecordTests {
    private func record(_ records: String) throws -> NDEFRecord {
        try NDEFRecord(typeNameFormat: .wellKnown, type: Data("Sp".utf8), payload: hex(records))
    }

    /// URI http://aa; title "Hi" (en); act 01; size 00010203; type text/html; icon image/png of one byte.
    private static let parts = [
        "91010355036161", "11010554 02656E4869", "110301616374 01", "110104 73 00010203",
        "110109 74 746578742F68746D6C",
        "520901 696D6167652F706E67 89",
    ].joined()

    @Test("All parts are written and read")
    func all() throws {
        let icon = try NDEFRecord(
            typeNameFormat: .media,
            type: Data("image/png".utf8),
            payload: hex("89")
        )
        let poster = try SmartPosterRecord(
            uri: URIRecord(uri: "http://aa"),
            titles: [TextRecord(text: "Hi", language: "en")],
            action: .save,
            size: 0x0001_0203,
            mimeType: "text/html",
            icons: [icon]
        )
        #expect(try poster.record.payload == hex(Self.parts))
        #expect(try SmartPosterRecord(record(Self.parts)) == poster)
    }

    @Test("Parts come in any order, and what a reader does not know is kept")
    func order() throws {
        // A title, a media record of type a/b, the URI.
        let poster = try SmartPosterRecord(
            record("91010454 02656E41 120301612F6241 51010355036161")
        )
        #expect(poster.uri.uri == "http://aa")
        #expect(poster.others.count == 1)
        #expect(try SmartPosterRecord(poster.record) == poster)
    }

    @Test(
        "What breaks a rule is refused",
        arguments: [
            // Nothing, no URI, two URIs.
            "", "D1010554 02656E4869", "91010355036161 51010355036162",
            // Two titles in one language, two actions.
            "91010355036161 11010554 02656E4869 51010554 02454E4869",
            "91010355036161 110301616374 01 510301616374 01",
            // Action 03 and of no byte, size of three bytes, type that is not UTF-8, a message that is cut.
            "91010355036161 510301616374 03", "91010355036161 510300616374",
            "91010355036161 510103 73 000102", "91010355036161 510101 74 FF", "9101035503",
        ]
    )
    func refused(payload: String) {
        #expect(throws: NDEFError.self) { try SmartPosterRecord(record(payload)) }
    }

    @Test("A part in the wrong place is refused")
    func wrongPlace() throws {
        let uri = try URIRecord(uri: "http://aa")
        #expect(throws: NDEFError.self) {
            try SmartPosterRecord(uri: uri, icons: [uri.record])
        }
        #expect(throws: NDEFError.self) {
            try SmartPosterRecord(uri: uri, others: [uri.record])
        }
    }
}
