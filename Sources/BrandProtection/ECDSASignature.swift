import Bytes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An ECDSA signature of P-256 as AUTHENTICATE TAG answers it: a DER SEQUENCE of two INTEGERs
/// (facts/nbt.md, 2.4).
///
/// Only the form is checked here, so that a garbled answer is told from a wrong signature. Never
/// use the bytes as an identity: whoever sees (r, s) can write (r, n-s), which is valid too.
package struct ECDSASignature: Sendable {
    /// The signature in DER, at most 72 bytes.
    package let der: Data

    /// Takes a signature's bytes, or returns nil if they are none.
    package init?(der: Data) {
        var reader = ByteReader(der)
        guard let tag = try? reader.byte(), tag == 0x30,
            let length = try? reader.byte(), Int(length) == reader.remaining,
            Self.skipInteger(&reader), Self.skipInteger(&reader), reader.isAtEnd
        else { return nil }
        self.der = der
    }

    /// Skips a non-negative INTEGER of up to 32 bytes and a sign byte, in the one form that DER
    /// allows.
    private static func skipInteger(_ reader: inout ByteReader) -> Bool {
        guard let tag = try? reader.byte(), tag == 0x02,
            let length = try? reader.byte(), (1...33).contains(length),
            let number = try? reader.bytes(Int(length))
        else { return false }
        var digits = ByteReader(number)
        guard let first = try? digits.byte(), first < 0x80 else { return false }
        if first > 0 { return length <= 32 }
        // A leading zero is there only to keep the number from being negative.
        guard let second = digits.peek() else { return true }
        return second >= 0x80
    }
}
