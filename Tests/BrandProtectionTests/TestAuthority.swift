import BrandProtection
import Foundation
import Testing

/// A certificate authority with the shape of the NBT's (facts/nbt.md, 3.3), made by `openssl`.
struct TestAuthority: Sendable {
    /// A certificate with its private key.
    struct Identity: Sendable {
        let der: Data
        let pem: Data
        let key: Data

        var certificate: Certificate {
            get throws { try Certificate(der: der) }
        }
    }

    /// Long enough to make a message of four reads, as with the NBT's own certificates.
    static let organisation = "nfc-session, an authority that lives only in tests"
    static let caExtensions = "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n"
    static let tagExtensions =
        "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n"

    let identity: Identity

    var anchors: TrustAnchors {
        get throws { try TrustAnchors([identity.certificate]) }
    }

    /// A CA with a P-384 key, self-signed.
    init(name: String = "Test CA") throws {
        identity = try Self.make(
            subject: name,
            extensions: Self.caExtensions,
            curve: "P-384",
            days: 7300,
            issuer: nil
        )
    }

    /// An authority that another one signed.
    init(name: String, issuer: TestAuthority) throws {
        identity = try Self.make(
            subject: name,
            extensions: Self.caExtensions,
            curve: "P-384",
            days: 7300,
            issuer: issuer.identity
        )
    }

    private init(identity: Identity) { self.identity = identity }

    /// The same CA, name and key, with a validity of its own.
    func renewed(days: Int) throws -> TestAuthority {
        TestAuthority(
            identity: try Self.make(
                subject: try identity.certificate.subjectCommonName ?? "",
                extensions: Self.caExtensions,
                key: identity.key,
                days: days,
                issuer: nil
            )
        )
    }

    /// A certificate for a tag; the curve "RSA" stands for an RSA key.
    func issue(
        subject: String = "05A1B2C3D4E5F6",
        extensions: String = tagExtensions,
        curve: String = "P-256",
        days: Int = 3650
    ) throws -> Identity {
        try Self.make(
            subject: subject,
            extensions: extensions,
            curve: curve,
            days: days,
            issuer: identity
        )
    }

    /// A certificate that any identity signed, also one that has no right to.
    static func certificate(subject: String, signedBy issuer: Identity) throws -> Certificate {
        try make(
            subject: subject,
            extensions: tagExtensions,
            curve: "P-256",
            days: 30,
            issuer: issuer
        ).certificate
    }

    private static func make(
        subject: String,
        extensions: String,
        curve: String = "P-256",
        key: Data? = nil,
        days: Int,
        issuer: Identity?
    ) throws -> Identity {
        try OpenSSLTool.run { openssl in
            // All names are in the configuration, so that the system's one plays no part.
            let configuration = """
                [req]
                prompt = no
                utf8 = yes
                distinguished_name = name
                x509_extensions = extensions
                [name]
                CN = \(subject)
                C = DE
                O = \(organisation)
                OU = \(organisation)
                [extensions]
                subjectKeyIdentifier = hash

                """ + extensions
            var arguments = [
                "req", "-new", "-x509", "-nodes", "-days", "\(days)",
                "-config", try openssl.file("openssl.cnf", Data(configuration.utf8)),
            ]
            if let key {
                arguments += ["-key", try openssl.file("key.pem", key)]
            } else {
                arguments += ["-keyout", "key.pem", "-newkey"]
                arguments +=
                    curve == "RSA"
                    ? ["rsa:2048"] : ["ec", "-pkeyopt", "ec_paramgen_curve:\(curve)"]
            }
            if let issuer {
                arguments += [
                    "-CA", try openssl.file("issuer.pem", issuer.pem),
                    "-CAkey", try openssl.file("issuer-key.pem", issuer.key),
                    "-set_serial", "0x08000002", "-sha256",
                ]
            } else {
                arguments += ["-set_serial", "0x12345678", "-sha384"]
            }
            let pem = try openssl(arguments)
            return Identity(
                der: try contents(of: pem),
                pem: pem,
                key: try key ?? openssl.contents("key.pem")
            )
        }
    }

    /// The bytes between the lines of a PEM text.
    private static func contents(of pem: Data) throws -> Data {
        let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n")
            .drop { $0 != "-----BEGIN CERTIFICATE-----" }.dropFirst()
            .prefix { $0 != "-----END CERTIFICATE-----" }
        return try #require(Data(base64Encoded: lines.joined()))
    }
}
