#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The bytes ended before what was asked for.
package struct EndOfBytes: Error, Equatable {
    package init() {}
}

/// Reads bytes from front to back and never beyond their end.
///
/// Every parser of this package takes its bytes from here, so that no index is computed elsewhere. Numbers are
/// big-endian, as in ISO 7816-4 and NDEF.
package struct ByteReader {
    private let bytes: Data
    private var position: Data.Index

    /// Reads `bytes`, which may be a slice with any start index.
    package init(_ bytes: Data) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// The number of bytes not read yet.
    package var remaining: Int { bytes.endIndex - position }

    /// Whether all bytes have been read.
    package var isAtEnd: Bool { position == bytes.endIndex }

    /// The next byte without reading it, or nil at the end.
    package func peek() -> UInt8? {
        isAtEnd ? nil : bytes[position]
    }

    /// Reads one byte.
    package mutating func byte() throws(EndOfBytes) -> UInt8 {
        guard let next = peek() else { throw EndOfBytes() }
        position += 1
        return next
    }

    /// Reads a 2-byte number.
    package mutating func uint16() throws(EndOfBytes) -> UInt16 {
        let high = try byte()
        return UInt16(high) << 8 | UInt16(try byte())
    }

    /// Reads a 4-byte number.
    package mutating func uint32() throws(EndOfBytes) -> UInt32 {
        let high = try uint16()
        return UInt32(high) << 16 | UInt32(try uint16())
    }

    /// Reads `count` bytes; a negative count counts as beyond the end.
    package mutating func bytes(_ count: Int) throws(EndOfBytes) -> Data {
        guard count >= 0, count <= remaining else { throw EndOfBytes() }
        defer { position += count }
        return Data(bytes[position..<position + count])
    }

    /// Reads all that is left, which may be nothing.
    package mutating func rest() -> Data {
        defer { position = bytes.endIndex }
        return Data(bytes[position...])
    }
}
