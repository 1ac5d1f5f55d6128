import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is wrong with the bytes of a TLV structure.
public enum TlvFault: String, Sendable, Hashable {
    /// The data object ends before its tag, length or value is complete.
    case truncated = "a data object is not complete"
    /// BER knows no tag 00, and here tags have up to three bytes.
    case invalidTag = "there is no valid tag"
    /// Length 80 (indefinite) is not allowed, and more than three bytes are too many.
    case invalidLength = "there is no valid length"
}

/// A BER-TLV data object: a tag of 1 to 3 bytes, a length, a value (facts/nbt.md, 8.5).
public struct Tlv: Sendable, Hashable {
    /// The tag's bytes as one number: 6F, DF3A, DF8101.
    public let tag: UInt32
    /// The value, up to 16 MiB; not parsed further.
    public let value: Data

    /// Makes a data object.
    ///
    /// - Parameters:
    ///   - tag: the tag's bytes as one number; the caller sees to it that they are a tag.
    ///   - value: the value.
    public init(tag: UInt32, value: Data) {
        self.tag = tag
        self.value = Data(value)
    }

    /// Parses one data object after the other until the bytes end.
    ///
    /// - Throws: `NbtError.malformedTlv` with the offset of what is wrong; nothing is returned then.
    public static func parse(_ bytes: Data) throws(NbtError) -> [Tlv] {
        var reader = ByteReader(bytes)
        var objects: [Tlv] = []
        while !reader.isAtEnd {
            let offset = bytes.count - reader.remaining
            let tag = try parseTag(&reader, at: offset)
            let lengthOffset = bytes.count - reader.remaining
            let length = try parseLength(&reader, at: lengthOffset)
            guard let value = try? reader.bytes(length) else {
                throw .malformedTlv(.truncated, offset: offset)
            }
            objects.append(Tlv(tag: tag, value: value))
        }
        return objects
    }

    private static func parseTag(_ reader: inout ByteReader, at offset: Int) throws(NbtError)
        -> UInt32
    {
        guard let first = try? reader.byte() else {
            throw .malformedTlv(.truncated, offset: offset)
        }
        guard first != 0 else { throw .malformedTlv(.invalidTag, offset: offset) }
        var tag = UInt32(first)
        guard first & 0x1F == 0x1F else { return tag }
        // b8 of a following byte says that another one follows (ISO 7816-4, 5.2.2.1).
        for _ in 0..<2 {
            guard let next = try? reader.byte() else {
                throw .malformedTlv(.truncated, offset: offset)
            }
            tag = tag << 8 | UInt32(next)
            if next & 0x80 == 0 { return tag }
        }
        throw .malformedTlv(.invalidTag, offset: offset)
    }

    private static func parseLength(_ reader: inout ByteReader, at offset: Int) throws(NbtError)
        -> Int
    {
        guard let first = try? reader.byte() else {
            throw .malformedTlv(.truncated, offset: offset)
        }
        guard first >= 0x80 else { return Int(first) }
        guard (0x81...0x83).contains(first) else {
            throw .malformedTlv(.invalidLength, offset: offset)
        }
        var length = 0
        for _ in 0..<(first & 0x0F) {
            guard let next = try? reader.byte() else {
                throw .malformedTlv(.truncated, offset: offset)
            }
            length = length << 8 | Int(next)
        }
        return length
    }

    /// The length field of a value: one byte up to 7F, then 81, 82 or 83 and the length's bytes.
    ///
    /// - Throws: `NbtError.valueTooLong` for a length below 0 or from 1000000 on.
    public static func encodeLength(_ count: Int) throws(NbtError) -> Data {
        let bytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
        switch count {
        case 0..<0x80: return Data(bytes.suffix(1))
        case 0x80..<0x100: return Data([0x81] + bytes.suffix(1))
        case 0x100..<0x1_0000: return Data([0x82] + bytes.suffix(2))
        case 0x1_0000..<0x100_0000: return Data([0x83] + bytes)
        default: throw .valueTooLong(count: count, limit: 0xFF_FFFF)
        }
    }

    /// The bytes of the data object.
    ///
    /// - Throws: `NbtError.valueTooLong`.
    public func encoded() throws(NbtError) -> Data {
        let tagBytes = [16, 8, 0].map { UInt8(truncatingIfNeeded: tag >> $0) }
        let significant = tagBytes.drop { $0 == 0 }
        return Data(significant) + (try Self.encodeLength(value.count)) + value
    }
}
