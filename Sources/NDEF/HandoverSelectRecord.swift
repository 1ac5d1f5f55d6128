import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A choice of carriers, the well-known type "Hs", first in its message: on a tag, how to connect to the thing that bears
/// it (Connection Handover 1.2, 2.2; facts/nbt.md, 6.3).
///
/// The payload is the version and a message of alternative carriers and at most one error.
public struct HandoverSelectRecord: Sendable, Hashable {
    /// The record type.
    public static let type = "Hs"

    /// The version of Connection Handover.
    public let version: HandoverVersion
    /// The carriers, preferred first.
    public let alternativeCarriers: [AlternativeCarrierRecord]
    /// Why the request could not be served.
    public let error: HandoverErrorRecord?

    /// Makes a record.
    public init(
        version: HandoverVersion = .v1_5,
        alternativeCarriers: [AlternativeCarrierRecord],
        error: HandoverErrorRecord? = nil
    ) {
        self.version = version
        self.alternativeCarriers = alternativeCarriers
        self.error = error
    }

    /// Decodes a record.
    ///
    /// One without carriers is how a device says that it has none that was asked for. Records of other types inside are
    /// passed over.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for a missing version, a payload that is no message, a carrier or
    ///   error that is malformed, or more than one error.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.isWellKnown(Self.type) else { throw .unexpectedType(expected: Self.type) }
        var reader = ByteReader(record.payload)
        guard let version = try? reader.byte() else { throw Self.malformed("it has no version") }
        let records = try NDEFMessage.nested(reader.rest(), in: Self.type).records
        var carriers: [AlternativeCarrierRecord] = []
        var errors: [HandoverErrorRecord] = []
        for record in records {
            if record.isWellKnown(AlternativeCarrierRecord.type) {
                carriers.append(try AlternativeCarrierRecord(record))
            } else if record.isWellKnown(HandoverErrorRecord.type) {
                errors.append(try HandoverErrorRecord(record))
            }
        }
        guard errors.count <= 1 else { throw Self.malformed("it has more than one error") }
        self.init(
            version: HandoverVersion(rawValue: version),
            alternativeCarriers: carriers,
            error: errors.first
        )
    }

    /// The record.
    ///
    /// - Throws: `malformedPayload` when it has neither carrier nor error: on a tag that says nothing.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            var records: [NDEFRecord] = []
            for carrier in alternativeCarriers { records.append(try carrier.record) }
            if let error { records.append(try error.record) }
            guard !records.isEmpty else { throw Self.malformed("it has no carrier and no error") }
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
