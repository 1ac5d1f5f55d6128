internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The card's side of the block protocol of ISO 14443-4, round an application that speaks APDUs.
///
/// Rule numbers are those of ISO 14443-4, 7.5.
struct ISODEPCard {
    private let application: any CardApplication
    private let waitingTime: Duration
    private var cid: UInt8 = 0
    private var frameSize = 32
    private var blockNumber: UInt8 = 1
    /// The command as far as it has come.
    private var command = Data()
    /// A whole command that still has to be worked on, while the reader is asked to wait.
    private var postponed: Data?
    /// What is left of the response.
    private var response = Data()
    /// The last block sent, without CID: repeated when the reader asks for it.
    private var lastBlock: Answer?
    /// PPS is understood only right after activation.
    private var takesParameters = false

    /// A card with an application.
    ///
    /// `waitingTime` is FWT, within which it must answer or ask for more time.
    init(_ application: any CardApplication, waitingTime: Duration) {
        self.application = application
        self.waitingTime = waitingTime
    }

    /// Starts the protocol, as RATS or ATTRIB does.
    mutating func activate(frameSizeCode: UInt8, cid: UInt8, takesParameters: Bool) {
        reset()
        frameSize = FrameSize.bytes(of: frameSizeCode)
        self.cid = cid
        self.takesParameters = takesParameters
    }

    /// Forgets everything: no power, or deselected.
    mutating func reset() {
        self = ISODEPCard(application, waitingTime: waitingTime)
        application.reset()
    }

    /// Answers a block, or stays silent when it is none for this card.
    mutating func receive(_ block: Data) -> Answer? {
        var reader = ByteReader(block)
        guard let pcb = try? reader.byte() else { return nil }
        if takesParameters, pcb == 0xD0 | cid { return selectParameters(block) }
        takesParameters = false

        let hasCID = pcb & 0x08 != 0
        let cid = self.cid
        if hasCID {
            guard (try? reader.byte()) == cid else { return nil }
        } else if cid != 0 {
            return nil
        }
        let answer =
            switch pcb & ~0x08 {
            case 0x02, 0x03: receiveInformation(reader.rest(), isChaining: false)
            case 0x12, 0x13: receiveInformation(reader.rest(), isChaining: true)
            case 0xA2, 0xA3: receiveAcknowledge(number: pcb & 1)
            case 0xB2, 0xB3: receiveNegativeAcknowledge(number: pcb & 1)
            case 0xC2: receiveDeselect()
            case 0xF2: receiveWaitingTime()
            default: Answer?.none
            }
        guard let answer, hasCID, let first = answer.bytes.first else { return answer }
        return Answer(Data([first | 0x08, cid]) + answer.bytes.dropFirst(), after: answer.delay)
    }

    private mutating func receiveInformation(_ data: Data, isChaining: Bool) -> Answer? {
        // Rule D: an I-block is new, whatever its number.
        blockNumber ^= 1
        response = Data()
        command += data
        if isChaining { return send(Data([0xA2 | blockNumber])) }
        defer { command = Data() }
        let time = application.workingTime(of: command)
        guard time > waitingTime else { return respond(to: command, after: time) }
        postponed = command
        // WTXM counts waiting times, up to 59.
        let multiplier = min(59, Int((time / waitingTime).rounded(.up)))
        return send(Data([0xF2, UInt8(multiplier)]))
    }

    private mutating func receiveAcknowledge(number: UInt8) -> Answer? {
        // Rule 11: the reader did not get our last block.
        if number == blockNumber { return lastBlock }
        // Rules E and 13: it did, and wants the next one.
        guard !response.isEmpty else { return nil }
        blockNumber ^= 1
        return sendNextPart()
    }

    private func receiveNegativeAcknowledge(number: UInt8) -> Answer? {
        // Rules 11 and 12.
        number == blockNumber ? lastBlock : Answer(Data([0xA2 | blockNumber]))
    }

    private mutating func receiveDeselect() -> Answer? {
        reset()
        return Answer(Data([0xC2]))
    }

    private mutating func receiveWaitingTime() -> Answer? {
        guard let command = postponed else { return nil }
        postponed = nil
        return respond(to: command, after: application.workingTime(of: command))
    }

    /// PPS: start byte, 11, bit rates.
    ///
    /// Any bit rate will do.
    private mutating func selectParameters(_ request: Data) -> Answer? {
        takesParameters = false
        return Answer(Data(request.prefix(1)))
    }

    private mutating func respond(to command: Data, after time: Duration) -> Answer? {
        response = application.respond(to: command)
        // A response APDU has at least a status word; none at all is a card that has fallen silent.
        guard !response.isEmpty else { return nil }
        return sendNextPart(after: time)
    }

    private mutating func sendNextPart(after time: Duration = .zero) -> Answer? {
        // PCB, CID and two bytes of CRC.
        let room = frameSize - 4
        let part = response.prefix(room)
        response = Data(response.dropFirst(room))
        let pcb = 0x02 | (response.isEmpty ? 0 : 0x10) | blockNumber
        return send(Data([pcb]) + part, after: time)
    }

    private mutating func send(_ bytes: Data, after time: Duration = .zero) -> Answer? {
        // A repetition costs no second working time.
        lastBlock = Answer(bytes)
        return Answer(bytes, after: time)
    }
}
