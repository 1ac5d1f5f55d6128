import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An offer of carriers, the well-known type "Hr", first in its message (Connection Handover 1.2, 2.1).
///
/// The payload is the version and a message of one collision resolution record ("cr", two bytes) and alternative carriers.
public struct HandoverRequestRecord: Sendable, Hashable {
    /// The record type.
    public static let type = "Hr"

    /// The version of Connection Handover.
    public let version: HandoverVersion
    /// Decides who is the selector when both sides ask at once.
    public let collisionResolution: UInt16
    /// The carriers that are offered, preferred first.
    public let alternativeCarriers: [AlternativeCarrierRecord]

    /// Makes a record.
    public init(
        version: HandoverVersion = .v1_5,
        collisionResolution: UInt16 = .random(in: 0...UInt16.max),
        alternativeCarriers: [AlternativeCarrierRecord]
    ) {
        self.version = version
        self.collisionResolution = collisionResolution
        self.alternativeCarriers = alternativeCarriers
    }

    /// Decodes a record.
    ///
    /// Records of other types inside are passed over.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for a missing version, a payload that is no message, not exactly one
    ///   collision resolution record of two bytes, or no carrier or a malformed one.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.isWellKnown(Self.type) else { throw .unexpectedType(expected: Self.type) }
        var reader = ByteReader(record.payload)
        guard let version = try? reader.byte() else { throw Self.malformed("it has no version") }
        let records = try NDEFMessage.nested(reader.rest(), in: Self.type).records
        let numbers = records.filter { $0.isWellKnown("cr") }
        guard numbers.count == 1, let number = numbers.first, number.payload.count == 2 else {
            throw Self.malformed("it has not one collision resolution record of two bytes")
        }
        var carriers: [AlternativeCarrierRecord] = []
        for record in records where record.isWellKnown(AlternativeCarrierRecord.type) {
            carriers.append(try AlternativeCarrierRecord(record))
        }
        guard !carriers.isEmpty else { throw Self.malformed("it has no carrier") }
        self.init(
            version: HandoverVersion(rawValue: version),
            collisionResolution: number.payload.reduce(0) { $0 << 8 | UInt16($1) },
            alternativeCarriers: carriers
        )
    }

    /// The record.
    ///
    /// - Throws: `malformedPayload` when it has no carrier.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            guard !alternativeCarriers.isEmpty else { throw Self.malformed("it has no carrier") }
            let number = [
                UInt8(collisionResolution >> 8), UInt8(truncatingIfNeeded: collisionResolution),
            ]
            var records = [
                try NDEFRecord(
                    typeNameFormat: .wellKnown,
                    type: Data("cr".utf8),
                    payload: Data(number)
                )
            ]
            for carrier in alternativeCarriers { records.append(try carrier.record) }
            return try NDEFRecord(
                typeNameFormat: .wellKnown,
                type: Data(Self.type.utf8),
                payload: Data([version.rawValue]) + NDEFMessage(records: records).encoded
            )
        }
    }

    private static func malformed(_ problem: String) -> NDEFError {
        .malformedPayload(type: type, problem: problem)
    }
}
