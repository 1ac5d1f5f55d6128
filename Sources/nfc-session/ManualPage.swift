/// The manual page of the tool, in man(7)'s language, made from its table.
enum ManualPage {
    /// The page, nfc-session(1).
    static func text(of root: Command, version: String) -> String {
        let commands = root.tree.dropFirst()
        let title = root.name.uppercased()
        var lines = [
            ".TH \(title) 1 \"\" \"\(root.name) \(version)\" \"User Commands\"",
            ".SH NAME", "\(escaped(root.name)) \\- \(escaped(root.summary))",
            ".SH SYNOPSIS",
        ]
        for (path, command) in commands where command.run != nil {
            lines += synopsis(path, command)
        }
        lines += [".SH DESCRIPTION"] + literal(root.discussion) + [".SH OPTIONS OF EVERY COMMAND"]
        lines += Option.global.flatMap(option) + [".SH COMMANDS"]
        for (path, command) in commands {
            lines += [
                ".SS " + escaped(path.dropFirst().joined(separator: " ")),
                escaped(command.summary) + ".",
            ]
            lines += command.options.flatMap(option)
            if !command.discussion.isEmpty { lines += [".PP"] + literal(command.discussion) }
        }
        lines += [".SH SEE ALSO", ".BR nfc-list (1)"]
        return lines.joined(separator: "\n")
    }

    private static func synopsis(_ path: [String], _ command: Command) -> [String] {
        var words = [".B " + escaped(path.joined(separator: " "))]
        words += command.options.map {
            "[" + escaped($0.synopsis) + "]" + ($0.isRepeatable ? "..." : "")
        }
        if !command.operands.synopsis.isEmpty { words.append(escaped(command.operands.synopsis)) }
        words += ["[OPTION]...", ".br"]
        // A line that begins with a dot would be an order.
        return words.enumerated().map { $0 > 0 && $1 != ".br" ? guarded($1) : $1 }
    }

    private static func option(_ option: Option) -> [String] {
        let short = option.short.map { "-\($0), " } ?? ""
        return [".TP", ".B " + escaped(short + option.synopsis), guarded(escaped(option.help))]
    }

    /// Text that keeps its lines, as the help has it wrapped and its tables set.
    private static func literal(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return [".nf"] + lines.map { guarded(escaped(String($0))) } + [".fi"]
    }

    /// A backslash begins an escape, a dash would become a hyphen, and quotation marks typographic ones.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "~": result += "\\(ti"
            case "^": result += "\\(ha"
            default: result.append(character)
            }
        }
    }

    private static func guarded(_ line: String) -> String {
        line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
    }
}
