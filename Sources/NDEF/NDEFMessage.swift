import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An NDEF message: a sequence of records (facts/nbt.md, 6.1).
///
/// Decoding is strict: each flag must stand where NDEF 1.0 puts it, and no byte may be left over.
/// Nothing is allocated by a length that the bytes do not back, so a message costs about its own
/// size.
public struct NDEFMessage: Sendable, Hashable {
    /// The records, first to last.
    public let records: [NDEFRecord]

    /// Makes a message; one without records encodes as one empty record.
    public init(records: [NDEFRecord]) {
        self.records = records
    }

    /// Reads a message from its bytes, without the NLEN or TLV that a tag puts before it.
    ///
    /// Chunked records come out joined, the reserved TNF 7 as a record of unknown type.
    ///
    /// - Throws: `NDEFError` with the place of the fault.
    public init(encoded: Data) throws(NDEFError) {
        guard !encoded.isEmpty else { throw .noBytes }
        var reader = ByteReader(encoded)
        var records: [NDEFRecord] = []
        var isComplete = false
        while !isComplete {
            let start = encoded.count - reader.remaining
            var wire = try WireRecord(&reader, offset: start)
            guard wire.isMessageBegin == (start == 0) else {
                throw .misplacedMessageBegin(offset: start)
            }
            while wire.isChunked {
                let offset = encoded.count - reader.remaining
                try wire.append(try WireRecord(&reader, offset: offset))
            }
            records.append(try wire.record())
            isComplete = wire.isMessageEnd
        }
        guard reader.isAtEnd else {
            throw .trailingBytes(offset: encoded.count - reader.remaining)
        }
        self.records = records
    }

    /// Reads a message as it stands in the NDEF file of a type 4 tag: behind NLEN, its length in two bytes.
    ///
    /// What comes after the message is not looked at (facts/nbt.md, 1.6).
    ///
    /// - Throws: `noBytes` for NLEN 0, `truncated` when the file ends before the message does, or what is wrong with the
    ///   message; offsets count from its start.
    public init(ndefFile: Data) throws(NDEFError) {
        var reader = ByteReader(ndefFile)
        guard let length = try? reader.uint16(), let message = try? reader.bytes(Int(length)) else {
            throw .truncated(offset: 0)
        }
        try self.init(encoded: message)
    }

    /// Reads a message that is the payload of a record; none for a payload without bytes.
    ///
    /// An empty message, `D0 00 00`, has no records here.
    static func nested(_ payload: Data, in type: String) throws(NDEFError) -> NDEFMessage {
        guard !payload.isEmpty else { return NDEFMessage(records: []) }
        do throws(NDEFError) {
            let records = try NDEFMessage(encoded: payload).records
            return NDEFMessage(records: records.filter { $0.typeNameFormat != .empty })
        } catch {
            throw .malformedPayload(type: type, problem: "in the message inside it: \(error)")
        }
    }

    /// The bytes of the message, each record in one piece and as short as it can be.
    public var encoded: Data {
        encoded(chunkSize: nil)
    }

    /// The bytes of the message, with payloads over `chunkSize` bytes in chunks (NDEF 1.0, 2.3.3).
    ///
    /// It is for whoever begins to send before the length is known; on tags chunks gain nothing, and many readers do not
    /// know them.
    ///
    /// - Parameter chunkSize: bytes of payload in a chunk; 1 and more, or the message comes out in one piece.
    /// - Returns: the message.
    public func encoded(chunkSize: Int) -> Data {
        encoded(chunkSize: chunkSize > 0 ? chunkSize : nil)
    }

    private func encoded(chunkSize: Int?) -> Data {
        guard !records.isEmpty else { return Data([0xD0, 0x00, 0x00]) }
        var bytes = Data()
        for (index, record) in records.enumerated() {
            let wire = WireRecord(
                record,
                isMessageBegin: index == 0,
                isMessageEnd: index == records.count - 1
            )
            wire.append(to: &bytes, chunkSize: chunkSize)
        }
        return bytes
    }

    /// The message as it stands in the NDEF file of a type 4 tag: behind NLEN, its length in two bytes.
    ///
    /// A file is no message without records: that is NLEN 0.
    ///
    /// - Throws: `messageTooLong` for one over 65534 bytes.
    public var ndefFile: Data {
        get throws(NDEFError) {
            let message = records.isEmpty ? Data() : encoded
            guard message.count <= 0xFFFE else { throw .messageTooLong(count: message.count) }
            return Data([
                UInt8(message.count >> 8), UInt8(truncatingIfNeeded: message.count),
            ]) + message
        }
    }
}
