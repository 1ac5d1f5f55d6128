import Foundation

/// A program that answers each line with a line.
///
/// For one task at a time.
package final class Dialogue {
    private let process = Process()
    /// This end of the socket that is the program's standard input and output; unlike a pipe it can be written to without
    /// a signal when the program has ended.
    private let socket: FileHandle
    private var answers: AsyncStream<String>.Iterator
    private let watch: Task<Void, any Error>

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: an absolute path.
    ///   - arguments: what comes after the program's name.
    ///   - deadline: when it is killed.
    /// - Throws: when the program cannot be started.
    package init(_ program: String, _ arguments: [String], deadline: Duration) throws {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
        let socket = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let other = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
        self.socket = socket
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardInput = other
        process.standardOutput = other
        process.standardError = FileHandle.nullDevice
        try process.run()
        try other.close()
        let (lines, input) = AsyncStream.makeStream(of: String.self)
        answers = lines.makeAsyncIterator()
        // A thread of Dispatch waits; no thread of Swift's shared pool does.
        DispatchQueue.global().async {
            var rest = Data()
            while case let bytes = socket.availableData, !bytes.isEmpty {
                rest += bytes
                while let end = rest.firstIndex(of: 0x0A) {
                    input.yield(String(decoding: rest[..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            input.finish()
        }
        let identifier = process.processIdentifier
        watch = Task {
            try await Task.sleep(for: deadline)
            kill(identifier, SIGKILL)
        }
    }

    /// Sends a line and returns the next one that comes; nil when the program has ended.
    package func ask(_ line: String) async -> String? {
        var rest = Data((line + "\n").utf8)
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes {
                send(socket.fileDescriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return nil }
            rest = Data(rest.dropFirst(sent))
        }
        return await answers.next()
    }

    /// Ends the program's input, and so the program.
    package func end() async {
        shutdown(socket.fileDescriptor, Int32(SHUT_WR))
        while await answers.next() != nil {}
        watch.cancel()
    }

    deinit {
        watch.cancel()
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
}
