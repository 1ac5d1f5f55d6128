internal import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an NFC Forum Type 3 Tag keeps: blocks of 16 bytes, read and written without encryption (NFC Forum Type 3 Tag 1.0;
/// FeliCa Card User's Manual, excerpted edition, 4.4).
///
/// Block 0 says how the others are used: version, blocks a read (Nbr) and a write (Nbw) may take, blocks for the message
/// (Nmaxb), whether a write is under way (WriteF), whether the message may be written (RWFlag), its length (Ln), and the sum
/// of all that. The message begins with block 1.
public struct Type3Memory: Sendable, Equatable {
    /// All blocks, one after the other.
    public private(set) var bytes: Data
    private let readLimit: Int
    private let writeLimit: Int

    /// Services 0009, which reads and writes, and 000B, which reads, lead to the same blocks.
    private static let writableService: UInt16 = 0x0009
    private static let readOnlyService: UInt16 = 0x000B

    /// Memory with a message.
    ///
    /// - Parameters:
    ///   - ndefMessage: the message; empty for none.
    ///   - blockCount: blocks for the message, 1 to 65535.
    ///   - readLimit: blocks that one command may read, 1 to 15.
    ///   - writeLimit: blocks that one command may write, 1 to 13.
    ///   - isReadOnly: whether block 0 forbids writing.
    /// - Throws: `VirtualReaderError.invalidTag` for numbers outside these limits, or a message that does not fit.
    public init(
        ndefMessage: Data = Data(),
        blockCount: UInt16 = 64,
        readLimit: Int = 4,
        writeLimit: Int = 1,
        isReadOnly: Bool = false
    ) throws(VirtualReaderError) {
        let room = Int(blockCount) * 16
        guard blockCount >= 1, (1...15).contains(readLimit), (1...13).contains(writeLimit),
            ndefMessage.count <= room
        else {
            throw .invalidTag(
                "a Type 3 Tag has 1 to 65535 blocks of 16 bytes with room for its message, and reads 1 to 15 and writes "
                    + "1 to 13 of them at once"
            )
        }
        self.readLimit = readLimit
        self.writeLimit = writeLimit
        let length = ndefMessage.count
        var attributes = Data([0x10, UInt8(readLimit), UInt8(writeLimit)])
        attributes += [UInt8(blockCount >> 8), UInt8(truncatingIfNeeded: blockCount)]
        attributes += [0x00, 0x00, 0x00, 0x00, 0x00, isReadOnly ? 0x00 : 0x01]
        attributes += [16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
        let sum = attributes.reduce(0) { $0 + UInt16($1) }
        attributes += [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
        bytes = attributes + ndefMessage + Data(count: room - length)
    }

    /// Overwrites blocks, from one on, even if they are read-only.
    public mutating func load(_ content: Data, intoBlock block: Int) {
        let start = block * 16
        bytes.replaceSubrange(start..<start + content.count, with: content)
    }

    /// Read Without Encryption: what follows the IDm in command and answer.
    func read(_ parameters: Data) -> Data? {
        var reader = ByteReader(parameters)
        guard let request = Request(&reader), reader.isAtEnd else { return nil }
        let services = [Self.writableService, Self.readOnlyService]
        if let refusal = refusal(request, services, limit: readLimit) { return refusal }
        let blocks = request.blocks.map { Data(bytes[$0 * 16..<$0 * 16 + 16]) }
        return Data([0x00, 0x00, UInt8(blocks.count)]) + blocks.reduce(Data(), +)
    }

    /// Write Without Encryption: what follows the IDm in command and answer.
    mutating func write(_ parameters: Data) -> Data? {
        var reader = ByteReader(parameters)
        guard let request = Request(&reader), reader.remaining == request.blocks.count * 16 else {
            return nil
        }
        if let refusal = refusal(request, [Self.writableService], limit: writeLimit) {
            return refusal
        }
        for block in request.blocks {
            guard let content = try? reader.bytes(16) else { return nil }
            load(content, intoBlock: block)
        }
        return Data([0x00, 0x00])
    }

    /// Status flags that are not 00 00: which entry of the list is to blame, and why.
    private func refusal(_ request: Request, _ services: [UInt16], limit: Int) -> Data? {
        guard services.contains(request.service) else { return Data([0xFF, 0xA6]) }
        guard (1...limit).contains(request.blocks.count) else { return Data([0xFF, 0xA2]) }
        let isMissing = request.blocks.firstIndex { $0 * 16 >= bytes.count }
        return isMissing.map { Data([1 << UInt8($0 % 8), 0xA8]) }
    }

    /// The list of services, of which one is enough here, and that of blocks.
    private struct Request {
        let service: UInt16
        let blocks: [Int]

        /// Reads them from a command; nil when it is cut, or names several services.
        init?(_ reader: inout ByteReader) {
            guard (try? reader.byte()) == 1, let service = try? reader.uint16(),
                let count = try? reader.byte()
            else { return nil }
            self.service = service.byteSwapped
            var blocks: [Int] = []
            for _ in 0..<count {
                // b8 of an entry says that its number has one byte, not two, lowest first.
                guard let mode = try? reader.byte(), let low = try? reader.byte() else {
                    return nil
                }
                if mode & 0x80 != 0 {
                    blocks.append(Int(low))
                } else {
                    guard let high = try? reader.byte() else { return nil }
                    blocks.append(Int(high) << 8 | Int(low))
                }
            }
            self.blocks = blocks
        }
    }
}
