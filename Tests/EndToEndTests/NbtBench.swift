import Foundation
import TestSupport
import Testing
import VirtualReader

/// An NBT in a virtual reader of this process, and files for the command line.
final class NbtBench {
    let card: NBTApplication
    let folder: URL
    private let reader: VirtualReader
    private let tag: ISODEPTag

    /// A blank chip unless another one is given.
    init(_ card: NBTApplication? = nil) throws {
        self.card = try card ?? NBTApplication()
        folder = FileManager.default.temporaryDirectory
            .appending(path: "nfc-session-nbt-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        reader = try VirtualReader()
        tag = try ISODEPTag(
            name: "OPTIGA Authenticate NBT",
            uid: .fixed(NBTApplication.sampleUID),
            application: self.card
        )
        reader.place(tag)
    }

    deinit {
        reader.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Runs `nfc-session nbt` on the tag; `words` are parted at blanks.
    func run(
        _ words: String,
        input: String = "",
        environment: [String: String] = [:]
    ) async throws -> ProcessResult {
        try await tool("nbt \(words)", input: input, environment: environment)
    }

    /// Runs any command of `nfc-session` on the tag.
    func tool(
        _ words: String,
        input: String = "",
        environment: [String: String] = [:]
    ) async throws -> ProcessResult {
        try await Tool.run(
            "\(words) --timeout 20 --reader \(reader.connectionString)",
            input: input,
            environment: environment
        )
    }

    /// The connection string of the reader.
    var connectionString: String { reader.connectionString }

    /// Loses the tag in the n-th exchange from now on, once; nil: never again.
    func loseTag(atExchange number: Int?) {
        // 40 is InDataExchange (facts/pn532.md).
        reader.faults = number.map { Faults(Fault(.tagLost, .nth($0), command: 0x40)) } ?? .none
    }

    /// Writes a file that only its owner can read, and returns its path.
    func file(_ name: String, _ content: Data) throws -> String {
        let path = folder.appending(path: name).path
        try content.write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        return path
    }

    /// The same with text.
    func file(_ name: String, _ text: String) throws -> String {
        try file(name, Data(text.utf8))
    }
}

extension NBTApplication {
    /// Whether the access policy file holds these policies.
    func isAs(_ policies: AccessPolicies) -> Bool { self.policies.bytes == policies.bytes }
}
