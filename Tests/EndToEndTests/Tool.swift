import Foundation
import TestSupport
import Testing

/// The built command line tool, run as a user runs it.
enum Tool {
    /// Where the tests' own program is, there the tool was built.
    static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "nfc-session").path

    /// Runs the tool to its end; `words` is the command line, parted at blanks.
    static func run(
        _ words: String,
        input: String = "",
        environment: [String: String] = [:]
    ) async throws -> ProcessResult {
        let clean = ["NFC_SESSION_READER": "", "NO_COLOR": ""]
        let result = try await Process.run(
            path,
            words.split(separator: " ").map(String.init),
            environment: clean.merging(environment) { $1 },
            standardInput: Data(input.utf8),
            deadline: .seconds(60)
        )
        try #require(!result.timedOut && !result.wasSignalled, "\(result.standardError)")
        return result
    }
}

extension ProcessResult {
    /// The lines of standard output as JSON objects.
    var objects: [[String: Any]] {
        get throws {
            try standardOutput.split(separator: "\n").map { line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
                return try #require(object as? [String: Any])
            }
        }
    }
}
