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

    /// The bytes of the message, each record in one piece and as short as it can be.
    public var encoded: Data {
        guard !records.isEmpty else { return Data([0xD0, 0x00, 0x00]) }
        var bytes = Data()
        for (index, record) in records.enumerated() {
            let wire = WireRecord(
                record,
                isMessageBegin: index == 0,
                isMessageEnd: index == records.count - 1
            )
            wire.append(to: &bytes)
        }
        return bytes
    }
}
