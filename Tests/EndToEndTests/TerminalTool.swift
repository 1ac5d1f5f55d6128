import Foundation
import Testing

/// The built command line tool with a person at its terminal: standard input is a pseudo-terminal, and what it
/// prints is read as it comes.
final class TerminalTool {
    private let process = Process()
    private let keyboard: FileHandle
    /// Kept open: a terminal whose last user has gone forgets its settings.
    private let terminal: FileHandle
    private var printed: AsyncStream<Data>.Iterator
    private let ending: AsyncStream<Int32>
    private(set) var text = ""

    /// Starts the tool; `words` is the command line, parted at blanks.
    init(_ words: String) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        keyboard = FileHandle(fileDescriptor: master, closeOnDealloc: true)
        terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        let output = Pipe()
        process.executableURL = URL(filePath: Tool.path)
        process.arguments = words.split(separator: " ").map(String.init)
        process.standardInput = terminal
        process.standardOutput = output
        process.standardError = output
        let (ending, end) = AsyncStream.makeStream(of: Int32.self)
        self.ending = ending
        process.terminationHandler = { process in
            end.yield(process.terminationStatus)
            end.finish()
        }
        let (printed, input) = AsyncStream.makeStream(of: Data.self)
        self.printed = printed.makeAsyncIterator()
        try process.run()
        let handle = output.fileHandleForReading
        DispatchQueue(label: "TerminalTool").async {
            while case let data = handle.availableData, !data.isEmpty { input.yield(data) }
            try? handle.close()
            input.finish()
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until the tool has printed `part`; fails when it ends instead, or says nothing for a minute.
    func wait(for part: String) async throws {
        let watch = watch()
        defer { watch.cancel() }
        while !text.contains(part) {
            let data = try #require(await printed.next(), "the tool ended: \(text)")
            text += String(decoding: data, as: UTF8.self)
        }
    }

    /// Types a line.
    func type(_ line: String) throws {
        try keyboard.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Whether the terminal shows what is typed.
    var isEchoing: Bool {
        var settings = termios()
        return tcgetattr(keyboard.fileDescriptor, &settings) == 0
            && settings.c_lflag & tcflag_t(ECHO) != 0
    }

    /// Sends a signal, where one is given, and waits for the end.
    ///
    /// - Returns: the exit status.
    func end(by signal: Int32? = nil) async throws -> Int32 {
        if let signal { kill(process.processIdentifier, signal) }
        let watch = watch()
        defer { watch.cancel() }
        while let data = await printed.next() { text += String(decoding: data, as: UTF8.self) }
        for await status in ending {
            try #require(process.terminationReason == .exit, "ended by signal \(status)")
            return status
        }
        throw CancellationError()
    }

    /// Kills a tool that hangs, so that the test fails instead of hanging with it.
    private func watch() -> Task<Void, any Error> {
        let identifier = process.processIdentifier
        return Task {
            try await Task.sleep(for: .seconds(60))
            kill(identifier, SIGKILL)
        }
    }
}
