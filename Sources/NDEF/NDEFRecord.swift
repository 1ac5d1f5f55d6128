#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One record of an NDEF message, chunks joined (facts/nbt.md, 6.1).
public struct NDEFRecord: Sendable, Hashable {
    /// How the type of a record is to be read: the TNF field.
    public enum TypeNameFormat: UInt8, Sendable, CaseIterable {
        /// No type, identifier or payload.
        case empty = 0
        /// A type of the NFC Forum, as "U" for a URI.
        case wellKnown = 1
        /// A MIME media type.
        case media = 2
        /// A URI is the type.
        case absoluteURI = 3
        /// A type of somebody's domain, as "example.com:thing".
        case external = 4
        /// No type; the reserved TNF 7 is read as this too.
        case unknown = 5
    }

    /// How `type` is to be read.
    public let typeNameFormat: TypeNameFormat
    /// The type, 0 to 255 bytes.
    public let type: Data
    /// The identifier, 0 to 255 bytes; empty means that there is none.
    public let identifier: Data
    /// The payload, up to 4294967295 bytes.
    public let payload: Data

    /// Makes a record.
    ///
    /// - Parameters:
    ///   - typeNameFormat: how `type` is to be read.
    ///   - type: at most 255 bytes; none for `empty` and `unknown`.
    ///   - identifier: at most 255 bytes; none for `empty`.
    ///   - payload: at most 4294967295 bytes; none for `empty`.
    /// - Throws: `typeTooLong`, `identifierTooLong`, `payloadTooLong`, `contentInEmptyRecord` or
    ///   `typeInUnknownRecord`.
    public init(
        typeNameFormat: TypeNameFormat,
        type: Data = Data(),
        identifier: Data = Data(),
        payload: Data = Data()
    ) throws(NDEFError) {
        try self.init(
            typeNameFormat: typeNameFormat,
            type: type,
            identifier: identifier,
            payload: payload,
            offset: 0
        )
    }

    /// Makes a record that was found at `offset` of its message.
    init(
        typeNameFormat: TypeNameFormat,
        type: Data,
        identifier: Data,
        payload: Data,
        offset: Int
    ) throws(NDEFError) {
        guard type.count <= 255 else { throw .typeTooLong(count: type.count) }
        guard identifier.count <= 255 else { throw .identifierTooLong(count: identifier.count) }
        guard UInt32(exactly: payload.count) != nil else {
            throw .payloadTooLong(count: payload.count)
        }
        switch typeNameFormat {
        case .empty where !(type.isEmpty && identifier.isEmpty && payload.isEmpty):
            throw .contentInEmptyRecord(offset: offset)
        case .unknown where !type.isEmpty:
            throw .typeInUnknownRecord(offset: offset)
        default:
            break
        }
        self.typeNameFormat = typeNameFormat
        self.type = Data(type)
        self.identifier = Data(identifier)
        self.payload = Data(payload)
    }

    /// The same record with an identifier, by which others can refer to it; of no bytes for none.
    ///
    /// - Throws: `identifierTooLong`, or `contentInEmptyRecord` for an empty record.
    public func identified(by identifier: Data) throws(NDEFError) -> NDEFRecord {
        try NDEFRecord(
            typeNameFormat: typeNameFormat,
            type: type,
            identifier: identifier,
            payload: payload
        )
    }

    /// Whether this is a well-known record of this type; the NFC Forum's types are case-sensitive.
    public func isWellKnown(_ type: String) -> Bool {
        typeNameFormat == .wellKnown && self.type == Data(type.utf8)
    }

    /// Whether this is an external record of this type; letters of either case are equal (RTD 1.0,
    /// external types).
    public func isExternal(_ type: String) -> Bool {
        typeNameFormat == .external && equalsIgnoringCase(type)
    }

    /// Whether this is a record of this media type; letters of either case are equal (RFC 2046).
    public func isMedia(_ type: String) -> Bool {
        typeNameFormat == .media && equalsIgnoringCase(type)
    }

    private func equalsIgnoringCase(_ type: String) -> Bool {
        self.type.map(lowercasedASCII) == type.utf8.map(lowercasedASCII)
    }
}

/// The byte, or the small letter for a capital one.
func lowercasedASCII(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
}
