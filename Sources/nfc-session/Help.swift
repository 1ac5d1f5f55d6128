/// The help text of a command, made from its table and wrapped at 80 columns.
enum Help {
    private static let width = 80
    private static let column = 28

    /// The usage line of the command that `path` leads to: `nfc-session scan [--once] ...`.
    static func usage(of command: Command, path: [String]) -> String {
        let start = "Usage: " + path.joined(separator: " ")
        var parts = command.subcommands.isEmpty ? [] : ["COMMAND"]
        parts += command.options.map {
            $0.isRepeatable ? "[\($0.synopsis)]..." : "[\($0.synopsis)]"
        }
        if !command.operands.synopsis.isEmpty { parts.append(command.operands.synopsis) }
        parts.append("[OPTION]...")
        return fill(parts, after: start, indent: start.count + 1).joined(separator: "\n")
    }

    /// All there is to say about the command.
    static func text(of command: Command, path: [String]) -> String {
        var sections = [usage(of: command, path: path), command.summary + "."]
        if !command.subcommands.isEmpty {
            sections.append(
                section("Commands:", command.subcommands.map { ($0.name, $0.summary) })
            )
        }
        if !command.options.isEmpty {
            sections.append(section("Options:", command.options.map(row)))
        }
        sections.append(section("Options of every command:", Option.global.map(row)))
        if !command.discussion.isEmpty { sections.append(command.discussion) }
        return sections.joined(separator: "\n\n")
    }

    private static func row(_ option: Option) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? "    "
        return (short + option.synopsis, option.help)
    }

    private static func section(_ title: String, _ rows: [(String, String)]) -> String {
        var text = [title]
        for (left, right) in rows {
            let words = right.split(separator: " ").map(String.init)
            if left.count + 4 > column {
                text.append("  " + left)
                text += fill(words, after: "", indent: column)
            } else {
                text += fill(words, after: "  " + left, indent: column)
            }
        }
        return text.joined(separator: "\n")
    }

    /// Sets words into lines, all of them right of `indent` columns; `start` opens the first line.
    private static func fill(_ words: [String], after start: String, indent: Int) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = start + margin.dropFirst(start.count)
        for word in words {
            if line.count > indent, line.count + 1 + word.count > width {
                lines.append(line)
                line = margin
            }
            line += line.count > indent ? " " + word : word
        }
        return lines + [line]
    }
}
