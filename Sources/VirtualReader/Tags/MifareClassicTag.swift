internal import Bytes
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A MIFARE Classic: sectors behind keys, with access bits and value blocks (facts/pn532.md, 7.3; MF1S50 data sheet).
public final class MifareClassicTag: VirtualTag, Crypto1Tag {
    private struct State {
        var uid: Data
        var blocks: [Data]
        /// The sector that is open, and by which key.
        var access: (sector: Int, key: MifareKey)?
        /// A command whose second frame has not come yet.
        var unfinished: Unfinished?
        /// What INCREMENT, DECREMENT and RESTORE leave for TRANSFER.
        var transferBuffer: Data?
    }

    private enum Unfinished {
        case write(block: Int)
        case value(operation: UInt8, block: Int)
    }

    /// Which card it is.
    public let kind: MifareClassicKind
    private let uidSource: TagUID
    private let state: Mutex<State>

    /// A card as it is delivered: both keys of all sectors FFFFFFFFFFFF, data blocks 0.
    ///
    /// - Parameters:
    ///   - kind: which card.
    ///   - uid: 4 or 7 bytes, or random; then block 0 holds the default UID.
    /// - Throws: when the UID has another length.
    public init(
        kind: MifareClassicKind = .classic1K,
        uid: TagUID = .fixed(Data([0xDE, 0xAD, 0xBE, 0xEF]))
    ) throws(VirtualReaderError) {
        try uid.validate()
        var stored = Data([0xDE, 0xAD, 0xBE, 0xEF])
        if case .fixed(let bytes) = uid {
            guard bytes.count < 10 else {
                throw .invalidTag("\(kind.name) has a UID of 4 or 7 bytes, not \(bytes.hex)")
            }
            stored = bytes
        }
        self.kind = kind
        uidSource = uid
        var blocks = [Data](repeating: Data(count: 16), count: kind.blockCount)
        for sector in 0..<kind.sectorCount {
            let key = Data(repeating: 0xFF, count: 6)
            blocks[kind.blocks(of: sector).upperBound - 1] = key + [0xFF, 0x07, 0x80, 0x69] + key
        }
        blocks[0] = Self.manufacturerBlock(kind, uid: stored)
        state = Mutex(State(uid: uid.next(), blocks: blocks))
    }

    /// UID, its check byte if it has 4 bytes, SAK, ATQA lowest byte first, and the maker's own data.
    private static func manufacturerBlock(_ kind: MifareClassicKind, uid: Data) -> Data {
        let atqa = kind.atqa | (uid.count == 7 ? 0x0040 : 0)
        let check = uid.count == 4 ? Data([uid.reduce(0, ^)]) : Data()
        let block = uid + check + [kind.sak, UInt8(truncatingIfNeeded: atqa), UInt8(atqa >> 8)]
        return block + Data(count: 16 - block.count)
    }

    // MARK: - From outside

    /// What the tag is.
    public var name: String { kind.name }

    /// All blocks with all keys, as a dump file holds them: `kind.blockCount` times 16 bytes.
    public var memory: Data { state.withLock { $0.blocks.reduce(Data(), +) } }

    /// Puts 16 bytes into a block, whatever keys and access bits say. A block that does not exist, or another number
    /// of bytes, changes nothing.
    public func load(_ data: Data, intoBlock block: Int) {
        guard data.count == 16, 0..<kind.blockCount ~= block else { return }
        state.withLock { $0.blocks[block] = Data(data) }
    }

    /// Sets a sector's keys of 6 bytes each; nil leaves one as it is.
    public func setKeys(a: Data? = nil, b: Data? = nil, sector: Int) {
        guard 0..<kind.sectorCount ~= sector else { return }
        state.withLock { state in
            let block = kind.blocks(of: sector).upperBound - 1
            let trailer = state.blocks[block]
            let (keyA, keyB) = (a ?? trailer.prefix(6), b ?? trailer.suffix(6))
            guard keyA.count == 6, keyB.count == 6 else { return }
            state.blocks[block] = keyA + trailer[6..<10] + keyB
        }
    }

    // MARK: - From the reader

    /// UID, ATQA and SAK.
    public var identification: Identification {
        let uid = state.withLock { $0.uid }
        let atqa = kind.atqa | (uid.count == 7 ? 0x0040 : 0)
        return .typeA(atqa: atqa, sak: kind.sak, uid: uid, ats: nil)
    }

    /// No sector is open any more.
    public func selected() {
        state.withLock { Self.close(&$0) }
    }

    /// No sector is open any more; a random UID changes.
    public func fieldLost() {
        state.withLock { state in
            Self.close(&state)
            state.uid = uidSource.next()
        }
    }

    var isEncrypting: Bool { state.withLock { $0.access != nil } }

    func authenticate(_ which: MifareKey, block: UInt8, key: Data, uid: Data) -> Bool {
        state.withLock { state in
            Self.close(&state)
            guard Int(block) < kind.blockCount, uid == state.uid.suffix(4) else { return false }
            let sector = kind.sector(of: Int(block))
            let trailer = state.blocks[kind.blocks(of: sector).upperBound - 1]
            guard key == (which == .a ? trailer.prefix(6) : trailer.suffix(6)) else { return false }
            state.access = (sector, which)
            return true
        }
    }

    /// Answers READ, WRITE and the value commands of an open sector. Anything else gets NAK 4 and closes the sector.
    public func receive(_ frame: Frame) -> Answer? {
        state.withLock { state in
            let answer = answer(to: [UInt8](frame.bytes), &state)
            if let answer, answer.isAcknowledge, answer.bytes != Data([0x0A]) {
                Self.close(&state)
            }
            return answer
        }
    }

