import BrandProtection
import Foundation
import NBT
import TestSupport
import Testing

/// The key and the message that a tag is personalised with (facts/nbt.md, 2.7 and 3.1).
@Suite struct DeviceKeyTests {
    @Test("the sample key's private number is that of the sheet (10)", .needsSampleFiles)
    func sampleKey() throws {
        let key = try DeviceKey(try SharedFiles.data("SampleDeviceKey.pem"))
        #expect(
            key.scalar.bytes
                == hex("3A31AEE70E5EB5FDDE06B3BC83733E32DAAE7F1DA39731E5C14440F3C43E92B5")
        )
    }

    @Test("vector 127: the message that is written is that of the sample tag", .needsSampleFiles)
    func sampleMessage() throws {
        let certificate = try SharedFiles.sampleDevice
        let key = try DeviceKey(try SharedFiles.data("SampleDeviceKey.pem"))
        let content = try PersonalisationPlan.Content.brandProtection(
            certificate: certificate,
            key: key
        )
        let message = try #require(content.message)
        #expect(message.count == 793)
        #expect(message.starts(with: hex("91015755036F7074696761")))
        #expect(
            message.dropFirst(91).starts(with: hex("4C360000028001696E66696E656F6E20"))
        )
        #expect(
            try OpenSSLTool.run { openssl in
                String(
                    decoding: try openssl([
                        "dgst", "-sha256", "-r", try openssl.file("message", message),
                    ]),
                    as: UTF8.self
                )
            }.hasPrefix("395eadf5cb32f99c5d97460e41b16e6ec5d8bb73254d478b25b9fc4d697107ab")
        )
    }

    @Test("a key of another kind, or none, is refused with the reason")
    func refused() throws {
        let p384 = try TestAuthority().identity.key
        #expect(throws: BrandProtectionError.unusableKey("it is not on the curve P-256")) {
            try DeviceKey(p384)
        }
        for text in ["", "garbage", "-----BEGIN PRIVATE KEY-----\nAAAA\n"] {
            #expect(throws: BrandProtectionError.self) { try DeviceKey(Data(text.utf8)) }
        }
        #expect(throws: BrandProtectionError.self) { try DeviceKey(hex("3003020101")) }
    }

    @Test("a key that is not the certificate's is refused before it is written")
    func mismatch() throws {
        let authority = try TestAuthority()
        let tag = try authority.issue()
        let other = try authority.issue()
        let key = try DeviceKey(tag.key)
        #expect(key.belongs(to: try tag.certificate))
        #expect(!key.belongs(to: try other.certificate))
        #expect(throws: BrandProtectionError.self) {
            try PersonalisationPlan.Content.brandProtection(
                certificate: try other.certificate,
                key: key
            )
        }
    }
}
