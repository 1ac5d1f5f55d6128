import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A data object as PERSONALIZE DATA and the configurator carry it: a tag of two bytes, a length of
/// one byte up to FE or else FF and two bytes, a value (facts/nbt.md, 2.6 and 2.7).
public struct DgiTlv: Sendable, Hashable {
    /// The tag: a DGI such as A002, or a configuration tag such as C030.
    public let tag: UInt16
    /// The value, up to 65535 bytes.
    public let value: Data

    /// Makes a data object; whether its value is short enough shows when it is encoded.
    public init(tag: UInt16, value: Data) {
        self.tag = tag
        self.value = Data(value)
    }

    /// Parses one data object after the other until the bytes end.
    ///
    /// - Throws: `NbtError.malformedTlv` with the offset of what is wrong.
    public static func parse(_ bytes: Data) throws(NbtError) -> [DgiTlv] {
        var reader = ByteReader(bytes)
        var objects: [DgiTlv] = []
        while !reader.isAtEnd {
            let offset = bytes.count - reader.remaining
            do throws(EndOfBytes) {
                let tag = try reader.uint16()
                let first = try reader.byte()
                let length = first == 0xFF ? Int(try reader.uint16()) : Int(first)
                objects.append(DgiTlv(tag: tag, value: try reader.bytes(length)))
            } catch {
                throw .malformedTlv(.truncated, offset: offset)
            }
        }
        return objects
    }

    /// The length field of a value: one byte up to FE, else FF and two bytes.
    ///
    /// - Throws: `NbtError.valueTooLong` for a length below 0 or above FFFF.
    public static func encodeLength(_ count: Int) throws(NbtError) -> Data {
        guard let length = UInt16(exactly: count) else {
            throw .valueTooLong(count: count, limit: 0xFFFF)
        }
        let bytes = length.bigEndianBytes
        return count < 0xFF ? Data(bytes.suffix(1)) : Data([0xFF]) + bytes
    }

    /// The bytes of the data object.
    ///
    /// - Throws: `NbtError.valueTooLong`.
    public func encoded() throws(NbtError) -> Data {
        tag.bigEndianBytes + (try Self.encodeLength(value.count)) + value
    }
}

extension UInt16 {
    /// The two bytes, the high one first.
    var bigEndianBytes: Data {
        Data([UInt8(truncatingIfNeeded: self >> 8), UInt8(truncatingIfNeeded: self)])
    }
}
