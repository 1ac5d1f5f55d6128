import Foundation
import TestSupport
import Testing
import VirtualReader

/// `Examples/UIDScanner`.
@Suite(.serialized) struct UIDScannerExampleTests {
    private let example = Example("uid-scanner")

    private func tag(_ text: String) throws -> any VirtualTag { try TagCatalog().tag(text) }

    @Test(
        "It prints the UID of a tag of the MIFARE family",
        arguments: [
            ("ntag213", "04112233445566"), ("ultralight", "04665544332211"),
            ("classic-1k", "0badcafe"), ("desfire", "04998877665544"),
        ]
    )
    func uid(kind: String, uid: String) async throws {
        try await withField([try tag("\(kind):uid=\(uid)")]) { reader in
            let result = try await example.run([reader.connectionString])
            #expect(result.standardOutput == uid + "\n")
            #expect(result.status == 0)
        }
    }

    @Test("NFC_SESSION_READER names the reader")
    func environment() async throws {
        try await withField([try tag("ntag213:uid=04112233445566")]) { reader in
            let environment = ["NFC_SESSION_READER": reader.connectionString]
            let result = try await example.run([], environment: environment)
            #expect(result.standardOutput == "04112233445566\n")
        }
    }

    @Test("Two tags are refused")
    func twoTags() async throws {
        let tags = [try tag("ntag213"), try tag("ntag213:uid=04112233445566")]
        try await withField(tags) { reader in
            let result = try await example.run([reader.connectionString])
            #expect(result.standardOutput == "")
            #expect(result.standardError.contains("more than one tag"))
            #expect(result.status == 1)
        }
    }

    @Test("A tag of another family is refused")
    func wrongKind() async throws {
        try await withField([try tag("type4")]) { reader in
            let environment = ["NFC_SESSION_AIDS": "D2760000850101"]
            let result = try await example.run(
                [reader.connectionString],
                environment: environment
            )
            #expect(result.standardOutput == "")
            #expect(result.standardError.contains("none of the MIFARE family"))
            #expect(result.status == 1)
        }
    }

    @Test("When no tag comes in time it says so")
    func timeout() async throws {
        try await withField([]) { reader in
            let environment = ["NFC_SESSION_TIME_LIMIT": "0.3"]
            let result = try await example.run(
                [reader.connectionString],
                environment: environment
            )
            #expect(result.standardError.contains("Session timeout"))
            #expect(result.status == 1)
        }
    }

    @Test("SIGINT is the Cancel button: the session ends with the field off")
    func cancel() async throws {
        try await withField([]) { reader in
            let running = try example.start([reader.connectionString])
            defer { running.kill() }
            _ = try await running.line(containing: "Hold a tag")
            #expect(try await running.end(by: SIGINT) == 1)
        }
    }

    @Test("Without the reader the error names it")
    func noReader() async throws {
        let result = try await example.run(["pn532_uart:/dev/ttyUSB98"])
        #expect(result.standardError.contains("/dev/ttyUSB98"))
        #expect(result.status == 1)
    }

    @Test(
        "Wrong arguments and settings are status 2",
        arguments: [
            (["--help"], [:]), (["a", "b"], [:]), ([], ["NFC_SESSION_TIME_LIMIT": "soon"]),
        ]
            as [([String], [String: String])]
    )
    func usage(arguments: [String], environment: [String: String]) async throws {
        let result = try await example.run(arguments, environment: environment)
        #expect(result.status == 2)
        #expect(result.standardError.hasPrefix("uid-scanner: "))
    }
}
