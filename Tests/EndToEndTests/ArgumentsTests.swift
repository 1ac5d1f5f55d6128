import Testing

@testable import nfc_session

/// Parsing is tested on a table of its own, so that it holds for any table.
@Suite struct ArgumentsTests {
    private static let size = Option("size", short: "s", value: "N", help: "A size")
    private static let name = Option(
        "name",
        value: "NAME",
        help: "A name",
        isRepeatable: true
    )
    private static let fast = Option("fast", short: "f", help: "A flag")

    private static let root = Command(
        "tool",
        summary: "A tool",
        subcommands: [
            Command(
                "copy",
                summary: "Copies",
                operands: .many("FILE", minimum: 1),
                options: [size, name, fast],
                run: { _, _ in .done }
            ),
            Command("list", summary: "Lists", run: { _, _ in .done }),
        ]
    )

    private func parse(_ line: String) throws -> Invocation {
        try Invocation(words: line.split(separator: " ").map(String.init), root: Self.root)
    }

    private func failure(_ line: String) -> UsageError? {
        do {
            _ = try parse(line)
            return nil
        } catch {
            return (error as? Invocation.Failure)?.cause
        }
    }

    @Test(
        "A value may stand apart, behind '=', or behind its letter",
        arguments: [
            "copy --size 5 a", "copy a --size=5", "copy -s 5 a", "copy -s5 a", "copy -fs5 a",
        ]
    )
    func valueForms(line: String) throws {
        let invocation = try parse(line)
        #expect(invocation.path == ["tool", "copy"])
        #expect(try invocation.arguments.number(of: Self.size, in: 1...9) == 5)
        #expect(invocation.arguments.operands == ["a"])
        #expect(invocation.arguments.has(Self.fast) == line.contains("-f"))
    }

    @Test("Only the first '=' parts an option from its value")
    func equalsSignInValue() throws {
        let arguments = try parse("copy --name=a=b x").arguments
        #expect(arguments.value(of: Self.name) == "a=b")
    }

    @Test("A value may be empty, or begin with a dash after '='")
    func oddValues() throws {
        #expect(try parse("copy --name= x").arguments.value(of: Self.name) == "")
        #expect(try parse("copy --name=--x x").arguments.value(of: Self.name) == "--x")
        #expect(try parse("copy --name - x").arguments.value(of: Self.name) == "-")
    }

    @Test("A repeatable option keeps all its values in their order")
    func repeated() throws {
        let arguments = try parse("copy --name b --name=a x").arguments
        #expect(arguments.values(of: Self.name) == ["b", "a"])
    }

    @Test("After '--' every word is an operand, and '-' always is one")
    func operands() throws {
        let arguments = try parse("copy - -- --size -f").arguments
        #expect(arguments.operands == ["-", "--size", "-f"])
        #expect(!arguments.has(Self.fast))
    }

    @Test(
        "Global options stand before or after the command",
        arguments: ["--json list", "list --json"]
    )
    func globalOptions(line: String) throws {
        let invocation = try parse(line)
        #expect(invocation.command.name == "list")
        #expect(invocation.arguments.has(.json))
    }

    @Test("A flag may be given twice")
    func repeatedFlag() throws {
        #expect(try parse("list -v -v").arguments.has(.verbose))
    }

    @Test(
        "What cannot be understood is refused",
        arguments: [
            ("", .missingCommand),
            ("--json", .missingCommand),
            ("move", .unknownCommand("move")),
            ("copy", .missingOperand("FILE...")),
            ("list x", .unexpectedOperand("x")),
            ("copy --speed x", .unknownOption("--speed")),
            ("copy -x", .unknownOption("-x")),
            ("copy -fx", .unknownOption("-x")),
            ("--size 5 copy x", .unknownOption("--size")),
            ("copy x --size", .missingValue(size)),
            ("copy x -s", .missingValue(size)),
            ("copy x --size --fast", .missingValue(size)),
            ("copy --fast=yes x", .unexpectedValue(fast)),
            ("copy --size 1 --size 2 x", .repeatedOption(size)),
            ("copy ---", .unknownOption("---")),
        ] as [(String, UsageError)]
    )
    func refused(line: String, error: UsageError) {
        #expect(failure(line) == error)
    }

    @Test(
        "Whoever asks for help need not get the rest right",
        arguments: ["copy --help", "--help", "-h copy"]
    )
    func help(line: String) throws {
        #expect(try parse(line).arguments.has(.help))
    }

    @Test("A number outside its range is refused", arguments: ["0", "10", "x", "", "5.0", "0x5"])
    func numbers(text: String) throws {
        let arguments = try parse("copy --size=\(text) x").arguments
        #expect(
            throws: UsageError.invalidValue(
                text,
                of: "--size",
                expected: "a whole number from 1 to 9"
            )
        ) {
            try arguments.number(of: Self.size, in: 1...9)
        }
    }

    @Test("A usage error names the command and shows its usage line")
    func message() {
        let command = Self.root.subcommands[0]
        let failure = Invocation.Failure(
            cause: .unknownOption("--speed"),
            command: command,
            path: ["tool", "copy"]
        )
        #expect(
            failure.description == """
                there is no option '--speed'
                Usage: tool copy [--size N] [--name NAME]... [--fast] FILE... [OPTION]...
                Try 'tool copy --help'.
                """
        )
    }
}