    private static let acknowledge = Answer(acknowledge: 0x0A)
    private static let written = Answer(acknowledge: 0x0A, after: .milliseconds(3))
    private static let refusal = Answer(acknowledge: 0x04)

    private static func close(_ state: inout State) {
        state.access = nil
        state.unfinished = nil
        state.transferBuffer = nil
    }

    private func answer(to command: [UInt8], _ state: inout State) -> Answer? {
        if let unfinished = state.unfinished {
            state.unfinished = nil
            switch unfinished {
            case .write(let block): return write(Data(command), block, &state)
            case .value(let operation, let block):
                return compute(operation, block, Data(command), &state)
            }
        }
        guard command.count == 2, let access = state.access else { return Self.refusal }
        let block = Int(command[1])
        guard block < kind.blockCount, kind.sector(of: block) == access.sector,
            let rights = rights(state, access.sector)
        else { return Self.refusal }
        let area = kind.area(of: block)
        switch command[0] {
        case 0x30:
            if area == 3 { return Answer(readTrailer(state, block, rights, access.key)) }
            guard rights.allows(.read, area: area, with: access.key) else { return Self.refusal }
            return Answer(state.blocks[block])
        case 0xA0:
            guard area == 3 || rights.allows(.write, area: area, with: access.key), block != 0
            else { return Self.refusal }
            state.unfinished = .write(block: block)
            return Self.acknowledge
        case 0xC0, 0xC1, 0xC2:
            let operation: MifareAccess.Operation = command[0] == 0xC1 ? .increment : .decrement
            guard rights.allows(operation, area: area, with: access.key),
                ValueBlock(state.blocks[block]) != nil
            else { return Self.refusal }
            state.unfinished = .value(operation: command[0], block: block)
            return Self.acknowledge
        case 0xB0:
            guard rights.allows(.decrement, area: area, with: access.key), block != 0,
                let buffer = state.transferBuffer
            else { return Self.refusal }
            state.blocks[block] = buffer
            return Self.written
        default: return Self.refusal
        }
    }

    private func rights(_ state: State, _ sector: Int) -> MifareAccess? {
        MifareAccess([UInt8](state.blocks[kind.blocks(of: sector).upperBound - 1][6..<9]))
    }

    // MARK: - Blocks

    /// A trailer as a key may see it: key A never, key B only where it is data.
    private func readTrailer(
        _ state: State, _ block: Int, _ rights: MifareAccess, _ key: MifareKey
    ) -> Data {
        let trailer = state.blocks[block]
        let showsAccess = rights.allowsReadingAccessBits(with: key)
        let showsKeyB = rights.isKeyBReadable && key == .a
        return Data(count: 6) + (showsAccess ? trailer[6..<10] : Data(count: 4))
            + (showsKeyB ? trailer.suffix(6) : Data(count: 6))
    }

    private func write(_ data: Data, _ block: Int, _ state: inout State) -> Answer {
        guard data.count == 16, let access = state.access else { return Self.refusal }
        guard kind.area(of: block) == 3 else {
            state.blocks[block] = data
            return Self.written
        }
        guard let rights = rights(state, access.sector),
            rights.allowsWritingKeys(with: access.key)
                || rights.allowsWritingAccessBits(with: access.key)
        else { return Self.refusal }
        let old = state.blocks[block]
        let keys = rights.allowsWritingKeys(with: access.key) ? data : old
        let bits = rights.allowsWritingAccessBits(with: access.key) ? data : old
        state.blocks[block] = Data(keys.prefix(6)) + bits[6..<10] + keys.suffix(6)
        return Self.written
    }

    /// The second frame of INCREMENT, DECREMENT and RESTORE: four bytes, lowest first. Silence means that it worked.
    private func compute(
        _ operation: UInt8, _ block: Int, _ operand: Data, _ state: inout State
    ) -> Answer? {
        guard operand.count == 4, var content = ValueBlock(state.blocks[block]) else {
            return Self.refusal
        }
        let amount = Int32(truncatingIfNeeded: operand.reversed().reduce(0) { $0 << 8 | Int($1) })
        let result: (partialValue: Int32, overflow: Bool) =
            switch operation {
            case 0xC0: content.value.subtractingReportingOverflow(amount)
            case 0xC1: content.value.addingReportingOverflow(amount)
            default: (content.value, false)
            }
        guard !result.overflow else { return Self.refusal }
        content.value = result.partialValue
        state.transferBuffer = content.encoded
        return Answer(Data())
    }
}

/// A block that holds a number: three times the value, the second time inverted, and four times an address byte
/// (facts/pn532.md, 7.3).
struct ValueBlock: Equatable {
    /// The number.
    var value: Int32
    /// An address that the card does not use.
    let address: UInt8

    /// Nil when the block does not have the form of a value block.
    init?(_ block: Data) {
        let bytes = [UInt8](block)
        guard bytes.count == 16 else { return nil }
        for index in 0..<4 {
            guard bytes[index] == bytes[index + 8], bytes[index] == ~bytes[index + 4] else {
                return nil
            }
        }
        guard bytes[12] == bytes[14], bytes[13] == bytes[15], bytes[12] == ~bytes[13] else {
            return nil
        }
        value = Int32(truncatingIfNeeded: bytes[..<4].reversed().reduce(0) { $0 << 8 | Int($1) })
        address = bytes[12]
    }

    /// The block's 16 bytes.
    var encoded: Data {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return Data(bytes + bytes.map { ~$0 } + bytes + [address, ~address, address, ~address])
    }
}
