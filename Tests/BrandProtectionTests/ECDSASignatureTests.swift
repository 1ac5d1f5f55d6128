import BrandProtection
import Foundation
import TestSupport
import Testing

/// DER of ECDSA-Sig-Value: SEQUENCE of two INTEGERs, each in its one form (X.690, 8.3 and 10.1).
@Suite struct ECDSASignatureTests {
    static let high = String(repeating: "FF", count: 32)
    static let low = String(repeating: "7F", count: 32)

    @Test(
        "well-formed signatures are taken",
        arguments: [
            "3006 020101 020101",
            "3006 020100 020100",
            "3008 02020080 02020080",
            "3044 0220" + low + "0220" + low,
            "3046 022100" + high + "022100" + high,
            "3045 0220" + low + "022100" + high,
        ]
    )
    func wellFormed(text: String) {
        #expect(ECDSASignature(der: hex(text))?.der == hex(text))
    }

    @Test(
        "everything else is refused",
        arguments: [
            "",
            "30",
            "3000",
            "3003 020101",  // one number
            "3009 020101 020101 020101",  // three
            "3106 020101 020101",  // no SEQUENCE
            "3006 030101 020101",  // no INTEGER
            "3007 020101 020101",  // length beyond the end
            "3005 020101 020101",  // length before the end
            "3006 020101 020101 00",  // trailing byte
            "3005 0200 020101",  // number without bytes
            "3006 020180 020101",  // negative
            "3007 02020001 020101",  // needless zero
            "3007 02020000 020101",
            "3047 0221" + "01" + high + "022100" + high,  // 33 bytes without a sign byte
            "3048 022200" + "80" + high + "022100" + high,  // 34 bytes
            "308106 020101 020101",  // long form of a short length
            "3006 020201 020101",  // inner length beyond the outer
        ]
    )
    func malformed(text: String) {
        #expect(ECDSASignature(der: hex(text)) == nil)
    }

    @Test("a raw signature of 64 bytes is none")
    func raw() {
        #expect(ECDSASignature(der: Data(repeating: 0x30, count: 64)) == nil)
    }
}
