import Foundation

/// Debian's `openssl` program: an independent maker of keys, certificates and signatures.
struct OpenSSLTool {
    struct Failed: Error {
        let arguments: [String]
        let message: String
    }

    /// A folder for the files of one job, which is removed after it.
    private let folder: URL

    /// Runs a job in a folder of its own.
    static func run<Result>(_ job: (OpenSSLTool) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("nfc-session-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try job(OpenSSLTool(folder: folder))
    }

    /// The path of a file of the job, with these contents.
    func file(_ name: String, _ contents: Data) throws -> String {
        let url = folder.appendingPathComponent(name)
        try contents.write(to: url)
        return url.path
    }

    /// The contents of a file that `openssl` wrote.
    func contents(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appendingPathComponent(name))
    }

    /// Runs `openssl` with these arguments and returns what it prints.
    @discardableResult
    func callAsFunction(_ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        let output = Pipe()
        let errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // What it says on the error channel fits the pipe, so one after the other does not block.
        let data = output.fileHandleForReading.readDataToEndOfFile()
        let message = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(
                arguments: arguments,
                message: String(decoding: message, as: UTF8.self)
            )
        }
        return data
    }

    /// An ECDSA signature over SHA-256 of a message, with a private key in PEM.
    static func sign(_ message: Data, key: Data) throws -> Data {
        try run { openssl in
            try openssl([
                "dgst", "-sha256", "-sign", try openssl.file("key.pem", key),
                try openssl.file("message", message),
            ])
        }
    }
}
