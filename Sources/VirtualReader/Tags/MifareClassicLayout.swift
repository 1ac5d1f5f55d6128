/// The kinds of MIFARE Classic.
public enum MifareClassicKind: Sendable, Equatable, CaseIterable {
    /// MF1S20: 5 sectors, 320 bytes.
    case mini
    /// MF1S50: 16 sectors, 1024 bytes.
    case classic1K
    /// MF1S70: 32 sectors of 4 blocks and 8 of 16, 4096 bytes.
    case classic4K

    /// What `nfc-session` calls it.
    public var name: String {
        switch self {
        case .mini: "MIFARE Mini"
        case .classic1K: "MIFARE Classic 1K"
        case .classic4K: "MIFARE Classic 4K"
        }
    }

    /// The number of blocks of 16 bytes.
    public var blockCount: Int {
        switch self {
        case .mini: 20
        case .classic1K: 64
        case .classic4K: 256
        }
    }

    /// The number of sectors.
    public var sectorCount: Int {
        switch self {
        case .mini: 5
        case .classic1K: 16
        case .classic4K: 40
        }
    }

    /// SAK (facts/pn532.md, 7.1).
    var sak: UInt8 {
        switch self {
        case .mini: 0x09
        case .classic1K: 0x08
        case .classic4K: 0x18
        }
    }

    /// ATQA without the bits for the length of the UID.
    var atqa: UInt16 { self == .classic4K ? 0x0002 : 0x0004 }

    /// The sector that a block belongs to: 4 blocks each, from sector 32 on 16.
    func sector(of block: Int) -> Int {
        block < 128 ? block / 4 : 32 + (block - 128) / 16
    }

    /// The blocks of a sector; the last is its trailer.
    func blocks(of sector: Int) -> Range<Int> {
        let first = sector < 32 ? sector * 4 : 128 + (sector - 32) * 16
        return first..<first + (sector < 32 ? 4 : 16)
    }

    /// Which of a sector's four access conditions rules a block: 3 is the trailer's; in large sectors each of the
    /// others rules five blocks.
    func area(of block: Int) -> Int {
        block < 128 ? block % 4 : (block - 128) % 16 / 5
    }
}

/// The access conditions of a sector, bytes 6 to 8 of its trailer (MF1S50 data sheet, 8.7).
struct MifareAccess: Equatable {
    /// C1, C2 and C3 as a number 0 to 7, for each of the four areas.
    private let conditions: [UInt8]

    /// Nil when the bits and their complements disagree; then the sector is dead.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 3 else { return nil }
        let (c1, c2, c3) = (bytes[1] >> 4, bytes[2] & 0x0F, bytes[2] >> 4)
        guard ~bytes[0] & 0x0F == c1, ~bytes[0] >> 4 == c2, ~bytes[1] & 0x0F == c3 else {
            return nil
        }
        conditions = (0..<4).map { area in
            (c1 >> area & 1) << 2 | (c2 >> area & 1) << 1 | c3 >> area & 1
        }
    }

    /// What can be done with a data block.
    enum Operation { case read, write, increment, decrement }

    /// Whether a key may do something with a data block.
    ///
    /// Decrement stands for transfer and restore, too.
    func allows(_ operation: Operation, area: Int, with key: MifareKey) -> Bool {
        guard area < 3, !(key == .b && isKeyBReadable) else { return false }
        let isB = key == .b
        return switch (conditions[area], operation) {
        case (0b000, _): true
        case (0b010, .read), (0b100, .read), (0b110, .read), (0b110, .decrement): true
        case (0b001, .read), (0b001, .decrement): true
        case (0b100, .write), (0b110, .write), (0b110, .increment): isB
        case (0b011, .read), (0b011, .write), (0b101, .read): isB
        default: false
        }
    }

    /// Whether key B can be read.
    ///
    /// Then it is data, and opens nothing.
    var isKeyBReadable: Bool { [0b000, 0b010, 0b001].contains(conditions[3]) }

    /// Whether a key may read the access bits: key A always, key B unless it is data.
    func allowsReadingAccessBits(with key: MifareKey) -> Bool {
        key == .a || !isKeyBReadable
    }

    /// Whether a key may write key A and key B.
    func allowsWritingKeys(with key: MifareKey) -> Bool {
        switch conditions[3] {
        case 0b000, 0b001: key == .a
        case 0b100, 0b011: key == .b
        default: false
        }
    }

    /// Whether a key may write the access bits.
    func allowsWritingAccessBits(with key: MifareKey) -> Bool {
        switch conditions[3] {
        case 0b001: key == .a
        case 0b011, 0b101: key == .b
        default: false
        }
    }
}
