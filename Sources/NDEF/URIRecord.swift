import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A URI record, the well-known type "U" (RTD URI 1.0; facts/nbt.md, 6.2).
public struct URIRecord: Sendable, Hashable {
    /// The record type.
    public static let type = "U"

    /// The whole URI, prefix included; it comes from a tag, so do not open it unseen.
    public let uri: String

    /// Makes a record of a URI.
    ///
    /// - Throws: `malformedPayload` for an empty one.
    public init(uri: String) throws(NDEFError) {
        guard !uri.isEmpty else { throw Self.malformed("the URI is empty") }
        self.uri = uri
    }

    /// Decodes a record.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for a missing or reserved prefix code,
    ///   text that is not UTF-8, or an empty URI.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.isWellKnown(Self.type) else { throw .unexpectedType(expected: Self.type) }
        var reader = ByteReader(record.payload)
        guard let code = try? reader.byte() else { throw Self.malformed("the payload is empty") }
        guard let prefix = Self.prefix(code) else {
            throw Self.malformed("prefix code \(code.hex) is reserved")
        }
        guard let rest = String(validating: reader.rest(), as: UTF8.self) else {
            throw Self.malformed("the text is not UTF-8")
        }
        try self.init(uri: prefix + rest)
    }

    /// The record, with the longest prefix abbreviated.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            var code: UInt8 = 0
            var prefix = ""
            for (index, candidate) in Self.prefixes.enumerated()
            where candidate.utf8.count > prefix.utf8.count
                && uri.utf8.starts(with: candidate.utf8)
            {
                code = UInt8(truncatingIfNeeded: index)
                prefix = candidate
            }
            return try NDEFRecord(
                typeNameFormat: .wellKnown,
                type: Data(Self.type.utf8),
                payload: Data([code]) + Data(uri.utf8.dropFirst(prefix.utf8.count))
            )
        }
    }

    private static func prefix(_ code: UInt8) -> String? {
        prefixes.indices.contains(Int(code)) ? prefixes[Int(code)] : nil
    }

    private static func malformed(_ problem: String) -> NDEFError {
        .malformedPayload(type: type, problem: problem)
    }

    /// The prefixes by their code, 00 to 23.
    private static let prefixes = [
        "", "http://www.", "https://www.", "http://", "https://", "tel:", "mailto:",
        "ftp://anonymous:anonymous@", "ftp://ftp.", "ftps://", "sftp://", "smb://", "nfs://",
        "ftp://", "dav://", "news:", "telnet://", "imap:", "rtsp://", "urn:", "pop:", "sip:",
        "sips:", "tftp:", "btspp://", "btl2cap://", "btgoep://", "tcpobex://", "irdaobex://",
        "file://", "urn:epc:id:", "urn:epc:tag:", "urn:epc:pat:", "urn:epc:raw:", "urn:epc:",
        "urn:nfc:",
    ]
}
