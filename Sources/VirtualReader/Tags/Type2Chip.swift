#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The kinds of type 2 tag (facts/pn532.md, 7.4).
public enum Type2Chip: Sendable, Equatable, CaseIterable {
    /// MF0ICU1.
    case ultralight
    /// MF0ICU2, without its 3DES authentication: AUTHENTICATE is refused.
    case ultralightC
    /// MF0UL11.
    case ultralightEV1
    /// MF0UL21.
    case ultralightEV1Large
    /// NTAG203.
    case ntag203
    /// NTAG210.
    case ntag210
    /// NTAG212.
    case ntag212
    /// NTAG213.
    case ntag213
    /// NTAG215.
    case ntag215
    /// NTAG216.
    case ntag216

    /// What `nfc-session` calls it.
    public var name: String {
        switch self {
        case .ultralight: "MIFARE Ultralight"
        case .ultralightC: "MIFARE Ultralight C"
        case .ultralightEV1: "MIFARE Ultralight EV1"
        case .ultralightEV1Large: "MIFARE Ultralight EV1 (MF0UL21)"
        case .ntag203: "NTAG203"
        case .ntag210: "NTAG210"
        case .ntag212: "NTAG212"
        case .ntag213: "NTAG213"
        case .ntag215: "NTAG215"
        case .ntag216: "NTAG216"
        }
    }

    /// The number of 4-byte pages.
    public var pageCount: Int {
        switch self {
        case .ultralight: 16
        case .ultralightC: 48
        case .ultralightEV1, .ntag210: 20
        case .ultralightEV1Large, .ntag212: 41
        case .ntag203: 42
        case .ntag213: 45
        case .ntag215: 135
        case .ntag216: 231
        }
    }

    /// The answer to GET_VERSION; nil where the chip has no such command.
    var version: [UInt8]? {
        switch self {
        case .ultralight, .ultralightC, .ntag203: nil
        case .ultralightEV1: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0B, 0x03]
        case .ultralightEV1Large: [0x00, 0x04, 0x03, 0x01, 0x01, 0x00, 0x0E, 0x03]
        case .ntag210: [0x00, 0x04, 0x04, 0x01, 0x01, 0x00, 0x0B, 0x03]
        case .ntag212: [0x00, 0x04, 0x04, 0x01, 0x01, 0x00, 0x0E, 0x03]
        case .ntag213: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03]
        case .ntag215: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x11, 0x03]
        case .ntag216: [0x00, 0x04, 0x04, 0x02, 0x01, 0x00, 0x13, 0x03]
        }
    }

    /// The capability container in page 3 as delivered.
    var capabilityContainer: [UInt8] {
        switch self {
        case .ultralight, .ultralightC, .ultralightEV1, .ultralightEV1Large: [0, 0, 0, 0]
        case .ntag203, .ntag213: [0xE1, 0x10, 0x12, 0x00]
        case .ntag210: [0xE1, 0x10, 0x06, 0x00]
        case .ntag212: [0xE1, 0x10, 0x10, 0x00]
        case .ntag215: [0xE1, 0x10, 0x3E, 0x00]
        case .ntag216: [0xE1, 0x10, 0x6D, 0x00]
        }
    }

    /// The page of the dynamic lock bytes and how many pages one of their bits locks, from page 10 on.
    var dynamicLock: (page: Int, pagesPerBit: Int)? {
        switch self {
        case .ultralight, .ultralightEV1, .ntag210: nil
        case .ultralightC, .ntag203: (0x28, 4)
        case .ultralightEV1Large, .ntag212: (0x24, 2)
        case .ntag213: (0x28, 2)
        case .ntag215: (0x82, 16)
        case .ntag216: (0xE2, 16)
        }
    }

    /// The page of CFG0; CFG1, PWD and PACK follow.
    ///
    /// Nil where the chip has no password.
    var configurationPage: Int? {
        switch self {
        case .ultralight, .ultralightC, .ntag203: nil
        case .ultralightEV1, .ntag210: 0x10
        case .ultralightEV1Large, .ntag212: 0x25
        case .ntag213: 0x29
        case .ntag215: 0x83
        case .ntag216: 0xE3
        }
    }

    /// How many counters READ_CNT reads: EV1 has three, NTAG213 to 216 one, with number 2.
    var counters: ClosedRange<UInt8>? {
        switch self {
        case .ultralightEV1, .ultralightEV1Large: 0...2
        case .ntag213, .ntag215, .ntag216: 2...2
        default: nil
        }
    }

    /// Whether each first read after power-up counts (NFC counter), when CFG1 says so.
    var countsReads: Bool { counters == 2...2 }

    /// The first page that can no longer be read or written by anybody: key pages of Ultralight C.
    var readablePages: Int { self == .ultralightC ? 0x2C : pageCount }
}
