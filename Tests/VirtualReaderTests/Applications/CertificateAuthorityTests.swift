import Foundation
import TestSupport
import Testing
import VirtualReader

/// Certificates made here, judged by the `openssl` command.
@Suite(.enabled(if: OpenSSLTool.isInstalled, "needs openssl"))
struct CertificateAuthorityTests {
    private static let uid = hex("058C3FD9D4B200")

    /// Writes anchors and device for `openssl verify`, and runs it.
    private func verify(
        _ certificate: Data,
        _ authority: CertificateAuthority,
        anchor: String,
        _ options: [String]
    ) throws -> String {
        let files = [
            "root.pem": Data(authority.rootPEM.utf8),
            "manufacturing.pem": Data(authority.manufacturingPEM.utf8),
            "device.pem": Data(
                DeviceIdentity(certificate: certificate, key: try SigningKey()).certificatePEM.utf8
            ),
        ]
        return try OpenSSLTool.withFiles(files) { tool in
            try tool.run(["verify", "-x509_strict"] + options + ["-CAfile", anchor, "device.pem"])
                .output
        }
    }

    @Test("a genuine device is trusted through root and manufacturing CA")
    func genuine() throws {
        let authority = try CertificateAuthority()
        let device = try authority.identity(uid: Self.uid)
        let complete = try verify(
            device.certificate,
            authority,
            anchor: "root.pem",
            ["-untrusted", "manufacturing.pem"]
        )
        #expect(complete.contains("device.pem: OK"))
        let partial = try verify(
            device.certificate,
            authority,
            anchor: "manufacturing.pem",
            ["-partial_chain"]
        )
        #expect(partial.contains("device.pem: OK"))
        let incomplete = try verify(device.certificate, authority, anchor: "manufacturing.pem", [])
        #expect(incomplete.contains("error 2 at 1 depth lookup"))
    }

    /// What `openssl verify` says; the other deviations leave chain and dates right.
    static let chainErrors: [CertificateAuthority.Deviation: String] = [
        .expired: "error 10 at 0 depth lookup",
        .notYetValid: "error 9 at 0 depth lookup",
        // The other authority has the same name but another key identifier.
        .foreignAuthority: "error 20 at 0 depth lookup",
    ]

    @Test(
        "chain and dates of each deviation are as it says",
        arguments: CertificateAuthority.Deviation.allCases
    )
    func deviationInChain(deviation: CertificateAuthority.Deviation) throws {
        let authority = try CertificateAuthority()
        let device = try authority.identity(uid: Self.uid, deviation: deviation)
        let output = try verify(
            device.certificate,
            authority,
            anchor: "manufacturing.pem",
            ["-partial_chain"]
        )
        #expect(output.contains(Self.chainErrors[deviation] ?? "device.pem: OK"), "\(output)")
    }

    /// What `openssl x509 -text` prints of a certificate; blanks round "=" differ from release to release.
    private func text(_ certificate: Data) throws -> String {
        try OpenSSLTool.withFiles(["der": certificate]) { tool in
            try tool.run("x509", "-inform", "DER", "-in", "der", "-noout", "-text").output
                .replacingOccurrences(of: " = ", with: "=")
        }
    }

    @Test("a genuine device certificate says what the real one says")
    func genuineContent() throws {
        let text = try text(try CertificateAuthority().identity(uid: Self.uid).certificate)
        for line in [
            "Version: 3 (0x2)", "Subject: CN=058C3FD9D4B200", "NIST CURVE: P-256",
            "ecdsa-with-SHA256", "X509v3 Basic Constraints: critical\n                CA:FALSE",
            "X509v3 Key Usage: critical\n                Digital Signature\n",
            "X509v3 Subject Key Identifier", "X509v3 Authority Key Identifier",
        ] {
            #expect(text.contains(line), "\(line) is missing in \(text)")
        }
    }

    @Test(
        "the leaf of a deviation differs in the one thing",
        arguments: [
            (CertificateAuthority.Deviation.p384Key, "NIST CURVE: P-384"),
            (.rsaKey, "Public-Key: (2048 bit)"),
            (.certificateAuthority, "CA:TRUE"),
            (.noDigitalSignature, "Key Agreement"),
            (.foreignSubject, "Subject: CN=058C3FD9D4B2FF"),
            (.foreignKey, "Subject: CN=058C3FD9D4B200"),
        ]
    )
    func deviationInLeaf(deviation: CertificateAuthority.Deviation, expected: String) throws {
        let text = try text(
            try CertificateAuthority().identity(uid: Self.uid, deviation: deviation).certificate
        )
        #expect(text.contains(expected), "\(text)")
        #expect(text.contains("Digital Signature") == (deviation != .noDigitalSignature))
    }

