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
                var rest: [UInt8] = []
                while let bytes = read(), !bytes.isEmpty {
                    rest += bytes
                    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                        continuation.yield(String(decoding: rest[..<end], as: UTF8.self))
                        rest.removeFirst(end + 1)
                    }
                }
                if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
                continuation.finish()
            }
        }
    }

    /// What there is to read, nothing at the end of the input; nil on an error.
    ///
    /// Not `readLine`: it holds the lock of C's stdin while it waits, and `exit` waits for that lock.
    private static func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count >= 0 { return Array(buffer.prefix(count)) }
            guard errno == EINTR else { return nil }
        }
    }
}
