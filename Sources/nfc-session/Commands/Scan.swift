import NFCReader
import NFCSession
import Synchronization

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

            A reader that fails or is unplugged is waited for, which standard error tells,
            and tags are reported on when it is back. A reader that cannot be opened at the
            start ends with status 3, and so does any failure with --no-wait.

            With --hold a tag that stays is reported once more, as 'resting', and 'removed'
            says how long it was there: a tag that leaves without 'resting' was tapped.

            Examples:
              nfc-session scan --json
              nfc-session scan --once --format HEX --timeout 10
              nfc-session scan --virtual ntag213+felica --count 2
            """,
        options: [.once, .count, .poll, .format, .hold, .noWait],
        run: { arguments, output in try await Scan(arguments, output).run() }
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
    static let noWait = Option(
        "no-wait",
        help: "End with status 3 when the reader fails, instead of waiting for it"
    )
    static let format = Option("format", value: "F", help: "Write UIDs in this format")
    static let hold = Option(
        "hold",
        value: "SECONDS",
        help: "Also report a tag that stays for so long, and how long tags stay"
    )
}

/// The work of `scan`.
struct Scan {
    /// The number of tags after which it stops; nil for no end.
    let count: Int?
    let technologies: [Technology]
    let format: UIDFormat
    /// After how many seconds it stops.
    let timeout: Int?
    /// Whether a reader that fails is waited for.
    let keepsReader: Bool
    /// After how many seconds a tag that stays is reported again; nil for never.
    let hold: Int?
    private let reader: ReaderChoice
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
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
        keepsReader = !arguments.has(.noWait)
        hold = try arguments.number(of: .hold, in: 1...1_000_000)
        reader = try ReaderChoice(arguments)
        self.output = output
    }

    /// What was seen so far, and whether anybody still listens.
    private struct Progress {
        var tags = 0
        var isClosed = false
    }

    func run() async throws -> Exit {
        if let loss = format.loss {
            output.notice("\(format.rawValue) \(loss): different tags can look the same")
        }
        let progress = Mutex(Progress())
        try await reader.use(output) { reader in
            var configuration = TagMonitor.Configuration(
                reader: reader.connectionString,
                technologies: technologies,
                identifies: true,
                holdTime: hold.map { .seconds($0) }
            )
            if !keepsReader { configuration.recovery = nil }
            let monitor = TagMonitor(configuration)
            try await Deadline.cancel(after: timeout) {
                try await monitor.run { report in
                    let goesOn = progress.withLock { print(report, &$0) }
                    // The monitor's own task: it closes the reader and returns.
                    if !goesOn { withUnsafeCurrentTask { $0?.cancel() } }
                } recovery: {
                    say($0)
                }
            }
        }
        let (tags, isClosed) = progress.withLock { ($0.tags, $0.isClosed) }
        if isClosed { throw Output.Closed() }
        try Task.checkCancellation()
        if tags == 0, let timeout { throw Failure.noTag(seconds: timeout) }
        return .done
    }

    /// Says what becomes of the reader, on standard error.
    private func say(_ event: RecoveryEvent) {
        switch event {
        case .lost(let error): output.notice("lost the reader: \(error); waiting for it")
        case .attempted(let step, let duration, let failure):
            let outcome = failure.map { "failed: \($0)" } ?? "helped"
            output.trace("recovery by \(step.rawValue) \(outcome) (\(duration.inMilliseconds) ms)")
        case .back(let duration, let step, let connectionString):
            output.notice(
                "the reader is back after \(duration.inMilliseconds) ms, by \(step.rawValue), "
                    + "at \(connectionString)"
            )
        }
    }

    /// Prints one report; false when it was the last one wanted.
    private func print(_ report: UIDReport, _ progress: inout Progress) -> Bool {
        if let count, progress.tags == count { return false }
        if report.event == .detected { progress.tags += 1 }
        let line = TagLine(report: report, format: format, saysHowLong: hold != nil)
        do throws(Output.Closed) {
            try output.result(line.json, text: line.text)
        } catch {
            progress.isClosed = true
            return false
        }
        return progress.tags != count
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

extension Duration {
    /// Whole milliseconds.
    fileprivate var inMilliseconds: Int { Int(self / .milliseconds(1)) }
}