    @Test(
        "the signature fits the certificate unless the key is foreign",
        arguments: CertificateAuthority.Deviation.allCases
    )
    func signatureFits(deviation: CertificateAuthority.Deviation) throws {
        let device = try CertificateAuthority().identity(uid: Self.uid, deviation: deviation)
        let signature = try device.key.signature(over: hex("010203"))
        #expect(
            try OpenSSLTool.verifies(signature, over: hex("010203"), with: device.certificate)
                == (deviation != .foreignKey)
        )
    }

    @Test("dates and subject can be chosen")
    func choosable() throws {
        var profile = CertificateAuthority.DeviceProfile()
        profile.subject = "Ünlisted"
        // 2049-12-31 and 2050-01-02: the first is a UTCTime, the second a GeneralizedTime.
        profile.validity =
            Date(timeIntervalSince1970: 2_524_521_600)...Date(timeIntervalSince1970: 2_524_694_400)
        let text = try text(
            try CertificateAuthority().identity(uid: Self.uid, profile: profile).certificate
        )
        #expect(text.contains("Not Before: Dec 31 00:00:00 2049 GMT"))
        #expect(text.contains("Not After : Jan  2 00:00:00 2050 GMT"))
        #expect(text.contains("nlisted"))
    }

    @Test("a key survives its PEM text, and OpenSSL reads it")
    func keyAsPEM() throws {
        let key = try SigningKey()
        let pem = try key.pem()
        #expect(try SigningKey(Data(pem.utf8)).pem() == pem)
        let output = try OpenSSLTool.withFiles(["key": Data(pem.utf8)]) { tool in
            try tool.run("pkey", "-in", "key", "-noout", "-check").output
        }
        #expect(output.contains("Key is valid"))
    }

    @Test("a private number makes its key")
    func scalar() throws {
        // The generator itself is the public point of the number 1 (SEC 2, 2.4.2).
        let one = Data(count: 31) + [0x01]
        let pem = try SigningKey(p256Scalar: one).pem()
        let text = try OpenSSLTool.withFiles(["key": Data(pem.utf8)]) { tool in
            try tool.run("pkey", "-in", "key", "-noout", "-text_pub").output
        }
        let digits = text.filter { $0.isHexDigit || $0 == ":" }.lowercased()
        #expect(digits.contains("6b:17:d1:f2:e1:2c:42:47:f8:bc:e6:e5:63:a4:40"))
    }

    @Test(
        "numbers that are no private key are refused",
        arguments: [
            String(repeating: "00", count: 32),
            // The order of the curve (SEC 2, 2.4.2).
            "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551",
            String(repeating: "FF", count: 32), "01", "",
        ]
    )
    func refusesScalar(_ scalar: String) {
        #expect(throws: CardError.self) { try SigningKey(p256Scalar: hex(scalar)) }
    }

    @Test("bytes that are no key or certificate are refused with a reason")
    func refusesGarbage() throws {
        #expect(throws: CardError.self) { try SigningKey(hex("3003020101")) }
        #expect(throws: CardError.self) { try SigningKey(Data()) }
        #expect(throws: CardError.noPEMBlock(labels: ["PRIVATE KEY", "EC PRIVATE KEY"])) {
            try SigningKey(Data("-----BEGIN ENCRYPTED PRIVATE KEY-----\nMA==\n".utf8))
        }
        #expect(throws: CardError.self) {
            try DeviceIdentity(certificateFile: "/nowhere/at/all", keyFile: "/nowhere/at/all")
        }
    }

    @Test(
        "the sample files fit together",
        .enabled(if: SampleFiles.arePresent, "needs ../shared")
    )
    func sampleFiles() throws {
        let device = try DeviceIdentity(
            certificateFile: SampleFiles.certificate,
            keyFile: SampleFiles.key
        )
        #expect(device.certificate.count == 640)
        #expect(
            try OpenSSLTool.sha256(device.certificate)
                == "95d82f920ba7332b7701ea3809ea38760ff70ef79b3b37b3221809425ef0bc7b"
        )
        let signature = try device.key.signature(over: hex("010203"))
        #expect(try OpenSSLTool.verifies(signature, over: hex("010203"), with: device.certificate))
        // The scalar of facts/nbt.md, part 10.
        let scalar = hex("3A31AEE70E5EB5FDDE06B3BC83733E32DAAE7F1DA39731E5C14440F3C43E92B5")
        let second = try SigningKey(p256Scalar: scalar).signature(over: hex("010203"))
        #expect(try OpenSSLTool.verifies(second, over: hex("010203"), with: device.certificate))
    }
}
