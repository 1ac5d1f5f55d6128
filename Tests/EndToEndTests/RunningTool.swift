import Foundation
import TestSupport
import Testing

/// A program, usually the built command line tool, while it runs: its lines as they come, its input, its end.
final class RunningTool {
    private let process = Process()
    private let input = Pipe()
    private var lines: AsyncStream<String>.Iterator
    private let ending: AsyncStream<Int32>

    /// Starts the tool; `words` is the command line, parted at blanks.
    convenience init(_ words: String) throws {
        try self.init(
            program: Tool.path,
            arguments: words.split(separator: " ").map(String.init)
        )
    }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: an absolute path.
    ///   - arguments: what comes after the program's name.
    ///   - environment: added to the environment of this process.
    ///   - mergesErrors: whether what it writes to standard error comes among its lines; else it is dropped.
    /// - Throws: when the program cannot be started.
    init(
        program: String,
        arguments: [String],
        environment: [String: String] = [:],
        mergesErrors: Bool = false
    ) throws {
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        // A pipe in any case: a child that shared an output with this process would keep `swift test` waiting if
        // this process died.
        process.standardError = mergesErrors ? output : errors
        lines = output.lines().makeAsyncIterator()
        let (ending, end) = AsyncStream.makeStream(of: Int32.self)
        self.ending = ending
        process.terminationHandler = { process in
            end.yield(process.terminationStatus)
            end.finish()
        }
        try process.run()
        // The tool has its own; kept open here, the pipe would never end.
        try input.fileHandleForReading.close()
        if !mergesErrors { errors.drain() }
    }

    deinit {
        kill()
        try? input.fileHandleForWriting.close()
    }

    /// The next line on standard output; an error when the tool ends instead, or says nothing for a minute.
    func nextLine() async throws -> String {
        let watch = watch()
        defer { watch.cancel() }
        return try #require(
            await lines.next(),
            "the tool ended, or was killed after a minute of silence"
        )
    }

    /// The next line on standard output as a JSON object.
    func nextObject() async throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(try await nextLine().utf8))
        return try #require(object as? [String: Any])
    }

    /// Writes a line to standard input.
    func write(_ line: String) throws {
        try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Closes standard input.
    func closeInput() throws {
        try input.fileHandleForWriting.close()
    }

    /// Sends a signal, where one is given, and waits for the end.
    ///
    /// - Returns: the exit status.
    func end(by signal: Int32? = nil) async throws -> Int32 {
        if let signal { Foundation.kill(process.processIdentifier, signal) }
        let watch = watch()
        defer { watch.cancel() }
        for await status in ending {
            try #require(process.terminationReason == .exit, "ended by signal \(status)")
            return status
        }
        throw CancellationError()
    }

    /// Ends the tool if it still runs.
    func kill() {
        if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
    }

    /// Kills a tool that hangs, so that the test fails instead of hanging with it.
    private func watch() -> Task<Void, any Error> {
        let identifier = process.processIdentifier
        return Task {
            try await Task.sleep(for: .seconds(60))
            Foundation.kill(identifier, SIGKILL)
        }
    }
}

extension Pipe {
    /// Reads what comes and drops it, on a thread of its own, so that the writer never blocks.
    fileprivate func drain() {
        let handle = fileHandleForReading
        DispatchQueue(label: "RunningTool.errors").async {
            while !handle.availableData.isEmpty {}
            try? handle.close()
        }
    }

    /// What comes out of the pipe, line by line, read on a thread of its own.
    fileprivate func lines() -> AsyncStream<String> {
        let handle = fileHandleForReading
        return AsyncStream { continuation in
            DispatchQueue(label: "RunningTool.lines").async {
                var rest = Data()
                while case let data = handle.availableData, !data.isEmpty {
                    rest += data
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest = Data(rest[(end + 1)...])
                    }
                }
                try? handle.close()
                continuation.finish()
            }
        }
    }
}
