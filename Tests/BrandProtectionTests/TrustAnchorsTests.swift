import BrandProtection
import Foundation
import Testing

@Suite struct TrustAnchorsTests {
    /// Writes a file, hands its path on, and removes it.
    private func withFile(_ contents: Data, _ body: (String) throws -> Void) throws {
        try OpenSSLTool.run { openssl in try body(try openssl.file("anchors.pem", contents)) }
    }

    private func names(_ anchors: TrustAnchors) -> [String] { anchors.anchors.map(\.name) }

    @Test("a PEM file may hold several certificates, and there may be several files")
    func files() throws {
        let first = try TestAuthority(name: "First").identity.pem
        let second = try TestAuthority(name: "Second").identity.pem
        try withFile(first + Data("a comment\n".utf8) + second) { path in
            #expect(names(try TrustAnchors(pemFiles: [path])) == ["First", "Second"])
            try withFile(first) { other in
                let anchors = try TrustAnchors(pemFiles: [path, other])
                #expect(names(anchors) == ["First", "Second", "First"])
            }
        }
    }

    @Test("a private key in the file is passed over")
    func privateKey() throws {
        let identity = try TestAuthority(name: "First").identity
        #expect(names(try TrustAnchors(pem: identity.key + identity.pem)) == ["First"])
    }

    @Test("an encrypted private key is passed over without asking for its password")
    func encryptedKey() throws {
        let identity = try TestAuthority(name: "First").identity
        let encrypted = try OpenSSLTool.run { openssl in
            try openssl([
                "ec", "-in", try openssl.file("key.pem", identity.key), "-aes128",
                "-passout", "pass:secret",
            ])
        }
        #expect(String(decoding: encrypted, as: UTF8.self).contains("ENCRYPTED"))
        #expect(names(try TrustAnchors(pem: encrypted + identity.pem)) == ["First"])
    }

    @Test("what gives no anchor is refused")
    func none() throws {
        let identity = try TestAuthority().identity
        let text = String(decoding: identity.pem, as: UTF8.self)
        let unusable = [
            Data(),
            Data("nothing\n".utf8),
            identity.key,
            identity.der,
            // Base64 that is cut, and that spells no certificate.
            Data(text.prefix(200).utf8),
            Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8),
            Data("-----BEGIN CERTIFICATE-----\n*\n-----END CERTIFICATE-----\n".utf8),
            // A good one does not excuse a broken one.
            identity.pem + Data(text.prefix(200).utf8),
        ]
        for pem in unusable {
            #expect(throws: BrandProtectionError.self) { try TrustAnchors(pem: pem) }
        }
        #expect(throws: BrandProtectionError.self) { try TrustAnchors([]) }
        #expect(throws: BrandProtectionError.self) { try TrustAnchors(pemFiles: []) }
    }

    @Test("an unusable file is named")
    func named() throws {
        try withFile(Data("nothing\n".utf8)) { path in
            #expect(
                throws: BrandProtectionError.unusableAnchors(
                    "\(path) holds no certificate in PEM form."
                )
            ) {
                try TrustAnchors(pemFiles: [path])
            }
        }
        #expect(
            throws: BrandProtectionError.unusableAnchors(
                "/nowhere/ca.pem cannot be read; check the path and its permissions."
            )
        ) {
            try TrustAnchors(pemFiles: ["/nowhere/ca.pem"])
        }
    }

    @Test("an enormous file is refused")
    func enormous() throws {
        try withFile(Data(count: TrustAnchors.maximumFileSize + 1)) { path in
            #expect(throws: BrandProtectionError.self) { try TrustAnchors(pemFiles: [path]) }
        }
    }

    @Test("the sample CA is known as such, the production CA is not", .needsSampleFiles)
    func sample() throws {
        let anchors = try TrustAnchors(
            pemFiles: [
                SharedFiles.path("SampleRootCertificate.pem"),
                SharedFiles.path("NFCBridgeCLTagDevicesManufacturingCA.pem"),
            ])
        #expect(anchors.anchors.map(\.isSample) == [true, false])
    }

    @Test("a name that could fool a terminal is made safe")
    func name() throws {
        let anchors = try TestAuthority(name: "Fine\u{1B}[2JCA").anchors
        #expect(names(anchors) == ["Fine\u{FFFD}[2JCA"])
    }
}
