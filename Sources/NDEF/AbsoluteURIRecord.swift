#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A record whose type is a URI: that of the definition which its payload follows (NDEF 1.0, 3.2.6).
///
/// It is not the way to put a link on a tag, though some do: that is `URIRecord`.
public struct AbsoluteURIRecord: Sendable, Hashable {
    /// The URI, at most 255 bytes of UTF-8; it comes from a tag, so do not open it unseen.
    public let uri: String
    /// What the URI's definition describes; often nothing.
    public let content: Data

    /// Makes a record.
    ///
    /// - Throws: `malformedPayload` for a URI without a scheme, as "example:".
    public init(uri: String, content: Data = Data()) throws(NDEFError) {
        // RFC 3986, 3.1.
        let scheme = uri.utf8.prefix { $0 != UInt8(ascii: ":") }
        guard scheme.count < uri.utf8.count, let first = scheme.first,
            (0x61...0x7A).contains(first | 0x20), scheme.allSatisfy(Self.isSchemeCharacter)
        else { throw .malformedPayload(type: uri, problem: "this is no absolute URI") }
        self.uri = uri
        self.content = Data(content)
    }

    /// Decodes a record.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for a type that is no URI in UTF-8.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.typeNameFormat == .absoluteURI else {
            throw .unexpectedType(expected: "an absolute URI")
        }
        guard let uri = String(validating: record.type, as: UTF8.self) else {
            throw .malformedPayload(type: "absolute URI", problem: "it is not UTF-8")
        }
        try self.init(uri: uri, content: record.payload)
    }

    /// The record.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            try NDEFRecord(typeNameFormat: .absoluteURI, type: Data(uri.utf8), payload: content)
        }
    }

    private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }
}
