import Foundation
import TestSupport
import Testing
import VirtualReader

/// Builds client code against the CoreNFC that this test run was built with, as a package that depends on it would,
/// but without building CoreNFC again.
enum ClientCompiler {
    /// The compiler; nil where there is none.
    static let path = Process.find("swiftc")

    /// A program in a folder of its own.
    struct Program {
        let folder: URL

        /// Starts the program on a reader, which it may know from the environment only.
        func start(on reader: VirtualReader, aid: Data = Data()) throws -> RunningTool {
            try RunningTool(
                program: folder.appending(path: "client").path,
                arguments: [],
                environment: [
                    "NFC_SESSION_READER": reader.connectionString,
                    "NFC_SESSION_AIDS": aid.map { String(format: "%02X", $0) }.joined(),
                ]
            )
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    /// Builds `code` in Swift 5 mode, with a main program of these lines that serves the main queue for ever.
    static func build(_ code: String, main: String) async throws -> Program {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "client-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = Program(folder: folder)
        try code.write(
            to: folder.appending(path: "Client.swift"),
            atomically: true,
            encoding: .utf8
        )
        // What is printed must not wait for a full buffer.
        try "import CoreNFC\nsetvbuf(stdout, nil, _IOLBF, 0)\n\(main)\ndispatchMain()\n"
            .write(to: folder.appending(path: "main.swift"), atomically: true, encoding: .utf8)
        let result = try await Process.run(
            try #require(path),
            ["-swift-version", "5", "Client.swift", "main.swift", "-o", "client"]
                + (try ownModules()) + (try await systemLibraries()),
            in: folder,
            deadline: .seconds(120)
        )
        try #require(result.status == 0, "\(result.standardError)\(result.standardOutput)")
        return program
    }

    /// CoreNFC and what it is made of, as the build has left them beside the tests' program.
    private static func ownModules() throws -> [String] {
        let built = URL(filePath: Tool.path).deletingLastPathComponent()
        let sources = Example.package.appending(path: "Sources")
        let objects = try ["CoreNFC", "NFCReader", "NDEF", "APDU", "Bytes", "CNFCGuard"].flatMap {
            // An incremental build leaves the objects of deleted sources where they are.
            let names = try FileManager.default.subpathsOfDirectory(
                atPath: sources.appending(path: $0).path
            )
            let wanted = Set(names.map { ($0 as NSString).lastPathComponent + ".o" })
            let folder = built.appending(path: $0 + ".build").path
            return try FileManager.default.contentsOfDirectory(atPath: folder)
                .filter(wanted.contains).map { folder + "/" + $0 }
        }
        let moduleMaps = [
            built.appending(path: "Modules"), built.appending(path: "CNFCGuard.build"),
            sources.appending(path: "CLibNFC"), sources.appending(path: "CLibUSB"),
        ]
        return moduleMaps.flatMap { ["-I", $0.path] } + objects
    }

    /// Where headers and libraries of Debian are.
    private static func systemLibraries() async throws -> [String] {
        let packages = ["libnfc", "libusb-1.0"]
        let result = try await Process.run(
            try #require(Process.find("pkg-config")),
            ["--cflags", "--libs"] + packages
        )
        return result.standardOutput.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
