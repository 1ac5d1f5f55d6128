import Dispatch
import Glibc
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Standard input where it is asked for, a line or everything.
///
/// Waiting blocks a thread of Dispatch, never Swift's shared pool, and ends when the task is cancelled.
extension StandardInput {
    /// Whether a person can be asked.
    static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads the next line, and nothing behind it.
    ///
    /// - Parameters:
    ///   - question: what a person is asked first; nil for nothing.
    ///   - isHidden: whether a terminal does not show what is typed.
    /// - Returns: the line without its line end, nil at the end of the input.
    /// - Throws: `CancellationError`.
    static func line(
        asking question: String? = nil,
        isHidden: Bool = false
    ) async throws -> String? {
        try await interruptible { isStopped in
            let terminal = isHidden ? HiddenTerminal() : nil
            defer { terminal?.restore() }
            // Hidden before: whoever sees the question may type.
            if let question { Output.question(question) }
            var line: [UInt8] = []
            while let byte = bytes(atMost: 1, unless: isStopped).first {
                if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
                if byte != UInt8(ascii: "\r") { line.append(byte) }
            }
            return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
        }
    }

    /// All bytes to the end of the input, but no more than one above `limit`.
    static func content(limit: Int) async throws -> Data {
        try await interruptible { isStopped in
            var content = Data()
            while content.count <= limit {
                let next = bytes(atMost: limit + 1 - content.count, unless: isStopped)
                guard !next.isEmpty else { break }
                content += next
            }
            return content
        }
    }

    /// Says on another thread that nobody waits any more.
    private final class StopFlag: Sendable {
        private let flag = Atomic(false)
        var isRaised: Bool { flag.load(ordering: .relaxed) }
        func raise() { flag.store(true, ordering: .relaxed) }
    }

    private static func interruptible<Result: Sendable>(
        _ body: @escaping @Sendable (StopFlag) -> Result
    ) async throws -> Result {
        let flag = StopFlag()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue(label: "nfc-session.question").async {
                    continuation.resume(returning: body(flag))
                }
            }
        } onCancel: {
            flag.raise()
        }
        try Task.checkCancellation()
        return result
    }

    /// The bytes that come next; none at the end of the input or when the flag is raised.
    private static func bytes(atMost limit: Int, unless isStopped: StopFlag) -> [UInt8] {
        while !isStopped.isRaised {
            // Short, so that a stop is noticed soon: the terminal may have to be put right.
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            let ready = poll(&input, 1, 50)
            if ready < 0, errno != EINTR { return [] }
            guard ready > 0 else { continue }
            var block = [UInt8](repeating: 0, count: min(limit, 4096))
            let count = read(STDIN_FILENO, &block, block.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            return Array(block.prefix(max(0, count)))
        }
        return []
    }
}

/// A terminal that does not show what is typed; Ctrl-C works as ever.
private struct HiddenTerminal {
    private let original: termios

    /// Hides what is typed from now on; nil where standard input is no terminal.
    init?() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        original = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // What was typed before, and shown, is dropped.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    }

    func restore() {
        var settings = original
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
        // The one that was typed and not shown.
        Output.question("\n")
    }
}
