internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What InDataExchange takes for a type A tag without ISO-DEP: the MIFARE commands that the chip's
/// firmware knows.
///
/// Anything else makes it answer with the error frame (facts/pn532.md, 3.4).
enum MifareCommand: Equatable {
    case authenticate(MifareKey, block: UInt8, key: Data, uid: Data)
    case read(block: UInt8)
    case write(block: UInt8, Data)
    case writePage(UInt8, Data)
    /// Decrement C0, increment C1 or restore C2.
    case value(operation: UInt8, block: UInt8, operand: Data)
    case transfer(block: UInt8)

    init?(_ data: Data) {
        var reader = ByteReader(data)
        do throws(EndOfBytes) {
            let (code, block) = (try reader.byte(), try reader.byte())
            switch code {
            case 0x60, 0x61:
                self = .authenticate(
                    code == 0x60 ? .a : .b,
                    block: block,
                    key: try reader.bytes(6),
                    uid: try reader.bytes(4)
                )
            case 0x30: self = .read(block: block)
            case 0xA0: self = .write(block: block, try reader.bytes(16))
            case 0xA2: self = .writePage(block, try reader.bytes(4))
            case 0xC0, 0xC1, 0xC2:
                self = .value(operation: code, block: block, operand: try reader.bytes(4))
            case 0xB0: self = .transfer(block: block)
            default: return nil
            }
        } catch {
            return nil
        }
        guard reader.isAtEnd else { return nil }
    }
}

/// Which of a MIFARE Classic sector's two keys.
public enum MifareKey: Sendable, Equatable {
    /// Key A.
    case a
    /// Key B.
    case b
}

/// A tag that authenticates by Crypto1.
///
/// The cipher itself never shows: chip and tag agree on whether they use it, and frames between
/// them are passed on in the clear.
protocol Crypto1Tag: VirtualTag {
    /// Whether the tag takes and sends encrypted frames only: after an authentication, until selected again.
    var isEncrypting: Bool { get }
    /// Whether the reader's key is the tag's for the sector of `block`. `uid` is the part of the UID that the cipher
    /// starts from: its last 4 bytes.
    func authenticate(_ which: MifareKey, block: UInt8, key: Data, uid: Data) -> Bool
}

extension PN532 {
    /// Carries out a MIFARE command with the selected tag.
    func perform(_ command: MifareCommand) throws(ChipStatus) -> Data {
        switch command {
        case .authenticate(let which, let block, let key, let uid):
            try authenticate(which, block: block, key: key, uid: uid)
        case .read(let block):
            let reply = try exchange(.typeA(Data([0x30, block])))
            guard reply.form == .withCRC else { throw .format }
            return reply.bytes
        case .write(let block, let data):
            try exchangeForAcknowledge(Data([0xA0, block]))
            try exchangeForAcknowledge(data)
        case .writePage(let page, let data):
            try exchangeForAcknowledge([0xA2, page] + data)
        case .value(let operation, let block, let operand):
            try exchangeForAcknowledge(Data([operation, block]))
            try sendOperand(operand)
        case .transfer(let block):
            try exchangeForAcknowledge(Data([0xB0, block]))
        }
        return Data()
    }

    private func authenticate(
        _ which: MifareKey,
        block: UInt8,
        key: Data,
        uid: Data
    ) throws(ChipStatus) {
        clock.spend(.milliseconds(4))
        registers.isEncrypting = false
        guard let card = field.selectedCard else { throw .timeout }
        guard let tag = card.tag as? any Crypto1Tag else {
            // To other tags this is an ordinary command, most often one they refuse.
            let reply = try field.exchange(
                .typeA(Data([which == .a ? 0x60 : 0x61, block])),
                within: answerTime
            )
            throw reply.form == .nibble ? .format : .authentication
        }
        guard tag.authenticate(which, block: block, key: key, uid: uid) else {
            card.fallSilent()
            throw .authentication
        }
        registers.isEncrypting = true
    }

    private func exchangeForAcknowledge(_ bytes: Data) throws(ChipStatus) {
        guard try exchange(.typeA(bytes)).isAcknowledge else { throw .format }
    }

    /// The second part of a value command: silence is consent, a NAK is not.
    private func sendOperand(_ operand: Data) throws(ChipStatus) {
        do throws(ChipStatus) {
            _ = try exchange(.typeA(operand))
        } catch {
            if error != .timeout { throw error }
            return
        }
        throw .format
    }
}
