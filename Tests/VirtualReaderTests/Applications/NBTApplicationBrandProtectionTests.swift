import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// Brand protection on the tag (facts/nbt.md, parts 3, 8.9 and 10).
@Suite struct NBTApplicationBrandProtectionTests {
    private static let select = Step("00A4040007D276000085010100", "9000")

    struct Vector: Sendable {
        let number: Int
        let typeString: BrandProtectionMessage.TypeString
        let url: String?
        let recordID: String
        let length: Int
        let start: String
        let sha256: String
    }

    static let vectors = [
        Vector(
            number: 127,
            typeString: .long,
            url: BrandProtectionMessage.sampleURL,
            recordID: "00",
            length: 793,
            start: "91015755036F7074696761",
            sha256: "395eadf5cb32f99c5d97460e41b16e6ec5d8bb73254d478b25b9fc4d697107ab"
        ),
        Vector(
            number: 128,
            typeString: .short,
            url: nil,
            recordID: "",
            length: 678,
            start: "C42000000280696E66696E656F6E2E63",
            sha256: "2f1a53b1ca82bf494908299e6a9ed439746f4d79054359ca0d89705117bdafc3"
        ),
        Vector(
            number: 129,
            typeString: .long,
            url: nil,
            recordID: "",
            length: 700,
            start: "C43600000280",
            sha256: "a3d7f8a836b07f5620d5ed22d57b9de9bd299e13902cf53b44ff414c97a482e8"
        ),
    ]

