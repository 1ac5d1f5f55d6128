import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An alternative carrier, the well-known type "ac": points at the records that say how to connect (Connection Handover
/// 1.2, 2.4; facts/nbt.md, 6.3).
///
/// It stands inside a handover record; references are the identifiers of records that follow that one in its message.
public struct AlternativeCarrierRecord: Sendable, Hashable {
    /// The record type.
    public static let type = "ac"

    /// CPS, the carrier power state.
    public enum CarrierPowerState: UInt8, Sendable, CaseIterable {
        /// Switched off.
        case inactive = 0
        /// Switched on.
        case active = 1
        /// Being switched on.
        case activating = 2
        /// Not known, as on a tag that nobody updates.
        case unknown = 3
    }

    /// Whether the carrier is switched on.
    public let powerState: CarrierPowerState
    /// The identifier of the record with the carrier's data, 1 to 255 bytes.
    public let carrierDataReference: Data
    /// The identifiers of records with more about the carrier, at most 255 of 1 to 255 bytes.
    public let auxiliaryDataReferences: [Data]

    /// Makes a record.
    ///
    /// - Throws: `malformedPayload` for a reference that is empty or longer than 255 bytes, or too many.
    public init(
        powerState: CarrierPowerState,
        carrierDataReference: Data,
        auxiliaryDataReferences: [Data] = []
    ) throws(NDEFError) {
        for reference in [carrierDataReference] + auxiliaryDataReferences {
            guard (1...255).contains(reference.count) else {
                throw Self.malformed("a reference does not have 1 to 255 bytes")
            }
        }
        guard auxiliaryDataReferences.count <= 255 else {
            throw Self.malformed("there are more than 255 auxiliary references")
        }
        self.powerState = powerState
        self.carrierDataReference = Data(carrierDataReference)
        self.auxiliaryDataReferences = auxiliaryDataReferences.map { Data($0) }
    }

    /// Decodes a record.
    ///
    /// The upper six bits of the first byte are reserved and passed over.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for one that is cut, has an empty reference or bytes left over.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.isWellKnown(Self.type) else { throw .unexpectedType(expected: Self.type) }
        var reader = ByteReader(record.payload)
        let state: UInt8
        let carrier: Data
        var others: [Data] = []
        do throws(EndOfBytes) {
            state = try reader.byte()
            carrier = try reader.bytes(Int(try reader.byte()))
            for _ in 0..<(try reader.byte()) {
                others.append(try reader.bytes(Int(try reader.byte())))
            }
        } catch {
            throw Self.malformed("it is cut")
        }
        guard reader.isAtEnd else { throw Self.malformed("bytes are left over") }
        try self.init(
            powerState: CarrierPowerState(rawValue: state & 0x03) ?? .unknown,
            carrierDataReference: carrier,
            auxiliaryDataReferences: others
        )
    }

    /// The record.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            var payload = Data([powerState.rawValue]) + Self.counted(carrierDataReference)
            payload.append(UInt8(truncatingIfNeeded: auxiliaryDataReferences.count))
            for reference in auxiliaryDataReferences { payload += Self.counted(reference) }
            return try NDEFRecord(
                typeNameFormat: .wellKnown,
                type: Data(Self.type.utf8),
                payload: payload
            )
        }
    }

    private static func counted(_ reference: Data) -> Data {
        Data([UInt8(truncatingIfNeeded: reference.count)]) + reference
    }

    private static func malformed(_ problem: String) -> NDEFError {
        .malformedPayload(type: type, problem: problem)
    }
}
