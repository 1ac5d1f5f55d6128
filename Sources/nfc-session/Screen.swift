import Glibc

/// A block of lines on a terminal that is drawn anew in place.
struct Screen {
    private let output: Output
    private var height = 0

    init(_ output: Output) { self.output = output }

    /// The terminal's width; 80 where it does not say.
    var columns: Int {
        var size = winsize()
        return ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
            ? Int(size.ws_col) : 80
    }

    /// Shows `lines`, none of them wider than the terminal, in place of what was shown before.
    mutating func show(_ lines: [String]) throws(Output.Closed) {
        // Up to the first line of the old block, then clear from there to the end of the screen.
        let start = height > 0 ? "\u{1B}[\(height)A\r\u{1B}[J" : ""
        try output.write(start + lines.map { $0 + "\n" }.joined())
        height = lines.count
    }
}