    @Test(
        "the sample message has the sheet's bytes",
        .enabled(
            if: SampleFiles.arePresent && OpenSSLTool.isInstalled,
            "needs ../shared and openssl"
        ),
        arguments: vectors
    )
    func sampleMessage(_ vector: Vector) throws {
        let identity = try DeviceIdentity(
            certificateFile: SampleFiles.certificate,
            keyFile: SampleFiles.key
        )
        let message = BrandProtectionMessage(
            certificates: [identity.certificate],
            typeString: vector.typeString,
            url: vector.url,
            recordID: hex(vector.recordID)
        ).bytes
        #expect(message.count == vector.length)
        #expect(message.starts(with: hex(vector.start)))
        #expect(try OpenSSLTool.sha256(message) == vector.sha256)
        if vector.number == 127 {
            #expect(
                message.dropFirst(91).starts(with: hex("4C360000028001696E66696E656F6E20"))
            )
        }
    }

    @Test(
        "the sample tag goes through the sheet's seven exchanges",
        .enabled(
            if: SampleFiles.arePresent && OpenSSLTool.isInstalled,
            "needs ../shared and openssl"
        )
    )
    func sampleExchange() throws {
        let identity = try DeviceIdentity(
            certificateFile: SampleFiles.certificate,
            keyFile: SampleFiles.key
        )
        let tag = try NBTApplication.brandProtection(identity)
        expect(tag, answers: [Self.select, Step("00A4000C02E10400", "9000")])
        var file = Data()
        for (command, count) in [
            ("00B0000000", 256), ("00B0010000", 256), ("00B0020000", 256), ("00B003001B", 27),
        ] {
            let answer = tag.respond(to: hex(command))
            #expect(answer.count == count + 2)
            #expect(answer.suffix(2) == hex("9000"))
            file += answer.dropLast(2)
        }
        #expect(file.prefix(2) == hex("0319"))
        #expect(
            try OpenSSLTool.sha256(Data(file.dropFirst(2)))
                == "395eadf5cb32f99c5d97460e41b16e6ec5d8bb73254d478b25b9fc4d697107ab"
        )
        let answer = tag.respond(to: hex("0088000008010203040506070800"))
        #expect(answer.suffix(2) == hex("9000"))
        #expect(
            try OpenSSLTool.verifies(
                Data(answer.dropLast(2)),
                over: hex("0102030405060708"),
                with: identity.certificate
            )
        )
    }

    @Test("the personalised tag has the app's policy and control TLVs")
    func personalisedState() throws {
        let identity = DeviceIdentity(certificate: hex("3000"), key: try SigningKey())
        let tag = try NBTApplication.brandProtection(identity)
        expect(
            tag,
            answers: [
                Self.select, Step("00A4000C02E1AF00", "9000"),
                Step(
                    "00B0000000",
                    "E10300004000 E10400004000 E1A100000000 E1A200000000 E1A300000000 E1A400000000"
                        + "E1AF40404040 9000"
                ),
                Step("00A4000C02E10300", "9000"),
                Step(
                    "00B0000F20",
                    "0506E1A10400FFFF 0506E1A20400FFFF 0506E1A30400FFFF 0506E1A40400FFFF 9000"
                ),
                Step("00A4000C02E1A100", "9000"), Step("00B0000001", "6982"),
                Step("00A4000C02E10400", "9000"), Step("00D6000001EE", "6982"),
            ]
        )
        #expect(tag.policies == .brandProtection)
    }

    @Test(
        "every signature is over the challenge alone",
        .enabled(if: OpenSSLTool.isInstalled, "needs openssl"),
        arguments: [1, 8, 32, 255]
    )
    func signsChallenge(length: Int) throws {
        let identity = try CertificateAuthority().identity(uid: NBTApplication.sampleUID)
        let tag = try NBTApplication.brandProtection(identity)
        expect(tag, answers: [Self.select])
        let challenge = Data((0..<length).map { UInt8($0) })
        let command = Data([0x00, 0x88, 0x00, 0x00, UInt8(length)]) + challenge + [0x00]
        let answer = tag.respond(to: command)
        #expect(answer.suffix(2) == hex("9000"))
        // DER: SEQUENCE of two INTEGERs, minimal.
        #expect(answer.first == 0x30)
        #expect(answer.count <= 74)
        let signature = Data(answer.dropLast(2))
        #expect(
            try OpenSSLTool.verifies(signature, over: challenge, with: identity.certificate)
        )
        #expect(
            try !OpenSSLTool.verifies(
                signature,
                over: challenge + [0x00],
                with: identity.certificate
            )
        )
    }

    @Test(
        "a foreign key gives a signature that the certificate does not verify",
        .enabled(if: OpenSSLTool.isInstalled, "needs openssl")
    )
    func foreignKey() throws {
        let identity = try CertificateAuthority()
            .identity(uid: NBTApplication.sampleUID, deviation: .foreignKey)
        let tag = try NBTApplication.brandProtection(identity)
        expect(tag, answers: [Self.select])
        let answer = tag.respond(to: hex("0088000008010203040506070800"))
        #expect(answer.suffix(2) == hex("9000"))
        #expect(
            try !OpenSSLTool.verifies(
                Data(answer.dropLast(2)),
                over: hex("0102030405060708"),
                with: identity.certificate
            )
        )
    }

    @Test(
        "the URL is abbreviated",
        arguments: [
            ("http://www.infineon.com", "D1010D5501696E66696E656F6E2E636F6D"),
            ("https://infineon.com/a", "D1010F5504696E66696E656F6E2E636F6D2F61"),
            ("HTTP://x", "D101095500485454503A2F2F78"),
        ]
    )
    func abbreviatesURL(url: String, expected: String) {
        #expect(BrandProtectionMessage(certificates: [], url: url).bytes == hex(expected))
    }

    @Test("two certificates make two records, none makes none")
    func severalCertificates() {
        let two = BrandProtectionMessage(
            certificates: [hex("3001AA"), hex("3001BB")],
            typeString: .short,
            url: nil,
            recordID: Data()
        )
        let type = Data("infineon.com:nfc-bridge-tag.x509".utf8)
        #expect(
            two.bytes == hex("942003") + type + hex("3001AA") + hex("542003") + type + hex("3001BB")
        )
        #expect(BrandProtectionMessage(certificates: [], url: nil).bytes.isEmpty)
    }

    @Test("a certificate too long for the file is refused")
    func refusesLongCertificate() throws {
        let key = try SigningKey()
        #expect(throws: CardError.self) {
            try NBTApplication.brandProtection(
                DeviceIdentity(certificate: Data(count: 4096), key: key)
            )
        }
        #expect(throws: CardError.self) {
            try NBTApplication.brandProtection(
                DeviceIdentity(certificate: Data(count: 70_000), key: key)
            )
        }
    }
}
