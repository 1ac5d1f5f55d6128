#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A record whose type is a MIME media type (NDEF 1.0, 3.2.6).
public struct MIMERecord: Sendable, Hashable {
    /// The media type, as "text/plain": letters of either case are equal (RFC 2046).
    public let type: String
    /// What is of this type.
    public let content: Data

    /// Makes a record.
    ///
    /// - Throws: `malformedPayload` for a type that is not "type/subtype" in ASCII without blanks; parameters may follow a
    ///   semicolon.
    public init(type: String, content: Data) throws(NDEFError) {
        let parts = type.utf8.prefix { $0 != UInt8(ascii: ";") }.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isVisibleASCII) }),
            type.utf8.allSatisfy({ $0 == 0x20 || isVisibleASCII($0) })
        else { throw .malformedPayload(type: type, problem: "this is no media type") }
        self.type = type
        self.content = Data(content)
    }

    /// Decodes a record.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for a type that is none.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.typeNameFormat == .media else {
            throw .unexpectedType(expected: "a MIME type")
        }
        try self.init(type: String(decoding: record.type, as: UTF8.self), content: record.payload)
    }

    /// The record.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            try NDEFRecord(typeNameFormat: .media, type: Data(type.utf8), payload: content)
        }
    }
}

/// Whether a byte is an ASCII character that is neither a blank nor a control.
func isVisibleASCII(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte)
}
