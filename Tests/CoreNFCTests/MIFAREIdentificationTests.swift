import CoreNFC
import NFCReader
import TestSupport
import Testing

/// How the families of `TypeAProduct` show in CoreNFC; its products have a test of their own (`TypeAProductTests`).
@Suite struct MIFAREIdentificationTests {
    // Fact 2.8: SAK-to-family mapping
    @Test(
        "A tag's family follows from what product it is",
        arguments: [
            ("NTAG213", 0x0044, 0x00, nil, .ultralight),
            ("Classic 1K", 0x0004, 0x08, nil, .unknown),
            ("Skylander", 0x0F01, 0x01, nil, .unknown), ("Plus X SL2", 0x0044, 0x10, nil, .plus),
            ("Plus X SL3", 0x0044, 0x20, "0c75778002c1052f2f01bcd6", .plus),
            ("DESFire", 0x0344, 0x20, "067577810280", .desfire),
            ("NTAG 424 DNA", 0x0344, 0x20, "067777710280", .desfire),
            ("SmartMX", 0x0004, 0x28, "0578807002", .unknown),
            ("phone", 0x0004, 0x20, "0578807002", nil),
        ] as [(String, UInt16, UInt8, String?, NFCMiFareFamily?)]
    )
    func family(product: String, atqa: UInt16, sak: UInt8, ats: String?, family: NFCMiFareFamily?) {
        let target = TypeATarget(
            atqa: atqa,
            sak: sak,
            uid: hex("04112233445566"),
            ats: ats.map { hex($0) }
        )
        #expect(target.miFareFamily == family, "\(product)")
    }
}
