/// One option of a command, declared once.
///
/// The parser, `--help` and whatever else describes the command line read this table.
struct Option: Sendable, Equatable {
    /// The long name, without its two dashes.
    let name: String
    /// The letter after a single dash, where there is one.
    let short: Character?
    /// What its value is called in the help; nil for a flag.
    let value: String?
    /// What it does, as one sentence without a full stop.
    let help: String
    /// Whether it may be given more than once.
    let isRepeatable: Bool

    init(
        _ name: String,
        short: Character? = nil,
        value: String? = nil,
        help: String,
        isRepeatable: Bool = false
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.help = help
        self.isRepeatable = isRepeatable
    }

    /// As a usage line shows it: `--anchor PEM`.
    var synopsis: String {
        value.map { "--\(name) \($0)" } ?? "--\(name)"
    }
}

extension Option {
    static let reader = Option(
        "reader",
        value: "CONNSTRING",
        help: "Use this reader, for example usb:1-1.2 or pn532_uart:/dev/ttyUSB0"
    )
    static let virtual = Option(
        "virtual",
        value: "TAG[+TAG]",
        help: "Use a virtual reader with these tags in its field; see 'nfc-session simulate --help'"
    )
    static let json = Option("json", help: "Print one JSON object a line")
    static let timeout = Option(
        "timeout",
        value: "SECONDS",
        help: "Stop after this time; exit status 4 when no tag came"
    )
    static let quiet = Option("quiet", short: "q", help: "Print results and errors only")
    static let verbose = Option("verbose", short: "v", help: "Say more about what is going on")
    static let help = Option("help", short: "h", help: "Print this help and stop")
    static let version = Option("version", help: "Print the version and stop")

    /// The options that every command takes, before or after its name.
    static let global = [reader, virtual, json, timeout, quiet, verbose, help, version]
}
