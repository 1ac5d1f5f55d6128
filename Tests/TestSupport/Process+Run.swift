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
    /// - Returns: how it ended and what it wrote.
    /// - Throws: when the program cannot be started.
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
        let (output, errors) = (Pipe(), Pipe())
        let input = try FileHandle(temporaryWith: standardInput)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors

        let (endings, ending) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in ending.finish() }
        // Not a child of this task: it must see the end even when this task is cancelled.
        let end = Task.detached { for await _ in endings {} }
        try process.run()
        // Foundation keeps a process that has ended, and with it the descriptors of this one.
        try input.close()
        let identifier = process.processIdentifier
        async let outputText = output.text()
        async let errorText = errors.text()

        let timedOut = Flag()
        let watch = Task {
            try await Task.sleep(for: deadline)
            timedOut.raise()
            kill(identifier, SIGKILL)
        }
        await withTaskCancellationHandler {
            await end.value
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

    /// Where a program is installed, or nil.
    ///
    /// Looks through PATH and the system's folders.
    package static func find(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init) + ["/usr/bin", "/usr/sbin"]
        return folders.map { $0 + "/" + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

extension Pipe {
    /// Everything that comes out of the pipe, read on a thread of Dispatch.
    ///
    /// The pipe is closed then.
    fileprivate func text() async -> String {
        let handle = fileHandleForReading
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let data = (try? handle.readToEnd()) ?? Data()
                try? handle.close()
                continuation.resume(returning: String(decoding: data, as: UTF8.self))
            }
        }
    }
}

extension FileHandle {
    /// A file with these bytes that has no name any more.
    ///
    /// Unlike a pipe it cannot block, nor break.
    fileprivate convenience init(temporaryWith data: Data) throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try data.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadNoSuchFile) }
        self.init(fileDescriptor: descriptor, closeOnDealloc: true)
    }
}

private final class Flag: Sendable {
    private let state = Mutex(false)
    var isRaised: Bool { state.withLock { $0 } }
    func raise() { state.withLock { $0 = true } }
}
