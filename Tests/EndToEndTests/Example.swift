import Foundation
import TestSupport
import Testing
import VirtualReader

/// A built program of Examples/, run as a user runs it.
struct Example {
    let path: String

    init(_ name: String) {
        path = URL(filePath: Tool.path).deletingLastPathComponent().appending(path: name).path
    }

    /// The root of this package.
    static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Runs the program to its end.
    func run(
        _ arguments: [String],
        input: String = "",
        environment: [String: String] = [:]
    ) async throws -> ProcessResult {
        let result = try await Process.run(
            path,
            arguments,
            environment: Self.clean.merging(environment) { $1 },
            standardInput: Data(input.utf8),
            deadline: .seconds(60)
        )
        try #require(!result.timedOut && !result.wasSignalled, "\(result.standardError)")
        return result
    }

    /// Starts the program; its messages come among its lines.
    func start(_ arguments: [String]) throws -> RunningTool {
        try RunningTool(
            program: path,
            arguments: arguments,
            environment: Self.clean,
            mergesErrors: true
        )
    }

    private static let clean = ["NFC_SESSION_READER": "", "NFC_SESSION_AIDS": ""]
}

/// A virtual reader with tags in its field, closed at the end; the field must be off then.
func withField(
    _ tags: [any VirtualTag],
    _ body: (VirtualReader) async throws -> Void
) async throws {
    let reader = try VirtualReader()
    defer { reader.close() }
    for tag in tags { reader.place(tag) }
    try await body(reader)
    #expect(!reader.isFieldOn)
}

extension RunningTool {
    /// Reads lines until one contains `text`, and returns it.
    func line(containing text: String) async throws -> String {
        while true {
            let line = try await nextLine()
            if line.contains(text) { return line }
        }
    }
}
