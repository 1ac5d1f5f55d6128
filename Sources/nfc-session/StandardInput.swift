import Dispatch

/// Standard input, read line by line while other work goes on.
enum StandardInput {
    /// The lines as they come, without their line ends; the stream finishes at the end of the input.
    ///
    /// Waiting for a line blocks a thread of its own, never Swift's shared pool. Called once: the
    /// thread reads on for as long as the process lives.
    static func lines() -> AsyncStream<String> {
        AsyncStream { continuation in
            DispatchQueue(label: "nfc-session.input").async {
                while let line = readLine() { continuation.yield(line) }
                continuation.finish()
            }
        }
    }
}
