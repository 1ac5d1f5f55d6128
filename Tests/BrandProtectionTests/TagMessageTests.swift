import BrandProtection
import Foundation
import NDEF
import TestSupport
import Testing

/// Vectors 127 to 129 of facts/nbt.md, 8.9: the messages of this test's tags are those of real
/// ones.
@Suite struct TagMessageTests {
    private func sha256(_ data: Data) throws -> Data {
        try OpenSSLTool.run { openssl in
            try openssl(["dgst", "-sha256", "-binary", try openssl.file("message", data)])
        }
    }

    @Test("the message of a personalised tag is that of the vector", .needsSampleFiles)
    func personalised() throws {
        let message = try TagMessage.personalised(SharedFiles.der("SampleDeviceCertificate.pem"))
        #expect(message.count == 793)
        #expect(message.prefix(11) == hex("91015755036F7074696761"))
        #expect(
            try sha256(message)
                == hex("395eadf5cb32f99c5d97460e41b16e6ec5d8bb73254d478b25b9fc4d697107ab")
        )
    }

    @Test(
        "a single record has the bytes of the vector under either type",
        .needsSampleFiles,
        arguments: [
            (
                BrandProtectionRecord.types[1], 678, "C42000000280696E66696E656F6E2E63",
                "2f1a53b1ca82bf494908299e6a9ed439746f4d79054359ca0d89705117bdafc3"
            ),
            (
                BrandProtectionRecord.types[0], 700, "C43600000280",
                "a3d7f8a836b07f5620d5ed22d57b9de9bd299e13902cf53b44ff414c97a482e8"
            ),
        ]
    )
    func single(type: String, count: Int, start: String, digest: String) throws {
        let der = try SharedFiles.der("SampleDeviceCertificate.pem")
        let record = try TagMessage.certificate(der, type: type, identifier: "")
        let message = NDEFMessage(records: [record]).encoded
        #expect(message.count == count)
        #expect(message.prefix(start.count / 2) == hex(start))
        #expect(try sha256(message) == hex(digest))
        #expect(try BrandProtectionRecord(record).certificate == der)
    }
}
