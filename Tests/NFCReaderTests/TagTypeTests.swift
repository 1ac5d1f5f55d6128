import Foundation
import NFCReader
import TestSupport
import Testing

/// GET_VERSION by the table of facts/pn532.md, 7.4; Nano, AES and the first NTAG I2C as Proxmark3 lists them.
@Suite struct TagTypeTests {
    @Test(
        "is named by GET_VERSION",
        arguments: [
            ("0004030101000b03", "MIFARE Ultralight EV1 MF0UL11"),
            ("0004030101000e03", "MIFARE Ultralight EV1 MF0UL21"),
            ("0004040101000b03", "NTAG210"), ("0004040101000e03", "NTAG212"),
            ("0004040201000f03", "NTAG213"), ("0004040201001103", "NTAG215"),
            ("0004040201001303", "NTAG216"), ("0004040502021303", "NTAG I2C plus 1k"),
            ("0004040502021503", "NTAG I2C plus 2k"),
            ("0004030102000b03", "MIFARE Ultralight Nano"),
            ("0004030201000b03", "MIFARE Ultralight EV1 MF0UL11"),
            ("0004030104000f03", "MIFARE Ultralight AES"),
            ("0004040502011303", "NTAG I2C 1k"), ("0004040502011503", "NTAG I2C 2k"),
            // Another maker's, another type, another size.
            ("0053040201000f03", "MIFARE Ultralight or NTAG"),
            ("0004050201000f03", "MIFARE Ultralight or NTAG"),
            ("0004040201007f03", "MIFARE Ultralight or NTAG"),
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
