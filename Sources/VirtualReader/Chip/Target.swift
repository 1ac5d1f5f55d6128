#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What InAutoPoll looks for, by its code there (facts/pn532.md, 3.3).
enum TargetType: UInt8 {
    case genericA = 0x00
    case generic212 = 0x01
    case generic424 = 0x02
    case typeB = 0x03
    case jewel = 0x04
    case mifare = 0x10
    case feliCa212 = 0x11
    case feliCa424 = 0x12
    case isoDEPA = 0x20
    case isoDEPB = 0x23
    case depPassive106 = 0x40
    case depPassive212 = 0x41
    case depPassive424 = 0x42
    case depActive106 = 0x80
    case depActive212 = 0x81
    case depActive424 = 0x82

    /// Whether such targets are type A.
    var isTypeA: Bool { [.genericA, .mifare, .isoDEPA].contains(self) }
}

/// A tag that the chip has found and speaks to by number.
struct Target {
    /// What is needed to select the tag again.
    enum Kind: Equatable {
        case typeA(uid: Data, sak: UInt8)
        case typeB(pupi: Data)
        case feliCa(rate: UInt8)
    }

    let kind: Kind
    /// What InListPassiveTarget says about the tag, without its number.
    let record: Data
    /// The block protocol, when the tag speaks it.
    var isoDEP: ISODEPInitiator?
    /// Whether the tag listens now; if not, it must be woken first.
    var isSelected = true
    /// Bit rates for GetGeneralStatus: 0 is 106 kbit/s, 1 is 212, 2 is 424.
    var rates: (receive: UInt8, send: UInt8) = (0, 0)

    /// Whether InDataExchange takes MIFARE commands for this tag: type A without ISO-DEP.
    var isMifare: Bool { technology == .typeA && isoDEP == nil }

    /// How the tag modulates.
    var technology: Technology {
        switch kind {
        case .typeA: .typeA
        case .typeB: .typeB
        case .feliCa: .feliCa
        }
    }

    /// Which of these types InAutoPoll reports the tag as; nil when it is none of them.
    func type(among types: [TargetType]) -> TargetType? {
        let candidates: [TargetType] =
            switch kind {
            case .typeA(_, let sak): [sak & 0x20 != 0 ? .isoDEPA : .mifare, .genericA]
            case .typeB: [.isoDEPB, .typeB]
            case .feliCa(let rate):
                rate == 1 ? [.feliCa212, .generic212] : [.feliCa424, .generic424]
            }
        return candidates.first(where: types.contains)
    }
}
