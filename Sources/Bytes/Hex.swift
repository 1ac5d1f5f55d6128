#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Data {
    /// The bytes that `hex` spells, two digits each, in either case; nil for anything else.
    ///
    /// Blanks and colons between bytes are skipped, so that pasted `04:A1 b2` works.
    package init?(hex: String) {
        var bytes = Data()
        var high: UInt8?
        for character in hex {
            if let digit = character.hexDigitValue, character.isASCII {
                if let first = high {
                    bytes.append(first << 4 | UInt8(digit))
                    high = nil
                } else {
                    high = UInt8(digit)
                }
            } else if high != nil || !(character == " " || character == ":") {
                return nil
            }
        }
        guard high == nil else { return nil }
        self = bytes
    }

    /// Two lower-case digits a byte, without separators.
    package var hex: String {
        var text = ""
        text.reserveCapacity(count * 2)
        for byte in self { text += byte.hex }
        return text
    }
}

extension UInt8 {
    /// Two lower-case digits.
    package var hex: String {
        let digits = String(self, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }
}

extension UInt16 {
    /// Four lower-case digits.
    package var hex: String {
        UInt8(truncatingIfNeeded: self >> 8).hex + UInt8(truncatingIfNeeded: self).hex
    }
}
