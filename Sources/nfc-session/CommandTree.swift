extension Command {
    /// This command and all below it, each with the names that lead to it: `["nfc-session", "ndef", "read"]`.
    var tree: [(path: [String], command: Command)] { tree(below: []) }

    private func tree(below parents: [String]) -> [(path: [String], command: Command)] {
        let path = parents + [name]
        return [(path, self)] + subcommands.flatMap { $0.tree(below: path) }
    }

    /// All options it takes, its own first.
    var allOptions: [Option] { options + Option.global }
}
