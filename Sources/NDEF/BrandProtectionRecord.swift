#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The record in which an NBT carries its device certificate (facts/nbt.md, 3.1 and 6.5).
public struct BrandProtectionRecord: Sendable, Hashable {
    /// The external types under which tags carry it.
    ///
    /// The personalisation apps write the first, Infineon's libraries the second. Which one
    /// production chips carry is not known, so both count.
    public static let types = [
        "infineon technologies:infineon.com:nfc-bridge-tag.x509",
        "infineon.com:nfc-bridge-tag.x509",
    ]

    /// The payload, which should be an X.509 certificate in DER; it is not examined here.
    public let certificate: Data

    /// Whether a record is one of this type.
    public static func matches(_ record: NDEFRecord) -> Bool {
        types.contains(where: record.isExternal)
    }

    /// Decodes a record.
    ///
    /// - Throws: `unexpectedType` for a record of another type.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard Self.matches(record) else {
            throw .unexpectedType(expected: Self.types.joined(separator: " or "))
        }
        certificate = record.payload
    }

    /// Makes a record.
    ///
    /// - Throws: `malformedPayload` for an empty certificate.
    public init(certificate: Data) throws(NDEFError) {
        guard !certificate.isEmpty else {
            throw .malformedPayload(type: Self.types[0], problem: "the certificate is empty")
        }
        self.certificate = Data(certificate)
    }

    /// The record, under the type that the personalisation apps write.
    public var record: NDEFRecord {
        get throws(NDEFError) { try record(type: Self.types[0]) }
    }

    /// The record, under one of the two types.
    ///
    /// - Throws: `unexpectedType` for another type.
    public func record(type: String) throws(NDEFError) -> NDEFRecord {
        guard Self.types.contains(type) else {
            throw .unexpectedType(expected: Self.types.joined(separator: " or "))
        }
        return try NDEFRecord(
            typeNameFormat: .external,
            type: Data(type.utf8),
            payload: certificate
        )
    }
}
