#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A record of a type that somebody has defined under a domain name, as "example.com:thing" (RTD 1.0, external types).
public struct ExternalRecord: Sendable, Hashable {
    /// Domain and name with a colon between them; letters of either case are equal.
    public let type: String
    /// What is of this type.
    public let content: Data

    /// Makes a record.
    ///
    /// - Throws: `malformedPayload` for a type that is not "domain:name" in ASCII without blanks.
    public init(type: String, content: Data) throws(NDEFError) {
        let colon = type.utf8.firstIndex(of: UInt8(ascii: ":"))
        guard let colon, colon != type.startIndex, type.utf8.index(after: colon) != type.endIndex,
            type.utf8.allSatisfy(isVisibleASCII)
        else { throw .malformedPayload(type: type, problem: "this is no external type") }
        self.type = type
        self.content = Data(content)
    }

    /// Decodes a record, whatever its type is made of.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for a type that is not UTF-8.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.typeNameFormat == .external else {
            throw .unexpectedType(expected: "an external type")
        }
        guard let type = String(validating: record.type, as: UTF8.self) else {
            throw .malformedPayload(type: record.type.description, problem: "it is not UTF-8")
        }
        self.type = type
        content = record.payload
    }

    /// The record.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            try NDEFRecord(typeNameFormat: .external, type: Data(type.utf8), payload: content)
        }
    }
}
