#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The chip's side of the block protocol of ISO 14443-4, with one card.
///
/// Rule numbers are those of ISO 14443-4, 7.5.4.
struct ISODEPInitiator {
    let technology: Technology
    /// The card's number, sent in each block; nil for blocks without CID.
    let cid: UInt8?
    /// FSC.
    let frameSize: Int
    /// FWT.
    let waitingTime: Duration
    private var blockNumber: UInt8 = 0
    /// What has come of the response and has not been taken.
    private var unread = Data()
    /// The card has more blocks of the response.
    private var cardHasMore = false

    /// How often a block is asked for again before the card counts as gone.
    private static let retries = 2

    init(technology: Technology, cid: UInt8?, frameSize: Int, waitingTime: Duration) {
        self.technology = technology
        self.cid = cid
        self.frameSize = frameSize
        self.waitingTime = waitingTime
    }

    /// Whether `continueResponse` has more of the response.
    var hasUnreadResponse: Bool { cardHasMore || !unread.isEmpty }

    /// Sends a command and returns the response as far as it fits `limit` bytes, or nothing when `hasMore` says that
    /// the command goes on.
    ///
    /// What is left of an earlier response is dropped.
    mutating func transceive(
        _ command: Data,
        hasMore: Bool,
        limit: Int,
        over field: RadioField
    ) throws(ChipStatus) -> Data {
        forgetResponse()
        // PCB, CID and two bytes of CRC.
        let room = max(1, frameSize - 3 - (cid == nil ? 0 : 1))
        var rest = Data(command)
        while true {
            let part = Data(rest.prefix(room))
            rest = Data(rest.dropFirst(room))
            let isChaining = hasMore || !rest.isEmpty
            let block = try exchange(.information(part, isChaining: isChaining), over: field)
            switch block {
            case .acknowledge where isChaining:
                blockNumber ^= 1
                if rest.isEmpty { return Data() }
            case .information(let data, let hasMore) where !isChaining:
                blockNumber ^= 1
                (unread, cardHasMore) = (data, hasMore)
                return try continueResponse(limit: limit, over: field)
            default: throw .protocolError
            }
        }
    }

    /// The next part of a response, `limit` bytes unless it is the last.
    ///
    /// The chip has memory for one part: it asks the card for more only when the host does.
    mutating func continueResponse(limit: Int, over field: RadioField) throws(ChipStatus) -> Data {
        do throws(ChipStatus) {
            while cardHasMore, unread.count < limit {
                guard
                    case .information(let data, let hasMore) =
                        try exchange(.acknowledge, over: field)
                else { throw .protocolError }
                blockNumber ^= 1
                unread += data
                cardHasMore = hasMore
            }
        } catch {
            forgetResponse()
            throw error
        }
        let part = Data(unread.prefix(limit))
        unread = Data(unread.dropFirst(limit))
        return part
    }

    private mutating func forgetResponse() {
        (unread, cardHasMore) = (Data(), false)
    }

    /// Sends S(DESELECT), after which the card waits halted.
    func deselect(over field: RadioField) {
        // A card that does not answer is gone, which is what was wanted.
        _ = try? field.exchange(frame([0xC2]), within: waitingTime)
    }

    /// Whether the card still answers R(NAK).
    func isPresent(over field: RadioField) -> Bool {
        (try? field.exchange(frame([0xB2 | blockNumber]), within: waitingTime)) != nil
    }

    /// Sends PPS for a bit rate each way (ISO 14443-4, 5.3).
    func selectParameters(_ rates: UInt8, over field: RadioField) throws(ChipStatus) {
        let start = 0xD0 | (cid ?? 0)
        let reply = try field.exchange(.typeA(Data([start, 0x11, rates])), within: waitingTime)
        guard reply.bytes == Data([start]) else { throw .protocolError }
    }

    private enum Block {
        case information(Data, isChaining: Bool)
        case acknowledge
    }

    /// Sends a block and returns the card's next one, whatever repetition and waiting that takes.
    private func exchange(_ block: Block, over field: RadioField) throws(ChipStatus) -> Block {
        let (first, retry) = frames(for: block)
        var next = first
        var time = waitingTime
        var retriesLeft = Self.retries
        while true {
            do throws(ChipStatus) {
                let reply = try field.exchange(next, within: time)
                time = waitingTime
                switch try answer(from: reply.bytes) {
                case .block(let block): return block
                case .lost:
                    // R(ACK) with the other number: the card never got our block (rule 6).
                    guard retriesLeft > 0 else { throw ChipStatus.timeout }
                    retriesLeft -= 1
                    next = first
                case .waiting(let multiplier):
                    next = frame([0xF2], Data([multiplier]))
                    time = waitingTime * Int(max(1, multiplier))
                }
            } catch {
                guard retriesLeft > 0 else { throw error }
                retriesLeft -= 1
                next = retry
            }
        }
    }

    /// How a block goes on air, and what asks for the answer again: R(NAK), or within the card's chaining the same
    /// R(ACK) (rules 4 and 5).
    private func frames(for block: Block) -> (first: RadioFrame, retry: RadioFrame) {
        switch block {
        case .information(let data, let isChaining):
            (
                frame([0x02 | (isChaining ? 0x10 : 0) | blockNumber], data),
                frame([0xB2 | blockNumber])
            )
        case .acknowledge: (frame([0xA2 | blockNumber]), frame([0xA2 | blockNumber]))
        }
    }

    private enum Reaction {
        case block(Block)
        case lost
        case waiting(UInt8)
    }

    private func answer(from bytes: Data) throws(ChipStatus) -> Reaction {
        guard let pcb = bytes.first else { throw .protocolError }
        var content = Data(bytes.dropFirst())
        if pcb & 0x08 != 0 {
            guard content.first == cid else { throw .protocolError }
            content = Data(content.dropFirst())
        } else if let cid, cid != 0 {
            throw .protocolError
        }
        switch pcb & ~0x08 {
        case 0x02, 0x03, 0x12, 0x13:
            guard pcb & 1 == blockNumber else { throw .protocolError }
            return .block(.information(content, isChaining: pcb & 0x10 != 0))
        case 0xA2, 0xA3: return pcb & 1 == blockNumber ? .block(.acknowledge) : .lost
        case 0xF2:
            // Bits 5 to 0 are WTXM; the answer repeats them.
            guard let multiplier = content.first else { throw .protocolError }
            return .waiting(multiplier & 0x3F)
        default: throw .protocolError
        }
    }

    private func frame(_ prologue: [UInt8], _ content: Data = Data()) -> RadioFrame {
        var bytes = Data(prologue)
        if let cid, let pcb = bytes.first {
            bytes = Data([pcb | 0x08, cid])
        }
        return RadioFrame(technology: technology, bytes: bytes + content)
    }
}
