#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A tag in the field, with its state on the radio side: what it answers depends on how far it has been selected.
///
/// One file for each technology says how frames move a card from state to state.
final class Card {
    /// The states of ISO 14443-3.
    ///
    /// FeliCa cards have none and stay idle.
    enum State: Equatable {
        case idle
        /// Answered REQA or REQB; type A: being selected, at this cascade level.
        case ready(level: Int)
        /// Type A: selected, speaks its own commands.
        case active
        /// Speaks ISO 14443-4: after RATS or ATTRIB.
        case isoDEP
        case halted
    }

    let id: Int
    let tag: any VirtualTag
    var state: State = .idle
    /// Type A: woken by WUPA from HALT, where any error takes it back to (ISO 14443-3, READY* and ACTIVE*).
    var wasHalted = false

    init(_ placement: TagTray.Placement) {
        id = placement.id
        tag = placement.tag
    }

    var technology: Technology {
        switch tag.identification {
        case .typeA: .typeA
        case .typeB: .typeB
        case .feliCa: .feliCa
        }
    }

    /// The card is lost to its reader until that starts again.
    var isSelected: Bool { state == .active || state == .isoDEP }

    /// Takes a frame and answers it, or stays silent.
    func receive(_ frame: RadioFrame) -> RadioReply? {
        guard tag.isOnAir else { return nil }
        return switch (frame.technology, tag.identification) {
        case (.typeA, .typeA(let atqa, let sak, let uid, _)):
            receiveTypeA(frame, atqa: atqa, sak: sak, uid: uid)
        case (.typeB, .typeB(let pupi, let applicationData, let protocolInfo)):
            receiveTypeB(frame.bytes, pupi, applicationData, protocolInfo)
        case (.feliCa, .feliCa(let idm, let pmm, let systemCodes)):
            receiveFeliCa(frame.bytes, idm, pmm, systemCodes)
        default: nil
        }
    }

    /// The card lost its power.
    func losePower() {
        state = .idle
        wasHalted = false
        tag.fieldLost()
    }

    /// Lets the tag itself answer.
    func ask(_ bytes: Data) -> RadioReply? {
        tag.receive(Frame(bytes)).map(RadioReply.init)
    }

    /// Whether this block is S(DESELECT), with or without CID (ISO 14443-4, 7.1).
    static func isDeselect(_ block: Data) -> Bool {
        block.first.map { $0 & 0xF7 == 0xC2 } ?? false
    }
}
