import Foundation

/// The NDEF message of a type 2 tag: a TLV in the data area, which begins at page 4 (NFC Forum Type 2 Tag 1.1;
/// facts/pn532.md, 7.4).
struct Type2Store: NDEFStore {
    let isWritable: Bool
    let layout: Type2Layout
    /// What was read to find the message.
    let memory: Type2Memory

    /// The tag byte and the length, of 1 or 3 bytes, take their part of the room.
    var capacity: Int {
        let room = layout.room.count
        return room - 2 <= 254 ? max(0, room - 2) : max(254, room - 4)
    }

    static func find(_ link: TagLink) async throws(NFCReaderError) -> Type2Store? {
        var memory = Type2Memory()
        // Page 3, the capability container: E1, version 1.x, size in units of 8 bytes, read and write access.
        let magic = try await memory.byte(at: 12, link)
        let version = try await memory.byte(at: 13, link)
        let size = try await memory.byte(at: 14, link)
        let access = try await memory.byte(at: 15, link)
        guard magic == 0xE1, version >> 4 == 1, size > 0, access >> 4 == 0 else { return nil }
        let layout = try await Type2Layout(dataSize: Int(size) * 8, &memory, link)
        return Type2Store(isWritable: access & 0x0F == 0, layout: layout, memory: memory)
    }

    func read(_ link: TagLink) async throws(NFCReaderError) -> Data {
        guard layout.hasMessage else { return Data() }
        var memory = memory
        return try await layout.message(&memory, link)
    }

    /// Writes an empty message, then all pages but the one with the length, and that one last.
    func write(_ message: Data, _ link: TagLink) async throws(NFCReaderError) -> Data {
        let room = layout.room
        guard let tag = room.first, let length = room.dropFirst().first else {
            throw NFCReaderError(.ndefReaderSessionErrorTagSizeTooSmall)
        }
        var memory = memory
        for page in Set([length / 4, tag / 4]).sorted().reversed() {
            try await memory.write(page: page, [tag: 0x03, length: 0x00], link)
        }
        let bytes = Self.bytes(Self.tlv(message), in: room)
        let pages = Set(bytes.keys.map { $0 / 4 }).subtracting([length / 4])
        for page in pages.sorted() + [length / 4] {
            try await memory.write(page: page, bytes, link)
        }
        var written = Type2Memory()
        return try await layout.message(&written, link)
    }

    /// The NDEF message TLV and a terminator TLV.
    private static func tlv(_ message: Data) -> Data {
        let count = message.count
        let length: [UInt8] =
            count <= 254
            ? [UInt8(count)]
            : [0xFF, UInt8(truncatingIfNeeded: count >> 8), UInt8(truncatingIfNeeded: count)]
        return Data([0x03] + length) + message + [0xFE]
    }

    /// Where each byte goes.
    ///
    /// The last page is filled up with 00, so that it need not be read first: nothing counts after the terminator. If that
    /// has no room it is left out (NFC Forum Type 2 Tag 1.1, 2.3).
    private static func bytes(_ tlv: Data, in room: [Int]) -> [Int: UInt8] {
        let lastPage = room.prefix(tlv.count).last.map { $0 / 4 } ?? 0
        let addresses = room.prefix { $0 / 4 <= lastPage }
        return Dictionary(uniqueKeysWithValues: zip(addresses, tlv + Data(count: 3)))
    }
}
