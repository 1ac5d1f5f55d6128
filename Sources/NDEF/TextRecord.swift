import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A text record, the well-known type "T" (RTD Text 1.0).
///
/// The payload is a status byte (80: UTF-16, 3F: length of the language code), the language code in
/// ASCII, and the text.
public struct TextRecord: Sendable, Hashable {
    /// The record type.
    public static let type = "T"

    /// The text, which comes from a tag: do not trust it.
    public let text: String
    /// The language code, as "en" or "fr-CA": ASCII, up to 63 characters.
    public let language: String

    /// Makes a text record.
    ///
    /// - Throws: `malformedPayload` for a language code that is not ASCII or longer than 63
    ///   characters.
    public init(text: String, language: String) throws(NDEFError) {
        guard language.utf8.count <= 63 else {
            throw Self.malformed("the language code is longer than 63 characters")
        }
        guard language.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw Self.malformed("the language code is not ASCII")
        }
        self.text = text
        self.language = language
    }

    /// Decodes a record.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for a missing status byte, a reserved bit
    ///   in it, a language code that is cut or not ASCII, or text that is not valid in its
    ///   encoding.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.isWellKnown(Self.type) else { throw .unexpectedType(expected: Self.type) }
        var reader = ByteReader(record.payload)
        guard let status = try? reader.byte() else { throw Self.malformed("the payload is empty") }
        guard status & 0x40 == 0 else {
            throw Self.malformed("status byte \(status.hex) is reserved")
        }
        guard let code = try? reader.bytes(Int(status & 0x3F)),
            let language = String(validating: code, as: UTF8.self)
        else { throw Self.malformed("the language code is cut or not ASCII") }
        let isUTF16 = status & 0x80 != 0
        let bytes = reader.rest()
        let text = isUTF16 ? Self.utf16(bytes) : String(validating: bytes, as: UTF8.self)
        guard let text else {
            throw Self.malformed("the text is not \(isUTF16 ? "UTF-16" : "UTF-8")")
        }
        try self.init(text: text, language: language)
    }

    /// The record, with its text in UTF-8.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            let code = Data(language.utf8)
            return try NDEFRecord(
                typeNameFormat: .wellKnown,
                type: Data(Self.type.utf8),
                payload: Data([UInt8(truncatingIfNeeded: code.count)]) + code + Data(text.utf8)
            )
        }
    }

    /// UTF-16 is big-endian unless a byte order mark says otherwise; the mark is no part of the
    /// text.
    private static func utf16(_ bytes: Data) -> String? {
        var reader = ByteReader(bytes)
        var units: [UInt16] = []
        while !reader.isAtEnd {
            guard let unit = try? reader.uint16() else { return nil }
            units.append(unit)
        }
        switch units.first {
        case 0xFEFF: units.removeFirst()
        case 0xFFFE: units = units.dropFirst().map(\.byteSwapped)
        default: break
        }
        return String(validating: units, as: UTF16.self)
    }

    private static func malformed(_ problem: String) -> NDEFError {
        .malformedPayload(type: type, problem: problem)
    }
}
