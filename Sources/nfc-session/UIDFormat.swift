import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a UID is written.
///
/// Other systems show the same tag in other ways (facts/users.md, 3c). A UID has 4, 7, 8 or 10 bytes; some formats keep less, so that two tags may look the same: `isLossy`.
enum UIDFormat: String, Sendable, CaseIterable {
    /// Two digits a byte: `04a1b2c3d4e580`. The order of the bytes is the one the tag sends.
    case hex
    /// The same in capitals: `04A1B2C3D4E580`.
    case upperHex = "HEX"
    /// With colons between the bytes: `04:a1:b2:c3:d4:e5:80`.
    case colons = "hex:"
    /// Last byte first: `80e5d4c3b2a104`.
    case reversed
    /// All bytes as one number, the first byte counting most.
    case decimal
    /// The last four bytes as a number of ten digits, the first byte counting most: `0013961168`
    /// for 00 D5 07 D0.
    case decimal10
    /// The first three bytes, last one first, as 26-bit Wiegand readers send them: facility code and
    /// number, `213,02000` for D0 07 D5.
    case wiegand26
    /// The first four bytes, last one first, as 34-bit Wiegand readers send them: a number of ten
    /// digits.
    case wiegand34

    /// `uid` in this format.
    func callAsFunction(_ uid: Data) -> String {
        switch self {
        case .hex: uid.hex
        case .upperHex: uid.hex.uppercased()
        case .colons: uid.map(\.hex).joined(separator: ":")
        case .reversed: Data(uid.reversed()).hex
        case .decimal: Self.decimal(uid)
        case .decimal10: Self.padded(Self.number(uid.suffix(4)), to: 10)
        case .wiegand26:
            Self.padded(Self.number(uid.prefix(3).reversed()) >> 16, to: 3) + ","
                + Self.padded(Self.number(uid.prefix(3).reversed()) & 0xFFFF, to: 5)
        case .wiegand34: Self.padded(Self.number(uid.prefix(4).reversed()), to: 10)
        }
    }

    /// What the format loses, as half a sentence; nil when the UID can be read back from it.
    ///
    /// Among 15,000 tags, `wiegand26` is expected to make about 7 pairs look the same (facts/users.md,
    /// 3c).
    var loss: String? {
        switch self {
        case .hex, .upperHex, .colons, .reversed: nil
        case .decimal: "does not show how many bytes the UID has"
        case .decimal10: "keeps the last four bytes only"
        case .wiegand26: "keeps the first three bytes only"
        case .wiegand34: "keeps the first four bytes only"
        }
    }

    /// Big-endian number of at most eight bytes.
    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func padded(_ number: UInt64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Decimal digits of a number of any length: multiplies by 256 and adds, digit by digit.
    private static func decimal(_ bytes: Data) -> String {
        var digits: [Int] = [0]
        for byte in bytes {
            var carry = Int(byte)
            for place in digits.indices {
                carry += digits[place] << 8
                digits[place] = carry % 10
                carry /= 10
            }
            while carry > 0 {
                digits.append(carry % 10)
                carry /= 10
            }
        }
        return digits.reversed().map(String.init).joined()
    }
}
