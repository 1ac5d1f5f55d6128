import Foundation
import Synchronization
import VirtualReader

/// A program under measurement, run on a virtual reader of its own in real timing.
final class Contender {
    /// The reader the program polls.
    let reader: VirtualReader
    /// Becomes true for lines that report a tag, and for those that report its removal.
    private let words: (detected: String, removed: String)
    private let process = Process()
    private let output = Pipe()
    private let lines = Lines()

    /// `nfc-session scan` for type A tags.
    convenience init(session: String) throws {
        try self.init(words: ("\"detected\"", "\"removed\"")) { reader in
            (session, ["scan", "--json", "--poll", "a", "--reader", reader.connectionString])
        }
    }

    /// The C program beside this file.
    convenience init(loop: String) throws {
        try self.init(words: ("detected", "removed")) { reader in
            (loop, [reader.connectionString, "100"])
        }
    }

    private init(
        words: (detected: String, removed: String),
        command: (VirtualReader) -> (String, [String])
    ) throws {
        self.words = words
        reader = try VirtualReader(timing: .real)
        let (tool, arguments) = command(reader)
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        output.fileHandleForReading.readabilityHandler = { [lines] in lines.take($0.availableData) }
        try process.run()
        try waitForPolls(3)
    }

    /// The program's process identifier.
    var identifier: Int32 { process.processIdentifier }

    /// Waits until `count` polls more have been seen.
    func waitForPolls(_ count: Int) throws {
        let target = polls + count
        try wait("a poll") { self.polls >= target }
    }

    /// Waits for the line that reports a tag.
    func waitForDetection() throws {
        try wait("a UID") { self.lines.contains(self.words.detected) }
    }

    /// Waits for the line that reports a removal, and forgets all lines so far.
    func waitForRemoval() throws {
        try wait("a removal") { self.lines.contains(self.words.removed) }
        lines.clear()
    }

    /// Ends the program and waits for it.
    func stop() {
        process.terminate()
        process.waitUntilExit()
        reader.close()
    }

    private var polls: Int { reader.statistics.commands[0x4A] ?? 0 }

    private func wait(_ what: String, until isDone: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while !isDone() {
            guard ContinuousClock.now < deadline else {
                throw BenchmarkError.nothingCame(what, from: process.executableURL?.path ?? "")
            }
            usleep(200)
        }
    }
}

/// The lines of a program's output so far.
private final class Lines: Sendable {
    private let text = Mutex("")

    func take(_ data: Data) { text.withLock { $0 += String(decoding: data, as: UTF8.self) } }

    func contains(_ word: String) -> Bool { text.withLock { $0.contains(word) } }

    func clear() { text.withLock { $0 = "" } }
}

/// Why a benchmark has no result.
enum BenchmarkError: Error, CustomStringConvertible {
    /// A program did not do what was waited for within 10 s.
    case nothingCame(String, from: String)
    /// A program ended with this exit status.
    case failed(String, status: Int32)

    var description: String {
        switch self {
        case .nothingCame(let what, let tool): "\(what) did not come from \(tool) within 10 s"
        case .failed(let tool, let status): "\(tool) ended with status \(status)"
        }
    }
}
