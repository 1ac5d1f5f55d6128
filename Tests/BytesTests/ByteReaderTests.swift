import Bytes
import Foundation
import TestSupport
import Testing

@Suite struct ByteReaderTests {
    @Test("numbers are read big-endian, from front to back")
    func numbers() throws {
        var reader = ByteReader(hex("01 0203 04050607 08"))
        #expect(try reader.byte() == 0x01)
        #expect(try reader.uint16() == 0x0203)
        #expect(try reader.uint32() == 0x0405_0607)
        #expect(reader.remaining == 1)
        #expect(reader.peek() == 0x08)
        #expect(!reader.isAtEnd)
        #expect(reader.rest() == hex("08"))
        #expect(reader.isAtEnd)
        #expect(reader.peek() == nil)
        #expect(reader.rest().isEmpty)
    }

    @Test("the largest numbers keep their bits")
    func largestNumbers() throws {
        var reader = ByteReader(hex("FFFFFFFF FFFF FF"))
        #expect(try reader.uint32() == .max)
        #expect(try reader.uint16() == .max)
        #expect(try reader.byte() == .max)
    }

    @Test("a slice is read by its own bytes, whatever its start index")
    func slice() throws {
        let slice = hex("AABBCCDD")[2...]
        var reader = ByteReader(slice)
        #expect(reader.remaining == 2)
        #expect(try reader.uint16() == 0xCCDD)

        var second = ByteReader(slice)
        let bytes = try second.bytes(2)
        #expect(bytes == hex("CCDD"))
        // What comes out counts from zero, so that nobody trips over a slice again.
        #expect(bytes.startIndex == 0)
    }

    @Test("nothing is read beyond the end", arguments: ["", "01", "0102", "010203"])
    func end(text: String) throws {
        let bytes = hex(text)
        var whole = ByteReader(bytes)
        #expect(throws: EndOfBytes()) { try whole.uint32() }

        var reader = ByteReader(bytes)
        #expect(throws: EndOfBytes()) { try reader.bytes(bytes.count + 1) }
        // A refused read of bytes leaves them to be read.
        #expect(try reader.bytes(bytes.count) == bytes)
        #expect(throws: EndOfBytes()) { try reader.byte() }
        #expect(throws: EndOfBytes()) { try reader.uint16() }
    }

    @Test("a count that no bytes can satisfy is refused", arguments: [-1, Int.min, Int.max])
    func impossibleCount(count: Int) {
        var reader = ByteReader(hex("0102"))
        #expect(throws: EndOfBytes()) { try reader.bytes(count) }
    }

    @Test("no bytes can be read at any place")
    func noBytes() throws {
        var reader = ByteReader(Data())
        #expect(try reader.bytes(0).isEmpty)
        #expect(reader.isAtEnd)
    }
}
