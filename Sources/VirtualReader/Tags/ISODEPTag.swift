internal import Bytes
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type A tag that speaks ISO-DEP: a card application behind RATS and the block protocol of ISO 14443-4.
public final class ISODEPTag: VirtualTag {
    private struct State {
        var uid: Data
        var card: ISODEPCard
        var isActivated = false
        var isOnAir = true
    }

    /// What the tag is.
    public let name: String
    private let uidSource: TagUID
    private let atqa: UInt16?
    private let application: any CardApplication
    private let sak: UInt8
    private let ats: Data
    private let state: Mutex<State>

    /// A tag round an application.
    ///
    /// - Parameters:
    ///   - name: what the tag is called.
    ///   - uid: 4, 7 or 10 bytes, or random.
    ///   - atqa: as the reader reports it; nil for the usual value of a card with such a UID (0004, 0044, 0084).
    ///   - sak: bit 5 (20) must be set, or no reader tries ISO-DEP.
    ///   - ats: the answer to select with its length byte TL, 2 to 20 bytes. The default takes frames of 256
    ///     bytes, gives the card 77 ms for an answer and has no historical bytes but 80.
    ///   - application: what runs on the card. While it answers it must not call the tag.
    /// - Throws: when the UID or the ATS is none.
    public init(
        name: String = "ISO 14443-4 type A",
        uid: TagUID = .fixed(Data([0x04, 0xA1, 0xB2, 0xC3, 0xD4, 0xE5, 0xF6])),
        atqa: UInt16? = nil,
        sak: UInt8 = 0x20,
        ats: Data = Data([0x06, 0x78, 0x80, 0x80, 0x02, 0x80]),
        application: any CardApplication
    ) throws(VirtualReaderError) {
        try uid.validate()
        guard (2...20).contains(ats.count), ats.first.map(Int.init) == ats.count else {
            throw .invalidTag("ATS \(ats.hex) must begin with its length, 2 to 20")
        }
        let first = uid.next()
        self.name = name
        uidSource = uid
        self.atqa = atqa
        self.application = application
        self.sak = sak
        self.ats = ats
        let waitingTime = AnswerToSelect(ats).waitingTime
        state = Mutex(State(uid: first, card: ISODEPCard(application, waitingTime: waitingTime)))
    }

    /// UID, ATQA, SAK and ATS.
    public var identification: Identification {
        let uid = state.withLock { $0.uid }
        let usual: UInt16 = uid.count == 4 ? 0x0004 : uid.count == 7 ? 0x0044 : 0x0084
        return .typeA(atqa: atqa ?? usual, sak: sak, uid: uid, ats: ats)
    }

    /// Whether its application lets the tag answer.
    public var isOnAir: Bool { state.withLock { $0.isOnAir } }

    /// Answers RATS, PPS and blocks.
    public func receive(_ frame: Frame) -> Answer? {
        state.withLock { state in
            if !state.isActivated {
                // RATS: E0, then FSDI and CID (ISO 14443-4, 5.1). CID 15 is reserved.
                guard frame.bytes.count == 2, frame.bytes.first == 0xE0,
                    let parameter = frame.bytes.last, parameter & 0x0F != 0x0F
                else { return nil }
                state.isActivated = true
                state.card.activate(
                    frameSizeCode: parameter >> 4,
                    cid: parameter & 0x0F,
                    takesParameters: true
                )
                return Answer(ats, after: .milliseconds(2))
            }
            let answer = state.card.receive(frame.bytes)
            if answer != nil, Card.isDeselect(frame.bytes) { state.isActivated = false }
            return answer
        }
    }

    /// A random UID changes, what the application has changed takes effect, and everything volatile is gone.
    public func fieldLost() {
        state.withLock { state in
            let airInterface = application.airInterface
            state.uid = (airInterface == .randomUID ? .random : uidSource).next()
            state.isOnAir = airInterface != .off
            state.isActivated = false
            state.card.reset()
        }
    }
}
