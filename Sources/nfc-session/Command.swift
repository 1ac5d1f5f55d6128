/// One command of the tool, or the tool itself: a node of the table that parsing and help are made from.
struct Command: Sendable {
    /// What a user types.
    let name: String
    /// What it does, as one line without a full stop.
    let summary: String
    /// What the help says below the options, which may be nothing: paragraphs, tables, examples.
    let discussion: String
    /// The words that follow the options.
    let operands: Operands
    /// Its own options; the global ones come on top.
    let options: [Option]
    /// The commands below this one; a command with subcommands does nothing by itself.
    let subcommands: [Command]
    /// What does the work; nil for a command that only groups others.
    let run: Action?

    /// What a command does, given what the user asked for and where to print.
    typealias Action = @Sendable (Arguments, Output) async throws -> Exit

    init(
        _ name: String,
        summary: String,
        discussion: String = "",
        operands: Operands = .none,
        options: [Option] = [],
        subcommands: [Command] = [],
        run: Action? = nil
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.operands = operands
        self.options = options
        self.subcommands = subcommands
        self.run = run
    }
}

/// Which words a command takes besides its options.
struct Operands: Sendable, Equatable {
    /// As a usage line shows them; empty when there are none.
    let synopsis: String
    /// The fewest and the most it takes.
    let count: ClosedRange<Int>

    /// No operand at all.
    static let none = Operands(synopsis: "", count: 0...0)

    /// At least `minimum` words, each called `name`.
    static func many(_ name: String, minimum: Int = 1) -> Operands {
        Operands(
            synopsis: minimum == 0 ? "[\(name)...]" : "\(name)...",
            count: minimum...Int.max
        )
    }
}
