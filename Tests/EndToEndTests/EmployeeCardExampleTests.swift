import Foundation
import TestSupport
import Testing
import VirtualReader

/// `Examples/EmployeeCard`.
@Suite(.serialized) struct EmployeeCardExampleTests {
    private let example = Example("employee-card")
    private let infoPlist = Example.package.appending(path: "Examples/EmployeeCard/Info.plist").path

    private func card(_ application: any CardApplication) throws -> TypeBTag {
        try TypeBTag(application: application)
    }

    private func run(_ reader: VirtualReader, pin: String = "1234") async throws -> ProcessResult {
        try await example.run([infoPlist, reader.connectionString], input: pin + "\n")
    }

    @Test("The PIN opens the card, and its content is printed")
    func content() async throws {
        let application = try EmployeeCardApplication(content: Data("NUMBER 4711".utf8))
        try await withField([try card(application)]) { reader in
            let result = try await run(reader)
            #expect(result.standardOutput == "NUMBER 4711\n")
            #expect(result.status == 0)
            #expect(!result.standardError.contains("1234"))
        }
    }

    @Test("A wrong PIN is tried once")
    func wrongPIN() async throws {
        let application = try EmployeeCardApplication()
        try await withField([try card(application)]) { reader in
            let result = try await run(reader, pin: "9999")
            #expect(result.standardOutput == "")
            #expect(result.standardError.contains("VERIFY: wrong PIN, 2 tries left"))
            #expect(result.status == 1)
            #expect(application.triesLeft == 2)
        }
    }

    @Test("A blocked PIN is told")
    func blockedPIN() async throws {
        let application = try EmployeeCardApplication(tries: 1)
        try await withField([try card(application)]) { reader in
            _ = try await run(reader, pin: "9999")
            let result = try await run(reader)
            #expect(result.standardError.contains("VERIFY: the PIN is blocked"))
            #expect(result.status == 1)
        }
    }

    /// READ BINARY (INS B0) is refused with a status word that ISO 7816-4 has for it.
    @Test("A file that the card does not give out is told")
    func refused() async throws {
        let inner = try EmployeeCardApplication()
        let application = InterceptedApplication(inner) { _, command in
            command.dropFirst().first == 0xB0 ? .refuse(0x6982) : .pass
        }
        try await withField([try card(application)]) { reader in
            let result = try await run(reader)
            #expect(result.standardOutput == "")
            #expect(result.standardError.contains("READ BINARY: status word 6982"))
            #expect(result.status == 1)
        }
    }

    /// The session's SELECT is the first exchange.
    @Test(
        "A card that is taken away too early is told",
        arguments: [(2, "VERIFY"), (3, "READ BINARY")]
    )
    func tagLost(exchange: Int, command: String) async throws {
        try await withField([try card(EmployeeCardApplication())]) { reader in
            reader.faults = Faults(Fault(.tagLost, .nth(exchange)))
            let result = try await run(reader)
            #expect(result.standardOutput == "")
            #expect(result.standardError.contains(command + " failed: Tag connection lost"))
            #expect(result.status == 1)
        }
    }

    @Test("Bytes that are no text neither crash it nor reach the terminal")
    func hostileBytes() async throws {
        let bytes = Data([0x1B]) + Data("[2J".utf8) + Data([0xFF, 0x00, 0x0A, 0x9B, 0x7F, 0x41])
        let application = try EmployeeCardApplication(content: bytes)
        try await withField([try card(application)]) { reader in
            let result = try await run(reader)
            #expect(result.standardOutput == ".[2J.....A\n")
            #expect(!result.standardError.unicodeScalars.contains("\u{1B}"))
            #expect(result.status == 0)
        }
    }

    @Test("Two tags, then a tag of another kind, are told; then the card is read")
    func otherTags() async throws {
        let (ntag, other) = (try Type2Tag(), try Type2Tag(uid: .fixed(hex("04112233445566"))))
        try await withField([ntag, other]) { reader in
            let running = try example.start([infoPlist, reader.connectionString])
            defer { running.kill() }
            try running.write("1234")
            _ = try await running.line(containing: "more than one tag")
            reader.remove(other)
            _ = try await running.line(containing: "no employee card")
            reader.swap(ntag, for: try card(EmployeeCardApplication()))
            _ = try await running.line(containing: "EMPLOYEE 00012345 NFC SESSION")
            #expect(try await running.end() == 0)
        }
    }

    @Test("Without a usable PIN nothing is sent", arguments: ["", "12345678901234567"])
    func noPIN(pin: String) async throws {
        let application = try EmployeeCardApplication()
        try await withField([try card(application)]) { reader in
            let result = try await run(reader, pin: pin)
            #expect(result.status == 2)
            #expect(result.standardError.contains("standard input"))
            #expect(reader.statistics.totalCommands == 0)
        }
    }

    @Test("Without an application identifier it does not start")
    func noIdentifier() async throws {
        let result = try await example.run(["/nowhere/Info.plist", "pn532_uart:/dev/ttyUSB98"])
        #expect(result.status == 2)
        #expect(result.standardError.contains("/nowhere/Info.plist"))
    }

    @Test("Wrong arguments are status 2", arguments: [[], ["--help"], ["a", "b", "c"]])
    func usage(arguments: [String]) async throws {
        let result = try await example.run(arguments)
        #expect(result.status == 2)
        #expect(result.standardError.contains("usage: employee-card"))
    }
}
