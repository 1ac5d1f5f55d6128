import Foundation
import TestSupport
import Testing

@testable import nfc_session

/// The completion scripts, judged by the shells they are for.
@Suite struct CompletionTests {
    /// Writes the script into a file for `body`.
    private func withScript<Result>(
        _ shell: CompletionScript,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(shell.text(for: .root).utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file.path)
    }

    /// What bash offers after these words.
    private func completions(_ words: [String]) async throws -> [String] {
        try await withScript(.bash) { script in
            let line = """
                source "$1"; shift
                COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
                _nfc_session
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let result = try await Process.run("/bin/bash", ["-c", line, "bash", script] + words)
            try #require(result.status == 0 && result.standardError == "", "\(result)")
            return result.standardOutput.split(separator: "\n").map(String.init)
        }
    }

    @Test("bash offers the commands, and the options of the one that was begun")
    func bash() async throws {
        let commands = try await completions(["nfc-session", ""])
        #expect(Set(Command.root.subcommands.map(\.name)).isSubset(of: commands))
        let begun = try await completions(["nfc-session", "ver"])
        #expect(begun == ["verify"])
        let options = try await completions(["nfc-session", "--json", "doctor", "--"])
        #expect(Set(["--fix", "--yes", "--root", "--json", "--quiet"]).isSubset(of: options))
        #expect(!options.contains("--probe"))
        // A file, which bash offers by itself.
        let value = try await completions(["nfc-session", "doctor", "--root", ""])
        #expect(value == [])
    }

    @Test("The scripts have no error for their shells", arguments: CompletionScript.allCases)
    func syntax(shell: CompletionScript) async throws {
        guard let program = Process.find(shell.rawValue) else {
            print("skipped: \(shell.rawValue) is not installed")
            return
        }
        try await withScript(shell) { script in
            let result = try await Process.run(program, ["-n", script])
            #expect(result.status == 0 && result.standardError == "", "\(result.standardError)")
        }
    }

    @Test("fish offers the same", .enabled(if: Process.find("fish") != nil, "needs fish"))
    func fish() async throws {
        let fish = try #require(Process.find("fish"))
        try await withScript(.fish) { script in
            func completions(_ line: String) async throws -> [String] {
                let result = try await Process.run(
                    fish,
                    ["-c", "source \(script); complete -C '\(line)'"],
                    environment: ["HOME": "/tmp"]
                )
                return result.standardOutput.split(separator: "\n")
                    .compactMap { $0.split(separator: "\t").first.map(String.init) }
            }
            let commands = try await completions("nfc-session ")
            #expect(Set(Command.root.subcommands.map(\.name)).isSubset(of: commands))
            let options = try await completions("nfc-session doctor --")
            #expect(Set(["--fix", "--yes", "--json"]).isSubset(of: options))
            #expect(!options.contains("--probe"))
        }
    }
}

/// The manual page, judged by groff.
@Suite struct ManualPageTests {
    @Test("Every command and option has its place")
    func complete() {
        let page = ManualPage.text(of: .root, version: "1.2.3")
        #expect(page.hasPrefix(#".TH NFC-SESSION 1 "" "nfc-session 1.2.3""#))
        for (path, command) in Command.root.tree.dropFirst() {
            let name = path.dropFirst().joined(separator: " ")
            let escaped = name.split(separator: "-").joined(separator: "\\-")
            #expect(page.contains("\n.SS " + escaped + "\n"))
            for option in command.allOptions {
                #expect(
                    page.contains(
                        "\\-\\-" + option.name.split(separator: "-").joined(separator: "\\-")
                    )
                )
            }
        }
    }

    @Test(
        "groff has nothing to complain of",
        .enabled(if: Process.find("groff") != nil, "needs groff")
    )
    func warnings() async throws {
        let groff = try #require(Process.find("groff"))
        let page = ManualPage.text(of: .root, version: "1.2.3") + "\n"
        let result = try await Process.run(
            groff,
            ["-man", "-ww", "-Tutf8", "-P-bouc"],
            standardInput: Data(page.utf8)
        )
        #expect(result.status == 0 && result.standardError == "", "\(result.standardError)")
        // Text that a line's first character could have made an order, and a table that keeps its lines.
        #expect(result.standardOutput.contains("Exit status: 0 done, or genuine"))
        #expect(result.standardOutput.contains("--reader CONNSTRING"))
    }
}
