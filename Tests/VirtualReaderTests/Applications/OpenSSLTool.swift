import Foundation

/// The `openssl` command: the judge of certificates and signatures, and no part of our code.
struct OpenSSLTool {
    static let path = "/usr/bin/openssl"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    private let folder: URL

    /// Works on files in a folder that exists only while `body` runs.
    static func withFiles<Result>(
        _ files: [String: Data],
        _ body: (OpenSSLTool) throws -> Result
    ) throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("nfc-session-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, content) in files {
            try content.write(to: folder.appendingPathComponent(name))
        }
        return try body(OpenSSLTool(folder: folder))
    }

    /// Runs one command in the folder; gives its exit status and all it printed.
    func run(_ arguments: String...) throws -> (status: Int32, output: String) {
        try run(arguments)
    }

    /// Runs one command in the folder; gives its exit status and all it printed.
    func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.path)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// The SHA-256 of some bytes, in lower-case hex.
    static func sha256(_ bytes: Data) throws -> String {
        try withFiles(["bytes": bytes]) { tool in
            let (_, output) = try tool.run("dgst", "-sha256", "-r", "bytes")
            return String(output.prefix(64))
        }
    }

    /// Whether `signature` over `message` is right for the public key of a certificate (DER).
    static func verifies(_ signature: Data, over message: Data, with certificate: Data) throws
        -> Bool
    {
        try withFiles(["signature": signature, "message": message, "der": certificate]) { tool in
            let key = try tool.run(
                "x509",
                "-inform",
                "DER",
                "-in",
                "der",
                "-pubkey",
                "-noout",
                "-out",
                "key"
            )
            guard key.status == 0 else { return false }
            let result = try tool.run(
                "dgst",
                "-sha256",
                "-verify",
                "key",
                "-signature",
                "signature",
                "message"
            )
            return result.status == 0 && result.output.contains("Verified OK")
        }
    }
}

/// The files that Infineon published with its samples; they are beside the package, not in it.
enum SampleFiles {
    private static let folder = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../../shared/data/nbt").standardizedFileURL

    static let certificate = path("SampleDeviceCertificate.pem")
    static let key = path("SampleDeviceKey.pem")
    static let manufacturingCA = path("SampleRootCertificate.pem")
    static var arePresent: Bool {
        [certificate, key, manufacturingCA].allSatisfy(FileManager.default.fileExists(atPath:))
    }

    private static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
