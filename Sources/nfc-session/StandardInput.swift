import Dispatch
import Glibc

/// Standard input, read line by line while other work goes on.
enum StandardInput {
    /// The lines as they come, without their line ends; the stream finishes at the end of the input.
    ///
    /// Waiting for a line blocks a thread of its own, never Swift's shared pool. Called once: the
    /// thread reads on for as long as the process lives.
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue(label: "nfc-session.input").async {
                // Not readLine(): it waits with the lock of C's stdin, for which exit() waits since
                // glibc 2.41.
                var rest: [UInt8] = []
                var block = [UInt8](repeating: 0, count: 4096)
                while case let count = read(STDIN_FILENO, &block, block.count), count > 0 {
                    rest += block.prefix(count)
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(text(rest[..<end]))
                        rest.removeSubrange(...end)
                    }
                }
                if !rest.isEmpty { continuation.yield(text(rest[...])) }
                continuation.finish()
            }
        }
    }

    /// A line as text, without the carriage return of a DOS line end.
    private static func text(_ line: ArraySlice<UInt8>) -> String {
        String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
    }
}
