import Foundation
import NDEF
import TestSupport
import Testing

/// Vectors 96 to 102 and 118 to 121 of facts/nbt.md, 8.8.
@Suite struct URIRecordTests {
    @Test(
        "a URI is written with its longest prefix and read back",
        arguments: [
            ("http://www.infineon.com", "D1010D5501696E66696E656F6E2E636F6D"),
            ("https://www.infineon.com", "D1010D5502696E66696E656F6E2E636F6D"),
            ("https://infineon.com/a", "D1010F5504696E66696E656F6E2E636F6D2F61"),
            ("tel:+49", "D1010455052B3439"),
            ("mailto:a@b", "D101045506614062"),
            ("urn:epc:id:1", "D10102551E31"),
            ("urn:nfc:x", "D10102552378"),
            ("urn:x", "D10102551378"),
            ("HTTP://x", "D101095500485454503A2F2F78"),
            ("btl2cap://00", "D1010355193030"),
            ("http://aa", "D1010355036161"),
            ("http://www.", "D101015501"),
        ]
    )
    func vectors(uri: String, bytes: String) throws {
        let record = try URIRecord(uri: uri).record
        #expect(NDEFMessage(records: [record]).encoded == hex(bytes))
        let read = try #require(try NDEFMessage(encoded: hex(bytes)).records.first)
        #expect(try URIRecord(read).uri == uri)
    }

    /// facts/nbt.md, 6.2.
    static let prefixes: [(UInt8, String)] = [
        (0x01, "http://www."), (0x02, "https://www."), (0x03, "http://"), (0x04, "https://"),
        (0x05, "tel:"), (0x06, "mailto:"), (0x07, "ftp://anonymous:anonymous@"),
        (0x08, "ftp://ftp."), (0x09, "ftps://"), (0x0A, "sftp://"), (0x0B, "smb://"),
        (0x0C, "nfs://"), (0x0D, "ftp://"), (0x0E, "dav://"), (0x0F, "news:"),
        (0x10, "telnet://"), (0x11, "imap:"), (0x12, "rtsp://"), (0x13, "urn:"), (0x14, "pop:"),
        (0x15, "sip:"), (0x16, "sips:"), (0x17, "tftp:"), (0x18, "btspp://"),
        (0x19, "btl2cap://"), (0x1A, "btgoep://"), (0x1B, "tcpobex://"), (0x1C, "irdaobex://"),
        (0x1D, "file://"), (0x1E, "urn:epc:id:"), (0x1F, "urn:epc:tag:"), (0x20, "urn:epc:pat:"),
        (0x21, "urn:epc:raw:"), (0x22, "urn:epc:"), (0x23, "urn:nfc:"),
    ]

    @Test("each prefix has its code", arguments: prefixes)
    func prefix(code: UInt8, prefix: String) throws {
        let payload = Data([code] + "x".utf8)
        let record = try NDEFRecord(
            typeNameFormat: .wellKnown,
            type: Data("U".utf8),
            payload: payload
        )
        #expect(try URIRecord(record).uri == prefix + "x")
        #expect(try URIRecord(uri: prefix + "x").record.payload == payload)
    }

    @Test("text beyond ASCII survives")
    func unicode() throws {
        let uri = "https://exämple.org/日本\u{301}"
        #expect(try URIRecord(try URIRecord(uri: uri).record).uri == uri)
    }

    @Test(
        "a malformed payload is refused",
        arguments: [
            ("", "the payload is empty"),
            ("24", "prefix code 24 is reserved"),
            ("FF6161", "prefix code ff is reserved"),
            ("0003FF", "the text is not UTF-8"),
            ("03C3", "the text is not UTF-8"),
            ("00", "the URI is empty"),
        ]
    )
    func malformed(payload: String, problem: String) throws {
        let record = try NDEFRecord(
            typeNameFormat: .wellKnown,
            type: Data("U".utf8),
            payload: hex(payload)
        )
        #expect(throws: NDEFError.malformedPayload(type: "U", problem: problem)) {
            try URIRecord(record)
        }
    }

    @Test(
        "a record of another type is refused, also an external \"U\" (quirk D1)",
        arguments: ["D4010355036161", "D1010354036161", "D1010375036161", "D00000"]
    )
    func otherType(text: String) throws {
        let record = try #require(try NDEFMessage(encoded: hex(text)).records.first)
        #expect(throws: NDEFError.unexpectedType(expected: "U")) { try URIRecord(record) }
    }

    @Test("an empty URI cannot be written")
    func empty() {
        #expect(throws: NDEFError.malformedPayload(type: "U", problem: "the URI is empty")) {
            try URIRecord(uri: "")
        }
    }
}
