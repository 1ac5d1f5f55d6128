extension Command {
    /// Prints a script for a shell.
    static let completion: Command = .init(
        "completion",
        summary: "Print a script that completes this tool's command line in a shell",
        discussion: """
            SHELL is bash, zsh or fish. 'make install' puts the scripts where the shells
            look for them. Without it, for bash:

              source <(nfc-session completion bash)
            """,
        operands: Operands(synopsis: "SHELL", count: 1...1),
        run: { arguments, output in
            let name = arguments.operands.first ?? ""
            guard let shell = CompletionScript(rawValue: name) else {
                throw UsageError.invalidValue(
                    name,
                    of: "SHELL",
                    expected: CompletionScript.allCases.map(\.rawValue).joined(separator: ", ")
                )
            }
            try output.line(shell.text(for: .root))
            return .done
        }
    )
}
