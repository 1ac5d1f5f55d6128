import Foundation
import TestSupport
import Testing
import VirtualReader

/// `Examples/BrandProtection`.
@Suite(.serialized) struct BrandProtectionExampleTests {
    private let example = Example("brand-protection")
    private let catalog: TagCatalog

    init() throws { catalog = try TagCatalog() }

    /// The catalog's CA as a PEM file that is gone afterwards.
    private func withAnchor(_ body: (String) async throws -> Void) async throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "anchor-\(UUID().uuidString).pem")
        try Data(catalog.authority.manufacturingPEM.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await body(file.path)
    }

    @Test(
        "It says whether the product is genuine",
        arguments: [
            ("nbt:uid=05112233445566", "genuine  05112233445566  nfc-session virtual", 0),
            ("nbt:counterfeit", "notGenuine  058c3fd9d4b200  ", 1),
            ("nbt:untrusted", "notGenuine  058c3fd9d4b200  ", 1),
            ("nbt:no-certificate", "notGenuine  058c3fd9d4b200  ", 1),
            ("nbt:locked", "unreadable  058c3fd9d4b200  ", 3),
            ("ntag213:uid=04112233445566", "notGenuine  04112233445566  ", 1),
        ]
    )
    func verdict(tag: String, line: String, status: Int32) async throws {
        try await withField([try catalog.tag(tag)]) { reader in
            try await withAnchor { anchor in
                let result = try await example.run([anchor, reader.connectionString])
                #expect(result.standardOutput.hasPrefix(line))
                #expect(result.standardOutput.split(separator: "\n").count == 1)
                #expect(result.status == status)
            }
        }
    }

    /// The session's SELECT is the first exchange, AUTHENTICATE the last.
    @Test("A tag that is taken away too early is unreadable, not a fake", arguments: [2, 4])
    func tagLost(exchange: Int) async throws {
        try await withField([try catalog.tag("nbt")]) { reader in
            reader.faults = Faults(Fault(.tagLost, .nth(exchange)))
            try await withAnchor { anchor in
                let result = try await example.run([anchor, reader.connectionString])
                let line = "unreadable  058c3fd9d4b200  "
                #expect(result.standardOutput.hasPrefix(line), "\(result.standardError)")
                #expect(result.status == 3)
            }
        }
    }

    @Test("Two tags are told; then the one that is left is verified")
    func twoTags() async throws {
        let (product, other) = (try catalog.tag("nbt"), try catalog.tag("ntag213"))
        try await withField([product, other]) { reader in
            try await withAnchor { anchor in
                let running = try example.start([anchor, reader.connectionString])
                defer { running.kill() }
                _ = try await running.line(containing: "Multiple NFC tags")
                reader.remove(other)
                _ = try await running.line(containing: "genuine  058c3fd9d4b200")
                #expect(try await running.end() == 0)
            }
        }
    }

    @Test("SIGINT is the Cancel button: the session ends with the field off")
    func cancel() async throws {
        try await withField([]) { reader in
            try await withAnchor { anchor in
                let running = try example.start([anchor, reader.connectionString])
                defer { running.kill() }
                _ = try await running.line(containing: "Hold the product")
                #expect(try await running.end(by: SIGINT) == 3)
            }
        }
    }

    @Test(
        "Wrong arguments, and anchors that are none, are status 2",
        arguments: [[], ["--help"], ["a", "b", "c"], ["/nowhere/ca.pem"], ["/dev/null"]]
    )
    func usage(arguments: [String]) async throws {
        let result = try await example.run(arguments)
        #expect(result.status == 2)
        #expect(result.standardError.hasPrefix("brand-protection: "))
    }
}
