import Foundation
import NFCReader
import TestSupport
import Testing

/// The tables of facts/pn532.md 7.1, 7.2 and 7.4.
@Suite struct TagTypeTests {
    @Test(
        "is named by what activation says",
        arguments: [
            (0x0004, 0x08, nil, "MIFARE Classic 1K"), (0x0044, 0x08, nil, "MIFARE Classic 1K"),
            (0x0002, 0x18, nil, "MIFARE Classic 4K"), (0x0004, 0x09, nil, "MIFARE Classic Mini"),
            (0x0044, 0x00, nil, "MIFARE Ultralight or NTAG"),
            (0x0344, 0x20, "067577810280", "MIFARE DESFire"),
            (0x0344, 0x20, "067777710280", "NTAG 424 DNA"),
            (0x0044, 0x20, "0c75778002c1052f2f01bcd6", "MIFARE Plus"),
            (0x0048, 0x20, "0d7877b1024a434f5076323431", "ISO 14443-4"),
            (0x0004, 0x20, "0578807002", "ISO 14443-4"),
            (0x0044, 0x20, "00", "ISO 14443-4"),
            (0x0F01, 0x01, nil, "ISO 14443 type A"),
        ] as [(UInt16, UInt8, String?, String)]
    )
    func namesByActivation(atqa: UInt16, sak: UInt8, ats: String?, name: String) {
        let target = TypeATarget(
            atqa: atqa,
            sak: sak,
            uid: hex("04010203"),
            ats: ats.map { hex($0) }
        )
        #expect(TagType.name(of: .typeA(target)) == name)
    }

    @Test(
        "is named by GET_VERSION",
        arguments: [
            ("0004030101000b03", "MIFARE Ultralight EV1 MF0UL11"),
            ("0004030101000e03", "MIFARE Ultralight EV1 MF0UL21"),
            ("0004040101000b03", "NTAG210"), ("0004040101000e03", "NTAG212"),
            ("0004040201000f03", "NTAG213"), ("0004040201001103", "NTAG215"),
            ("0004040201001303", "NTAG216"), ("0004040502021303", "NTAG I2C plus 1k"),
            ("0004040502021503", "NTAG I2C plus 2k"),
            ("0004040201", "MIFARE Ultralight or NTAG"), ("", "MIFARE Ultralight or NTAG"),
        ]
    )
    func namesByVersion(version: String, name: String) {
        let target = Target.typeA(
            TypeATarget(atqa: 0x44, sak: 0, uid: hex("04010203040506"), ats: nil)
        )
        #expect(TagType.needsVersion(target))
        #expect(TagType.name(of: target, version: hex(version)) == name)
    }
}
