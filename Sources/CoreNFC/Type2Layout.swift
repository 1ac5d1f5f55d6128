import Foundation

/// Where things are in the data area of a type 2 tag: what the TLVs up to the message's say (NFC Forum Type 2 Tag 1.1,
/// 2.3).
///
/// Addresses count bytes from page 0 on.
struct Type2Layout: Sendable {
    /// Where the message's TLV begins, or can begin; nil when the data area is full of other things.
    let start: Int?
    /// Whether there is a message TLV at `start`.
    let hasMessage: Bool
    /// Where lock control TLVs say that dynamic lock bits are.
    let lockAreas: [LockArea]
    /// The first address behind the data area, or behind what can be addressed of it.
    let end: Int
    /// Where the data area begins: behind UID, static lock bits and capability container.
    static let dataStart = 16
    private let reserved: Set<Int>

    /// Dynamic lock bits.
    struct LockArea: Sendable, Equatable {
        let address: Int
        let bits: Int
    }

    /// The addresses that the message's TLV and what follows may use, in order.
    var room: [Int] {
        guard let start else { return [] }
        return (start..<end).filter { !reserved.contains($0) }
    }

    /// Walks through the TLVs, up to the message or the end.
    init(dataSize: Int, _ memory: inout Type2Memory, _ link: TagLink) async throws(NFCReaderError) {
        let end = min(Self.dataStart + dataSize, Type2Memory.size)
        var cursor = Type2Cursor(from: Self.dataStart, to: end, reserved: [])
        var start: Int?
        var hasMessage = false
        var lockAreas: [LockArea] = []
        walk: while let address = cursor.peek() {
            switch try await cursor.byte(&memory, link) {
            case 0x00:
                // Free, if nothing else follows.
                start = start ?? address
            case 0xFE:
                start = start ?? address
                break walk
            case 0x03:
                start = address
                hasMessage = true
                break walk
            case let tag:
                start = nil
                let value = try await cursor.value(&memory, link)
                // 01 says where lock bits are, 02 where bytes are that belong to nobody.
                guard let value, let tag, tag <= 0x02,
                    let area = ControlArea(value, countsBits: tag == 0x01)
                else { continue }
                cursor.reserved.formUnion(area.address..<area.address + area.byteCount)
                if tag == 0x01 {
                    lockAreas.append(LockArea(address: area.address, bits: area.size))
                }
            }
        }
        self.start = start
        self.hasMessage = hasMessage
        self.end = end
        reserved = cursor.reserved
        self.lockAreas = lockAreas
    }

    /// Reads the message from the TLV at `start`.
    ///
    /// - Throws: `readerTransceiveErrorTagResponseError` when there is no message TLV, or its length goes beyond the data
    ///   area.
    func message(
        _ memory: inout Type2Memory,
        _ link: TagLink
    ) async throws(NFCReaderError) -> Data {
        guard let start else { throw NFCReaderError(.readerTransceiveErrorTagResponseError) }
        var cursor = Type2Cursor(from: start, to: end, reserved: reserved)
        guard try await cursor.byte(&memory, link) == 0x03,
            let message = try await cursor.value(&memory, link)
        else { throw NFCReaderError(.readerTransceiveErrorTagResponseError) }
        return message
    }
}

/// The value of a lock or memory control TLV: position, size, and the size of the pages that the position counts.
private struct ControlArea {
    let address: Int
    /// In bits for a lock control TLV, in bytes for a memory control TLV; 0 stands for 256.
    let size: Int
    let byteCount: Int

    init?(_ value: Data, countsBits: Bool) {
        let bytes = [UInt8](value)
        guard bytes.count == 3 else { return nil }
        let pageSize = 1 << Int(bytes[2] & 0x0F)
        address = Int(bytes[0] >> 4) * pageSize + Int(bytes[0] & 0x0F)
        size = bytes[1] == 0 ? 256 : Int(bytes[1])
        byteCount = countsBits ? (size + 7) / 8 : size
    }
}

/// Reads the data area from front to back, past reserved addresses.
private struct Type2Cursor {
    private var next: Int
    let end: Int
    var reserved: Set<Int>

    init(from start: Int, to end: Int, reserved: Set<Int>) {
        next = start
        self.end = end
        self.reserved = reserved
    }

    /// The address of the next byte; nil at the end.
    mutating func peek() -> Int? {
        while next < end, reserved.contains(next) { next += 1 }
        return next < end ? next : nil
    }

    /// The next byte; nil at the end.
    mutating func byte(
        _ memory: inout Type2Memory,
        _ link: TagLink
    ) async throws(NFCReaderError) -> UInt8? {
        guard let address = peek() else { return nil }
        next += 1
        return try await memory.byte(at: address, link)
    }

    /// The length, of 1 or 3 bytes, and the value of a TLV; nil when it goes beyond the end.
    mutating func value(
        _ memory: inout Type2Memory,
        _ link: TagLink
    ) async throws(NFCReaderError) -> Data? {
        guard var length = try await byte(&memory, link).map(Int.init) else { return nil }
        if length == 0xFF {
            guard let high = try await byte(&memory, link), let low = try await byte(&memory, link)
            else { return nil }
            length = Int(high) << 8 | Int(low)
        }
        guard length <= end - next else {
            next = end
            return nil
        }
        var value = Data()
        while value.count < length {
            guard let byte = try await byte(&memory, link) else { return nil }
            value.append(byte)
        }
        return value
    }
}
