/// The words of a command line, sorted into options and operands by what a command declares.
struct Arguments: Sendable, Equatable {
    /// The words that belong to no option, in their order.
    private(set) var operands: [String] = []
    /// The values given for each option, in their order; a flag counts with an empty one.
    private var values: [String: [String]] = [:]

    /// Whether the option was given.
    func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// The option's value, or nil when it was not given.
    func value(of option: Option) -> String? { values[option.name]?.last }

    /// All values of an option that may be repeated.
    func values(of option: Option) -> [String] { values[option.name] ?? [] }

    /// The option's value as `parse` understands it, or nil when the option was not given.
    ///
    /// When `parse` returns nil, the user is told to write what `expected` says.
    func value<Value>(
        of option: Option,
        expected: String,
        parse: (String) -> Value?
    ) throws(UsageError) -> Value? {
        guard let text = value(of: option) else { return nil }
        guard let value = parse(text) else {
            throw .invalidValue(text, of: "--\(option.name)", expected: expected)
        }
        return value
    }

    /// The option's value as a number in `range`, or nil when the option was not given.
    func number(of option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        try value(
            of: option,
            expected: "a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    fileprivate mutating func add(operand: String) { operands.append(operand) }

    fileprivate mutating func add(_ value: String, for option: Option) throws(UsageError) {
        if values[option.name] != nil, !option.isRepeatable, option.value != nil {
            throw .repeatedOption(option)
        }
        values[option.name, default: []].append(value)
    }
}

/// What a command line asks for: a command, found by its name, and its arguments.
struct Invocation: Sendable {
    /// The command, with the names that lead to it: `["nfc-session", "scan"]`.
    let command: Command
    let path: [String]
    let arguments: Arguments
}

extension Invocation {
    /// A usage error, and the command in which it happened, for the usage line.
    struct Failure: Error {
        let cause: UsageError
        let command: Command
        let path: [String]
    }

    /// Reads `words`, the command line without the program's name, by the table below `root`.
    ///
    /// Understood are `--option value`, `--option=value`, `-o value`, `-ovalue`, clusters of flags as
    /// in `-qv`, and `--`, after which every word is an operand. Options may stand before and after
    /// the command's name.
    init(words: [String], root: Command) throws(Failure) {
        var parser = Parser(words: words, root: root)
        do throws(UsageError) {
            try parser.parse()
        } catch {
            throw Failure(cause: error, command: parser.command, path: parser.path)
        }
        command = parser.command
        path = parser.path
        arguments = parser.arguments
    }
}

private struct Parser {
    private var words: ArraySlice<String>
    private(set) var command: Command
    private(set) var path: [String]
    private(set) var arguments = Arguments()

    init(words: [String], root: Command) {
        self.words = words[...]
        command = root
        path = [root.name]
    }

    private var declared: [Option] { command.options + Option.global }

    mutating func parse() throws(UsageError) {
        while let word = words.popFirst() {
            if word == "--" {
                for word in words { try takeOperand(word) }
                words = []
            } else if word.hasPrefix("--") {
                try takeLongOption(word)
            } else if word.hasPrefix("-"), word != "-" {
                try takeShortOptions(word)
            } else {
                try takeOperand(word)
            }
        }
        // Whoever asks for help need not get the rest right.
        guard !arguments.has(.help), !arguments.has(.version) else { return }
        guard command.run != nil else { throw .missingCommand }
        guard arguments.operands.count >= command.operands.count.lowerBound else {
            throw .missingOperand(command.operands.synopsis)
        }
    }

    /// Takes a command's name where one may stand, and an operand elsewhere.
    private mutating func takeOperand(_ word: String) throws(UsageError) {
        if !command.subcommands.isEmpty {
            guard let subcommand = command.subcommands.first(where: { $0.name == word }) else {
                throw .unknownCommand(word)
            }
            command = subcommand
            path.append(word)
        } else {
            guard arguments.operands.count < command.operands.count.upperBound else {
                throw .unexpectedOperand(word)
            }
            arguments.add(operand: word)
        }
    }

    private mutating func takeLongOption(_ word: String) throws(UsageError) {
        let parts = word.dropFirst(2).split(
            separator: "=",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        let name = parts.first.map(String.init) ?? ""
        guard let option = declared.first(where: { $0.name == name }) else {
            throw .unknownOption("--\(name)")
        }
        let attached = parts.count == 2 ? parts.last.map(String.init) : nil
        try take(option, attached: attached)
    }

    private mutating func takeShortOptions(_ word: String) throws(UsageError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = declared.first(where: { $0.short == letter }) else {
                throw .unknownOption("-\(letter)")
            }
            guard option.value == nil else {
                try take(option, attached: letters.isEmpty ? nil : String(letters))
                return
            }
            try take(option, attached: nil)
        }
    }

    private mutating func take(_ option: Option, attached: String?) throws(UsageError) {
        if option.value == nil {
            guard attached == nil else { throw .unexpectedValue(option) }
            try arguments.add("", for: option)
        } else if let attached {
            try arguments.add(attached, for: option)
        } else if let next = words.first, !next.hasPrefix("--") {
            words.removeFirst()
            try arguments.add(next, for: option)
        } else {
            throw .missingValue(option)
        }
    }
}
