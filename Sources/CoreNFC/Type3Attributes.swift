import Bytes
import Foundation

/// The attribute information block of a type 3 tag, block 0 (NFC Forum Type 3 Tag 1.0).
///
/// Version, Nbr, Nbw, Nmaxb in two bytes, four reserved bytes, WriteF, RWFlag, Ln in three bytes, and the sum of all these
/// in two.
struct Type3Attributes: Sendable, Equatable {
    /// Blocks that one command may read, Nbr.
    let readLimit: Int
    /// Blocks that one command may write, Nbw.
    let writeLimit: Int
    /// Blocks for the message, Nmaxb.
    let blockCount: Int
    /// Whether a write is under way, or was not finished: WriteF.
    var isBeingWritten: Bool
    /// Whether the message may be written, RWFlag.
    var isWritable: Bool
    /// Bytes of the message, Ln.
    var length: Int
    private let version: UInt8
    private let reserved: Data

    /// Reads a block; nil when its sum is wrong, its version is not 1.x or it allows no reading.
    init?(_ block: Data) {
        guard block.count == 16 else { return nil }
        var reader = ByteReader(block)
        do throws(EndOfBytes) {
            version = try reader.byte()
            readLimit = Int(try reader.byte())
            writeLimit = Int(try reader.byte())
            blockCount = Int(try reader.uint16())
            reserved = try reader.bytes(4)
            isBeingWritten = try reader.byte() != 0
            isWritable = try reader.byte() == 1
            length = try reader.bytes(3).reduce(0) { $0 << 8 | Int($1) }
            guard try reader.uint16() == Self.sum(block.prefix(14)), version >> 4 == 1,
                readLimit >= 1, blockCount >= 1
            else { return nil }
        } catch {
            return nil
        }
    }

    /// The bytes of the block.
    var encoded: Data {
        var block = Data([version, UInt8(readLimit), UInt8(writeLimit)])
        block += [UInt8(blockCount >> 8), UInt8(truncatingIfNeeded: blockCount)]
        block += reserved
        block += [isBeingWritten ? 0x0F : 0x00, isWritable ? 0x01 : 0x00]
        block += [16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
        let sum = Self.sum(block)
        return block + [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
    }

    private static func sum(_ bytes: Data) -> UInt16 {
        bytes.reduce(0) { $0 + UInt16($1) }
    }
}
