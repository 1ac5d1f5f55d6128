import Foundation
import NDEF
import TestSupport
import Testing

/// The type strings of facts/nbt.md, 3.1.
@Suite struct BrandProtectionRecordTests {
    @Test(
        "both type strings count, in either case",
        arguments: [
            "infineon technologies:infineon.com:nfc-bridge-tag.x509",
            "Infineon Technologies:infineon.com:nfc-bridge-tag.x509",
            "infineon.com:nfc-bridge-tag.x509",
            "INFINEON.COM:NFC-BRIDGE-TAG.X509",
        ]
    )
    func types(type: String) throws {
        let record = try NDEFRecord(
            typeNameFormat: .external,
            type: Data(type.utf8),
            identifier: hex("00"),
            payload: hex("3000")
        )
        #expect(BrandProtectionRecord.matches(record))
        #expect(try BrandProtectionRecord(record).certificate == hex("3000"))
    }

    @Test(
        "other types do not count",
        arguments: [
            (.external, "infineon.com:nfc-bridge-tag.x50"),
            (.external, "infineon.com:nfc-bridge-tag.x5099"),
            (.external, "nfc-bridge-tag.x509"),
            (.media, "infineon.com:nfc-bridge-tag.x509"),
            (.wellKnown, "infineon.com:nfc-bridge-tag.x509"),
        ] as [(NDEFRecord.TypeNameFormat, String)]
    )
    func otherTypes(format: NDEFRecord.TypeNameFormat, type: String) throws {
        let record = try NDEFRecord(typeNameFormat: format, type: Data(type.utf8))
        #expect(!BrandProtectionRecord.matches(record))
        #expect(throws: NDEFError.self) { try BrandProtectionRecord(record) }
    }

    @Test("the start of a personalised tag's message is read (vector 127)")
    func personalised() throws {
        let url =
            "optiga-nbt-cott-service.infineon.com?cott="
            + String(repeating: "PLACEHOLDER", count: 4)
        let type = "infineon technologies:infineon.com:nfc-bridge-tag.x509"
        let certificate = Data(repeating: 0xC5, count: 640)
        let bytes =
            hex("910157 55 03") + Data(url.utf8)
            + hex("4C36 00000280 01") + Data(type.utf8) + hex("00") + certificate
        #expect(bytes.count == 793)
        let message = try NDEFMessage(encoded: bytes)
        #expect(message.records.count == 2)
        let found = message.records.filter(BrandProtectionRecord.matches)
        #expect(try found.map { try BrandProtectionRecord($0).certificate } == [certificate])
        #expect(message.encoded == bytes)
    }
}
