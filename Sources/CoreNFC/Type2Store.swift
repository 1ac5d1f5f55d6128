import Foundation

/// The NDEF message of a type 2 tag: a TLV in the data area, which begins at page 4 (NFC Forum Type 2 Tag 1.1;
/// facts/pn532.md, 7.4).
struct Type2Store: NDEFStore {
    let isWritable: Bool
    /// Bytes of the data area.
    private let dataSize: Int
    private let layout: Type2Layout
    private let memory: Type2Memory

    /// The tag byte and the length, of 1 or 3 bytes, take their part of the room.
    var capacity: Int {
        let room = layout.room.count
        return room - 2 <= 254 ? max(0, room - 2) : max(254, room - 4)
    }

    static func find(_ link: TagLink) async throws(NFCReaderError) -> Type2Store? {
        var memory = Type2Memory()
        let container = try await memory.bytes(at: 12..<16, link)
        let bytes = [UInt8](container)
        // E1, version 1.x, size in units of 8 bytes, read and write access.
        guard bytes.count == 4, bytes[0] == 0xE1, bytes[1] >> 4 == 1, bytes[2] > 0,
            bytes[3] >> 4 == 0
        else { return nil }
        let dataSize = Int(bytes[2]) * 8
        let layout = try await Type2Layout(dataSize: dataSize, &memory, link)
        return Type2Store(
            isWritable: bytes[3] & 0x0F == 0,
            dataSize: dataSize,
            layout: layout,
            memory: memory
        )
    }

    func read(_ link: TagLink) async throws(NFCReaderError) -> Data {
        guard let message = try await message(link) else {
            throw NFCReaderError(.readerTransceiveErrorTagResponseError)
        }
        return message
    }

    /// What the tag holds now, which may have been written since the tag was looked at.
    private func message(_ link: TagLink) async throws(NFCReaderError) -> Data? {
        var memory = Type2Memory()
        let layout = try await Type2Layout(dataSize: dataSize, &memory, link)
        return try await layout.message(&memory, link)
    }

    /// Writes an empty message, then all pages but the one with the length, and that one last.
    func write(_ message: Data, _ link: TagLink) async throws(NFCReaderError) {
        let room = layout.room
        guard let tag = room.first, let length = room.dropFirst().first else {
            throw NFCReaderError(.ndefReaderSessionErrorTagSizeTooSmall)
        }
        var memory = memory
        for page in Set([length / 4, tag / 4]).sorted().reversed() {
            try await memory.write(page: page, [tag: 0x03, length: 0x00], link)
        }
        let bytes = Dictionary(uniqueKeysWithValues: zip(room, Self.tlv(message)))
        let pages = Set(bytes.keys.map { $0 / 4 }).subtracting([length / 4])
        for page in pages.sorted() + [length / 4] {
            try await memory.write(page: page, bytes, link)
        }
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

    /// Says read-only in the capability container and sets all lock bits; none of them can be taken back.
    func lock(_ link: TagLink) async throws(NFCReaderError) {
        var memory = memory
        try await memory.write(page: 3, [15: 0x0F], link)
        for area in layout.lockAreas {
            var bits: [Int: UInt8] = [:]
            for index in 0..<area.bits {
                bits[area.address + index / 8, default: 0] |= 1 << (index % 8)
            }
            for page in Set(bits.keys.map { $0 / 4 }).sorted() {
                try await memory.write(page: page, bits, link, sets: true)
            }
        }
        try await memory.write(page: 2, [10: 0xFF, 11: 0xFF], link)
    }
}

/// The bytes of a type 2 tag, read when they are needed, 16 at a time.
struct Type2Memory: Sendable {
    private var blocks: [Int: Data] = [:]

    /// The byte at `address`, counted from page 0 on.
    mutating func byte(at address: Int, _ link: TagLink) async throws(NFCReaderError) -> UInt8 {
        let block = try await block(address / 16, link)
        return block[address % 16]
    }

    /// The bytes at `addresses`.
    mutating func bytes(
        at addresses: Range<Int>,
        _ link: TagLink
    ) async throws(NFCReaderError) -> Data {
        var bytes = Data()
        for address in addresses { bytes.append(try await byte(at: address, link)) }
        return bytes
    }

    /// Writes those of `bytes` that lie in the page; its other bytes stay.
    ///
    /// - Parameters:
    ///   - page: the page, of 4 bytes.
    ///   - bytes: new bytes by their address.
    ///   - link: the way to the tag.
    ///   - sets: whether the new bytes are bits to set beside those that are.
    /// - Throws: `readerTransceiveErrorTagResponseError` when the tag refuses.
    mutating func write(
        page: Int,
        _ bytes: [Int: UInt8],
        _ link: TagLink,
        sets: Bool = false
    ) async throws(NFCReaderError) {
        var content = try await self.bytes(at: page * 4..<page * 4 + 4, link)
        for offset in 0..<4 {
            guard let byte = bytes[page * 4 + offset] else { continue }
            content[offset] = sets ? content[offset] | byte : byte
        }
        _ = try await link.sendMiFareCommand(Data([0xA2, UInt8(page)]) + content)
        blocks[page / 4]?.replaceSubrange(page % 4 * 4..<page % 4 * 4 + 4, with: content)
    }

    private mutating func block(_ index: Int, _ link: TagLink) async throws(NFCReaderError) -> Data
    {
        if let known = blocks[index] { return known }
        // READ takes a page number of one byte: more than the 255 pages of the largest type 2 sector do not exist.
        guard let page = UInt8(exactly: index * 4) else {
            throw NFCReaderError(.readerTransceiveErrorTagResponseError)
        }
        let block = try await link.sendMiFareCommand(Data([0x30, page]))
        guard block.count == 16 else {
            throw NFCReaderError(.readerTransceiveErrorTagResponseError)
        }
        blocks[index] = Data(block)
        return Data(block)
    }
}
