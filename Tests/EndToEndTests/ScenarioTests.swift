import Foundation
import TestSupport
import Testing

/// The scenarios of Examples/Scenarios: `simulate --script` plays each, and `scan --json` reports what is known to happen.
@Suite struct ScenarioTests {
    /// How a scan ends.
    enum End: Equatable {
        /// Not by itself.
        case goesOn
        /// Because the reader failed.
        case readerFails
    }

    private static let ntag = "04a1b2c3d4e580"
    private static let desfire = "04d5f12e334480"

    private static let expectations: [(script: String, events: [String], end: End)] = [
        (
            "tap", ["detected \(ntag)", "removed \(ntag)", "detected \(ntag)", "removed \(ntag)"],
            .goesOn
        ),
        ("short-touch", ["detected \(ntag)", "removed \(ntag)", "detected \(ntag)"], .goesOn),
        (
            "resting-card",
            ["detected deadbeef", "detected \(ntag)", "removed \(ntag)", "removed deadbeef"],
            .goesOn
        ),
        ("noisy-wire", ["detected \(ntag)", "removed \(ntag)"], .goesOn),
        ("loose-wire", ["detected \(ntag)", "removed \(ntag)"], .goesOn),
        ("slow-chip", ["detected \(ntag)", "removed \(ntag)"], .goesOn),
        ("brown-out", ["detected \(ntag)", "removed \(ntag)"], .goesOn),
        ("asleep", ["detected \(ntag)"], .goesOn),
        ("half-open", [], .readerFails),
        ("no-power", [], .readerFails),
        ("left-at-921600", ["detected \(ntag)"], .goesOn),
        // Waited for, for ever.
        ("unplugged", ["detected \(ntag)"], .goesOn),
        ("replug", ["detected \(ntag)", "removed \(ntag)"], .goesOn),
        // A bare link says nothing of where else to look.
        ("replug-elsewhere", ["detected \(ntag)"], .goesOn),
        (
            "hostile-bytes",
            ["detected \(desfire)", "removed \(desfire)", "detected \(ntag)"],
            .goesOn
        ),
    ]

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples/Scenarios")

    @Test("Every scenario is played by a test, and described in docs/simulation.md")
    func complete() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == Self.expectations.map { $0.script + ".txt" }.sorted())
        let page = Self.folder.appending(path: "../../docs/simulation.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for file in files { #expect(text.contains("`\(file)`"), "\(file)") }
    }

    @Test("scan reports what happens in each scenario", arguments: expectations.indices)
    func scan(index: Int) async throws {
        let (script, events, end) = Self.expectations[index]
        let link = FileManager.default.temporaryDirectory
            .appending(path: "nfc-" + UUID().uuidString).path
        let file = Self.folder.appending(path: script + ".txt").path
        let simulate = try RunningTool("simulate --link \(link) --script \(file)")
        defer { simulate.kill() }
        #expect(try await simulate.nextLine() == "pn532_uart:\(link)")
        let scan = try RunningTool("scan --json --reader pn532_uart:\(link)")
        defer { scan.kill() }
        var seen: [String] = []
        for _ in events {
            let object = try await scan.nextObject()
            seen.append("\(object["event"] ?? "") \(object["uid"] ?? "")")
        }
        #expect(seen == events, "\(script)")
        switch end {
        case .goesOn: #expect(try await scan.end(by: SIGINT) == 130, "\(script)")
        case .readerFails: #expect(try await scan.end() == 3, "\(script)")
        }
    }

    @Test(
        "A script that cannot be played is a usage error that names the line",
        arguments: [
            ("at noon do place ntag213\n", "line 1: 'at noon' is no moment"),
            ("\nat 1s do place unicorn\n", "line 2: there is no virtual tag 'unicorn'"),
            ("at 1s do fly\n", "line 1: 'fly' is nothing that can happen"),
        ]
    )
    func mistakes(text: String, message: String) async throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "nfc-" + UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try await Tool.run("simulate --script \(file.path)")
        #expect(result.status == 2)
        #expect(
            result.standardError.contains("\(file.path): \(message)"),
            "\(result.standardError)"
        )
        #expect(result.standardOutput == "")
    }

    @Test("A script that is not there is a usage error")
    func noFile() async throws {
        #expect(try await Tool.run("simulate --script /nowhere/script").status == 2)
    }

    @Test(
        "--verbose says which step happens, and tags of the script and of standard input are the same ones"
    )
    func steps() async throws {
        let file = FileManager.default.temporaryDirectory
            .appending(path: "nfc-" + UUID().uuidString)
        try Data("at start do place felica".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let result = try await Tool.run(
            "simulate --verbose --script \(file.path)",
            input: "remove felica\nplace felica\nquit\n"
        )
        #expect(result.standardOutput.contains("done remove felica\ndone place felica\n"))
        #expect(result.standardError.contains("\(file.path), line 1: place felica\n"))
    }
}
