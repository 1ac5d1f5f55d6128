package import Foundation
internal import Synchronization

/// How a program ended and what it wrote.
package struct ProcessResult: Sendable {
    package let standardOutput: String
    package let standardError: String
    /// The exit status, or the signal's number when a signal ended the program.
    package let status: Int32
    /// Whether a signal ended the program.
    package let wasSignalled: Bool
    /// Whether the program was killed because its time was up.
    package let timedOut: Bool
}

extension Process {
    /// Runs a program to its end and returns what it wrote.
    ///
    /// The calling task is suspended meanwhile; no thread of Swift's shared pool waits. When the deadline passes, or
    /// the task is cancelled, the program gets SIGKILL.
    ///
    /// - Parameters:
    ///   - program: an absolute path.
    ///   - arguments: what comes after the program's name.
    ///   - environment: added to the environment of this process.
    ///   - standardInput: all that the program can read.
    ///   - folder: where the program runs.
    ///   - deadline: how long it may take.
    package static func run(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String] = [:],
        standardInput: Data = Data(),
        in folder: URL? = nil,
        deadline: Duration = .seconds(20)
    ) async throws -> ProcessResult {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        if let folder { process.currentDirectoryURL = folder }
        let (input, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors

        let (endings, ending) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        let identifier = process.processIdentifier
        async let outputText = output.text()
        async let errorText = errors.text()
        input.feed(standardInput)

        let timedOut = Flag()
        let watch = Task {
            try await Task.sleep(for: deadline)
            timedOut.raise()
            kill(identifier, SIGKILL)
        }
        await withTaskCancellationHandler {
            for await _ in endings {}
        } onCancel: {
            kill(identifier, SIGKILL)
        }
        watch.cancel()
        return ProcessResult(
            standardOutput: await outputText,
            standardError: await errorText,
            status: process.terminationStatus,
            wasSignalled: process.terminationReason == .uncaughtSignal,
            timedOut: timedOut.isRaised
        )
    }

    /// Where a program is installed, or nil. Looks through PATH and the system's folders.
    package static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/sbin"]
        return folders.map { $0 + "/" + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension Pipe {
    /// Everything that comes out of the pipe, read on a thread of Dispatch.
    fileprivate func text() async -> String {
        let handle = fileHandleForReading
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let data = (try? handle.readToEnd()) ?? Data()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }

    /// Writes into the pipe and closes it, on a thread of Dispatch.
    fileprivate func feed(_ data: Data) {
        let handle = fileHandleForWriting
        DispatchQueue.global().async {
            // A program that does not read its input has closed the pipe; that is its right.
            try? handle.write(contentsOf: data)
            try? handle.close()
        }
    }
}

private final class Flag: Sendable {
    private let state = Mutex(false)
    var isRaised: Bool { state.withLock { $0 } }
    func raise() { state.withLock { $0 = true } }
}
