import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Why a handover request could not be served, the well-known type "err" inside a handover select record (Connection
/// Handover 1.2, 2.5; facts/nbt.md, 6.3).
public struct HandoverErrorRecord: Sendable, Hashable {
    /// The record type.
    public static let type = "err"

    /// The reason, not 0.
    ///
    /// 1: out of memory for now; the data is the time to wait, one byte of milliseconds. 2: the message is too long for
    /// good; the data is the length that can be taken, four bytes. 3: a reason of the carrier's own; the time to wait, one
    /// byte of milliseconds. Others are reserved.
    public let errorReason: UInt8
    /// What belongs to the reason.
    public let errorData: Data

    /// Makes a record.
    ///
    /// - Throws: `malformedPayload` for reason 0, or data of another length than the reason has.
    public init(errorReason: UInt8, errorData: Data) throws(NDEFError) {
        guard errorReason != 0 else { throw Self.malformed("reason 0 is reserved") }
        let expected = [1: 1, 2: 4, 3: 1][errorReason]
        guard expected == nil || errorData.count == expected else {
            throw Self.malformed("reason \(errorReason) has \(errorData.count) bytes of data")
        }
        self.errorReason = errorReason
        self.errorData = Data(errorData)
    }

    /// Decodes a record.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for an empty payload, reason 0, or data of another length than the
    ///   reason has.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.isWellKnown(Self.type) else { throw .unexpectedType(expected: Self.type) }
        var reader = ByteReader(record.payload)
        guard let reason = try? reader.byte() else { throw Self.malformed("it is empty") }
        try self.init(errorReason: reason, errorData: reader.rest())
    }

    /// The record.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            try NDEFRecord(
                typeNameFormat: .wellKnown,
                type: Data(Self.type.utf8),
                payload: Data([errorReason]) + errorData
            )
        }
    }

    private static func malformed(_ problem: String) -> NDEFError {
        .malformedPayload(type: type, problem: problem)
    }
}
