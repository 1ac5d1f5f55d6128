import Glibc

/// Where a command prints: results go to standard output, everything else to standard error.
struct Output: Sendable {
    /// Whether results are JSON objects, one a line.
    let isJSON: Bool
    /// Whether standard output is a terminal, so that a view may be drawn over and over.
    let isTerminal: Bool
    /// Whether results may be colored.
    let hasColor: Bool
    /// How much is said on standard error.
    let detail: Detail

    /// How much is said on standard error; errors always are.
    enum Detail: Sendable, Comparable {
        case quiet, normal, verbose
    }

    /// Standard output takes no more: mostly, nobody wants to read any further.
    struct Closed: Error {}

    /// What the options and the environment ask for.
    init(arguments: Arguments, environment: [String: String]) {
        isJSON = arguments.has(.json)
        isTerminal = isatty(STDOUT_FILENO) == 1 && environment["TERM"] != "dumb"
        // https://no-color.org: present and not empty.
        hasColor = isTerminal && environment["NO_COLOR", default: ""].isEmpty
        detail =
            arguments.has(.verbose) ? .verbose : arguments.has(.quiet) ? .quiet : .normal
    }

    /// Prints one result: as a JSON line, or as `text`.
    func result(_ json: JSON, text: @autoclosure () -> String) throws(Closed) {
        try line(isJSON ? json.description : text())
    }

    /// Prints a line on standard output at once, so that a program that reads along sees it.
    func line(_ text: String) throws(Closed) {
        try write(text + "\n")
    }

    /// Writes `text` to standard output as it is.
    func write(_ text: String) throws(Closed) { try write(text.utf8) }

    /// Writes bytes to standard output as they are.
    func write(_ bytes: some Sequence<UInt8>) throws(Closed) {
        guard !Self.write(bytes, to: STDOUT_FILENO) else { return }
        if errno != EPIPE {
            Self.error("cannot write to standard output: \(String(cString: strerror(errno)))")
        }
        throw Closed()
    }

    /// Says what is going on, unless the user wants quiet.
    func notice(_ text: @autoclosure () -> String) {
        if detail >= .normal { Self.error(text()) }
    }

    /// Says more than most users want to know.
    func trace(_ text: @autoclosure () -> String) {
        if detail >= .verbose { Self.error(text()) }
    }

    /// Says what went wrong.
    ///
    /// Nothing can be done when even that fails.
    static func error(_ text: String) {
        _ = write("nfc-session: \(text)\n".utf8, to: STDERR_FILENO)
    }

    /// Writes a question, or an answer's line end, to standard error as it is.
    static func question(_ text: String) {
        _ = write(text.utf8, to: STDERR_FILENO)
    }

    /// `text` in this style, where colors are wanted.
    func styled(_ text: String, _ style: Style) -> String {
        hasColor ? style(text) : text
    }

    /// Writes all of `bytes`; false when the other side is gone.
    ///
    /// Not Foundation's FileHandle, which hides why it failed, and not stdio, which buffers.
    private static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
        var bytes = Array(bytes)[...]
        while !bytes.isEmpty {
            let written = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if written >= 0 {
                bytes = bytes.dropFirst(written)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wait, 1, -1)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
