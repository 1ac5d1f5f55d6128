import Bytes

/// The status word SW1-SW2 of a response APDU, with its meaning in ISO 7816-4.
public struct StatusWord: RawRepresentable, Sendable, Hashable {
    /// SW1 in the high byte, SW2 in the low one.
    public let rawValue: UInt16

    /// Any value is a status word, known or not.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// 9000: done.
    public static let ok = StatusWord(rawValue: 0x9000)
    /// 6282: the file ended before Le bytes were read.
    public static let endOfFile = StatusWord(rawValue: 0x6282)
    /// 6700: Lc or Le is wrong.
    public static let wrongLength = StatusWord(rawValue: 0x6700)
    /// 6982: a password or key must be presented first.
    public static let securityStatusNotSatisfied = StatusWord(rawValue: 0x6982)
    /// 6983: the password or key is blocked.
    public static let authenticationBlocked = StatusWord(rawValue: 0x6983)
    /// 6985: the tag is not in the state for this command.
    public static let conditionsNotSatisfied = StatusWord(rawValue: 0x6985)
    /// 6986: no elementary file is selected.
    public static let commandNotAllowed = StatusWord(rawValue: 0x6986)
    /// 6A80: the data field is wrong.
    public static let wrongData = StatusWord(rawValue: 0x6A80)
    /// 6A81: the function is not supported.
    public static let functionNotSupported = StatusWord(rawValue: 0x6A81)
    /// 6A82: the file or application does not exist.
    public static let notFound = StatusWord(rawValue: 0x6A82)
    /// 6A86: P1 or P2 is wrong.
    public static let wrongParameters = StatusWord(rawValue: 0x6A86)
    /// 6A88: what the parameters refer to does not exist.
    public static let referencedDataNotFound = StatusWord(rawValue: 0x6A88)
    /// 6B00: P1-P2 lies outside, for example an offset beyond the end of the file.
    public static let wrongOffset = StatusWord(rawValue: 0x6B00)
    /// 6D00: the instruction is not supported.
    public static let instructionNotSupported = StatusWord(rawValue: 0x6D00)
    /// 6E00: the class is not supported.
    public static let classNotSupported = StatusWord(rawValue: 0x6E00)
    /// 6F00: an error without diagnosis.
    public static let unknownError = StatusWord(rawValue: 0x6F00)

    /// The first byte, which names the class of the status.
    public var sw1: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
    /// The second byte, which names the detail.
    public var sw2: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

    /// 61xx: how many more bytes GET RESPONSE can fetch, 1 to 256 (256 also stands for more); else
    /// nil.
    public var remainingBytes: Int? {
        sw1 == 0x61 ? (sw2 == 0 ? 256 : Int(sw2)) : nil
    }

    /// 6Cxx: the Le that the tag would accept, 1 to 256; else nil.
    public var exactLength: Int? {
        sw1 == 0x6C ? (sw2 == 0 ? 256 : Int(sw2)) : nil
    }

    /// 63Cx: the counter, mostly of the tries left, 0 to 15; else nil.
    public var counter: Int? {
        rawValue & 0xFFF0 == 0x63C0 ? Int(sw2 & 0x0F) : nil
    }
}

extension StatusWord: CustomStringConvertible {
    /// Four upper-case hexadecimal digits, as standards print status words.
    public var description: String { rawValue.hex.uppercased() }

    /// What the status word says, in a few words without a full stop (ISO 7816-4, 5.6).
    ///
    /// What a card's own specification defines is not known here and is called so.
    public var meaning: String {
        Self.details[rawValue] ?? meaningByPattern
    }

    private var meaningByPattern: String {
        if let remainingBytes {
            return sw2 == 0
                ? "done, 256 bytes or more still available"
                : "done, \(remainingBytes) more bytes available"
        }
        if let exactLength { return "wrong Le, the exact length is \(exactLength)" }
        if let counter { return "warning, counter is \(counter) (tries left)" }
        return switch sw1 {
        case 0x62: "warning, memory unchanged"
        case 0x63: "warning, memory changed"
        case 0x64: "execution error, memory unchanged"
        case 0x65: "execution error, memory changed"
        case 0x66: "execution error, security issue"
        case 0x67: "wrong length"
        case 0x68: "function in CLA not supported"
        case 0x69: "command not allowed"
        case 0x6A: "wrong parameters"
        case 0x60...0x6F: "unknown error"
        case 0x90...0x9F: "defined by the application"
        default: "no status word of ISO 7816-4"
        }
    }

    private static let details: [UInt16: String] = [
        0x9000: "done",
        0x6281: "warning, part of the data may be corrupted",
        0x6282: "warning, the file ended before Le bytes were read",
        0x6283: "warning, the selected file is deactivated",
        0x6284: "warning, the file's control information is badly formatted",
        0x6285: "warning, the selected file is terminated",
        0x6286: "warning, no input from a sensor of the card",
        0x6381: "warning, the file was filled up by the last write",
        0x6401: "execution error, the card wants an immediate response",
        0x6581: "execution error, memory failure",
        0x6700: "wrong length (Lc or Le)",
        0x6881: "logical channels not supported",
        0x6882: "secure messaging not supported",
        0x6883: "last command of a chain expected",
        0x6884: "command chaining not supported",
        0x6981: "command does not fit the file's structure",
        0x6982: "security status not satisfied (password or key needed)",
        0x6983: "authentication method blocked",
        0x6984: "reference data not usable",
        0x6985: "conditions of use not satisfied",
        0x6986: "command not allowed (no file selected)",
        0x6987: "secure messaging data objects missing",
        0x6988: "secure messaging data objects wrong",
        0x6A80: "wrong data in the command",
        0x6A81: "function not supported",
        0x6A82: "file or application not found",
        0x6A83: "record not found",
        0x6A84: "not enough memory in the file",
        0x6A85: "Lc does not fit the TLV structure",
        0x6A86: "wrong P1 or P2",
        0x6A87: "Lc does not fit P1-P2",
        0x6A88: "referenced data not found",
        0x6A89: "file already exists",
        0x6A8A: "application name already exists",
        0x6B00: "wrong P1-P2 (offset outside the file)",
        0x6D00: "instruction not supported",
        0x6E00: "class not supported",
        0x6F00: "error without diagnosis",
    ]
}
