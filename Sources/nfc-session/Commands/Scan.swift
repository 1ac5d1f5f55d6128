import NFCReader

extension Command {
    /// Reports tags as they come and go.
    static let scan = Command(
        "scan",
        summary: "Report tags as they come and go",
        discussion: """
            UID formats:
              hex        04a1b2c3d4e580 (the default)
              HEX        04A1B2C3D4E580
              hex:       04:a1:b2:c3:d4:e5:80
              reversed   last byte first
              decimal    all bytes as one number
              decimal10  the last four bytes as ten digits: 00 D5 07 D0 is 0013961168
              wiegand26  the first three bytes, last one first: D0 07 D5 is 213,02000
              wiegand34  the first four bytes, last one first, as ten digits
            decimal10, wiegand26 and wiegand34 drop bytes: different tags can look the same.

            Examples:
              nfc-session scan --json
              nfc-session scan --once --format HEX --timeout 10
              nfc-session scan --virtual ntag213+felica --count 2
            """,
        options: [.once, .count, .poll, .format],
        run: { _, _ in .done }
    )
}

extension Option {
    static let once = Option("once", help: "Stop after the first tag")
    static let count = Option("count", short: "n", value: "N", help: "Stop after N tags")
    static let poll = Option(
        "poll",
        value: "TYPES",
        help: "Look for these types only, separated by commas: a, b, f (FeliCa); default a,b,f"
    )
    static let format = Option("format", value: "F", help: "Write UIDs in this format")
}

/// What `scan` was asked to do.
struct ScanOptions: Equatable {
    /// The number of tags after which it stops; nil for no end.
    let count: Int?
    let technologies: [Technology]
    let format: UIDFormat
    /// After how many seconds it stops.
    let timeout: Int?

    init(_ arguments: Arguments) throws(UsageError) {
        if arguments.has(.once), arguments.has(.count) { throw .conflict(.once, .count) }
        count =
            arguments.has(.once) ? 1 : try arguments.number(of: .count, in: 1...1_000_000_000)
        technologies = try arguments.technologies()
        let formats = UIDFormat.allCases.map(\.rawValue).joined(separator: ", ")
        format =
            try arguments.value(
                of: .format,
                expected: "one of \(formats)",
                parse: UIDFormat.init
            ) ?? .hex
        timeout = try arguments.timeout()
    }
}

extension Arguments {
    /// `--poll`, in the order of polling; all technologies without it.
    func technologies() throws(UsageError) -> [Technology] {
        let letters: [String: Technology] = ["a": .iso14443a, "b": .iso14443b, "f": .felica]
        let expected = "letters out of a, b and f, separated by commas, each once"
        let chosen = try value(of: .poll, expected: expected) { text -> [Technology]? in
            let words = text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
            let known = words.compactMap { letters[String($0)] }
            return known.count == words.count && Set(known).count == known.count ? known : nil
        }
        return chosen ?? Technology.allCases
    }

    /// `--timeout` in seconds.
    func timeout() throws(UsageError) -> Int? {
        try number(of: .timeout, in: 1...1_000_000)
    }
}
