import Bytes
package import Foundation

/// A CA and a tag's certificate with its key, made by the `openssl` command in the shape of the NBT's (facts/nbt.md,
/// 3.3): the CA on P-384, the tag on P-256 with its UID as its name.
package struct OpenSSLChain: Sendable {
    /// The CA's certificate as PEM text.
    package let anchorPEM: Data
    /// The tag's certificate in DER.
    package let certificate: Data
    /// The tag's private key, PKCS#8 as PEM text.
    package let keyPEM: Data

    /// Whether `openssl` is there.
    package static var isInstalled: Bool { Process.find("openssl") != nil }

    /// `openssl` is missing or refused; what it said.
    package struct Failure: Error {
        package let text: String
    }

    /// Makes a chain for a tag with this UID.
    package init(uid: Data) async throws {
        guard let openssl = Process.find("openssl") else { throw Failure(text: "not installed") }
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("nfc-session-chain-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        func run(_ arguments: [String]) async throws {
            let result = try await Process.run(openssl, arguments)
            guard result.status == 0 else { throw Failure(text: result.standardError) }
        }
        func configuration(_ name: String, _ extensions: String) -> Data {
            let text = """
                [req]
                prompt = no
                distinguished_name = name
                x509_extensions = extensions
                [name]
                CN = \(name)
                O = nfc-session tests
                [extensions]
                \(extensions)

                """
            return Data(text.utf8)
        }
        try configuration(
            "Test manufacturing CA",
            "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign"
        ).write(to: folder.appendingPathComponent("ca.cnf"))
        try configuration(
            uid.hex.uppercased(),
            "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature"
        ).write(to: folder.appendingPathComponent("tag.cnf"))
        let new = ["req", "-new", "-x509", "-nodes", "-days", "30", "-newkey", "ec", "-pkeyopt"]
        try await run(
            new + [
                "ec_paramgen_curve:P-384", "-sha384", "-config", path("ca.cnf"),
                "-keyout", path("ca.key"), "-out", path("ca.pem"),
            ]
        )
        try await run(
            new + [
                "ec_paramgen_curve:P-256", "-sha256", "-config", path("tag.cnf"),
                "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
                "-keyout", path("tag.key"), "-out", path("tag.der"), "-outform", "DER",
            ]
        )
        anchorPEM = try Data(contentsOf: folder.appendingPathComponent("ca.pem"))
        certificate = try Data(contentsOf: folder.appendingPathComponent("tag.der"))
        keyPEM = try Data(contentsOf: folder.appendingPathComponent("tag.key"))
    }
}
