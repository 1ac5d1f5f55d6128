import Bytes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A record as it stands in the bytes of a message, with its flags; a chunk counts as a record
/// here.
///
/// Layout: header, type length, payload length (1 or 4 bytes), identifier length if there is one,
/// then type, identifier, payload (NDEF 1.0, 3.2; facts/nbt.md, 6.1).
package struct WireRecord {
    /// MB: the message begins here.
    let isMessageBegin: Bool
    /// ME: the message ends here.
    private(set) var isMessageEnd: Bool
    /// CF: more chunks of this record follow.
    private(set) var isChunked: Bool
    private let typeNameFormat: UInt8
    private let type: Data
    private let identifier: Data
    private var payload: Data
    /// Where the record starts in its message, for errors.
    private let offset: Int

    /// The header's bits.
    private enum Header {
        static let messageBegin: UInt8 = 0x80
        static let messageEnd: UInt8 = 0x40
        static let chunk: UInt8 = 0x20
        static let shortRecord: UInt8 = 0x10
        static let identifierLength: UInt8 = 0x08
        static let typeNameFormat: UInt8 = 0x07
    }

    /// TNF 6: a chunk that goes on with the record before it.
    private static let unchanged: UInt8 = 6
    /// What a length of 4 bytes can say, or an Int.
    private static let longestPayload = Int(exactly: UInt32.max) ?? Int.max

    /// TNF 7: reserved, to be treated as unknown.
    private static let reserved: UInt8 = 7

    /// Reads the record at `offset`.
    init(_ reader: inout ByteReader, offset: Int) throws(NDEFError) {
        let payloadLength: UInt32
        let typeLength: Int
        let identifierLength: Int
        do throws(EndOfBytes) {
            let header = try reader.byte()
            isMessageBegin = header & Header.messageBegin != 0
            isMessageEnd = header & Header.messageEnd != 0
            isChunked = header & Header.chunk != 0
            typeNameFormat = header & Header.typeNameFormat
            typeLength = Int(try reader.byte())
            let isShort = header & Header.shortRecord != 0
            payloadLength = isShort ? UInt32(try reader.byte()) : try reader.uint32()
            let hasIdentifier = header & Header.identifierLength != 0
            identifierLength = hasIdentifier ? Int(try reader.byte()) : 0
        } catch {
            throw .truncated(offset: offset)
        }
        // On a 32-bit machine 4 bytes can name more than an Int holds.
        guard let payloadLength = Int(exactly: payloadLength) else {
            throw .recordTooLong(offset: offset)
        }
        do throws(EndOfBytes) {
            type = try reader.bytes(typeLength)
            identifier = try reader.bytes(identifierLength)
            payload = try reader.bytes(payloadLength)
        } catch {
            throw .truncated(offset: offset)
        }
        self.offset = offset
        guard !(isChunked && isMessageEnd) else { throw .misplacedMessageEnd(offset: offset) }
    }

    /// Takes over the next chunk of this record (NDEF 1.0, 2.3.3).
    mutating func append(_ chunk: WireRecord) throws(NDEFError) {
        guard !chunk.isMessageBegin else { throw .misplacedMessageBegin(offset: chunk.offset) }
        let goesOn = chunk.typeNameFormat == Self.unchanged
        guard goesOn, chunk.type.isEmpty, chunk.identifier.isEmpty else {
            throw .brokenChunk(offset: chunk.offset)
        }
        payload.append(chunk.payload)
        isChunked = chunk.isChunked
        isMessageEnd = chunk.isMessageEnd
    }

    /// The record, when all its chunks have been taken over.
    func record() throws(NDEFError) -> NDEFRecord {
        if typeNameFormat == Self.reserved {
            return try NDEFRecord(
                typeNameFormat: .unknown,
                type: Data(),
                identifier: identifier,
                payload: payload,
                offset: offset
            )
        }
        // TNF 6 here is a chunk without a beginning.
        guard let format = NDEFRecord.TypeNameFormat(rawValue: typeNameFormat) else {
            throw .brokenChunk(offset: offset)
        }
        return try NDEFRecord(
            typeNameFormat: format,
            type: type,
            identifier: identifier,
            payload: payload,
            offset: offset
        )
    }

    /// A record that has been checked.
    init(_ record: NDEFRecord, isMessageBegin: Bool, isMessageEnd: Bool) {
        self.isMessageBegin = isMessageBegin
        self.isMessageEnd = isMessageEnd
        isChunked = false
        typeNameFormat = record.typeNameFormat.rawValue
        type = record.type
        identifier = record.identifier
        payload = record.payload
        offset = 0
    }

    /// A record of any fields that can be written, whether they make sense or not.
    ///
    /// - Throws: `typeTooLong` or `identifierTooLong`.
    package init(
        typeNameFormat: UInt8,
        type: Data,
        identifier: Data,
        payload: Data,
        isMessageBegin: Bool,
        isMessageEnd: Bool
    ) throws(NDEFError) {
        guard type.count <= 255 else { throw .typeTooLong(count: type.count) }
        guard identifier.count <= 255 else { throw .identifierTooLong(count: identifier.count) }
        self.isMessageBegin = isMessageBegin
        self.isMessageEnd = isMessageEnd
        isChunked = false
        self.typeNameFormat = typeNameFormat & Header.typeNameFormat
        self.type = type
        self.identifier = identifier
        self.payload = payload
        offset = 0
    }

    /// Writes the record, in chunks if its payload is longer than a chunk.
    ///
    /// - Parameters:
    ///   - bytes: what the record is added to.
    ///   - chunkSize: bytes of payload in a chunk, at least 1; nil for no chunks but those that a length of 4 bytes makes
    ///     necessary.
    package func append(to bytes: inout Data, chunkSize: Int?) {
        let size = min(chunkSize ?? Self.longestPayload, Self.longestPayload)
        var rest = payload
        var isFirst = true
        repeat {
            let chunk = rest.prefix(size)
            rest = rest.dropFirst(size)
            append(chunk, isFirst: isFirst, isLast: rest.isEmpty, to: &bytes)
            isFirst = false
        } while !rest.isEmpty
    }

    /// Writes a chunk, with a 1-byte payload length where it fits.
    private func append(_ chunk: Data, isFirst: Bool, isLast: Bool, to bytes: inout Data) {
        let isShort = chunk.count <= 255
        let hasIdentifier = isFirst && !identifier.isEmpty
        var header = isFirst ? typeNameFormat : Self.unchanged
        if isFirst && isMessageBegin { header |= Header.messageBegin }
        if isLast && isMessageEnd { header |= Header.messageEnd }
        if !isLast { header |= Header.chunk }
        if isShort { header |= Header.shortRecord }
        if hasIdentifier { header |= Header.identifierLength }
        bytes.append(header)
        bytes.append(isFirst ? UInt8(truncatingIfNeeded: type.count) : 0)
        for shift in isShort ? [0] : [24, 16, 8, 0] {
            bytes.append(UInt8(truncatingIfNeeded: chunk.count >> shift))
        }
        if hasIdentifier { bytes.append(UInt8(truncatingIfNeeded: identifier.count)) }
        if isFirst { bytes.append(type) }
        if hasIdentifier { bytes.append(identifier) }
        bytes.append(chunk)
    }
}
