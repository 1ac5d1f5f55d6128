/// Scripts that complete the command line in a shell, made from its table.
///
/// All three find out which command is meant by the words so far, and offer what may follow it. After an option that
/// takes a value they offer files, as the values that are not files are free text.
enum CompletionScript: String, CaseIterable {
    case bash, zsh, fish

    /// The script for the tool whose table is `root`.
    func text(for root: Command) -> String {
        let lines =
            switch self {
            case .bash: bash(root)
            case .zsh: zsh(root)
            case .fish: fish(root)
            }
        let title =
            "Completion of \(root.name) for \(rawValue), made by '\(root.name) completion \(rawValue)'."
        // zsh looks at the first line only.
        let start = self == .zsh ? ["#compdef \(root.name)", "# " + title] : ["# " + title]
        return (start + lines).joined(separator: "\n")
    }

    // MARK: bash

    private func bash(_ root: Command) -> [String] {
        let words = root.tree.map { path, command in
            let words =
                command.subcommands.map(\.name) + command.allOptions.map { "--" + $0.name }
            return "        \(trail(path))) words='\(words.joined(separator: " "))' ;;"
        }
        return [
            "_nfc_session() {",
            "    local trail='' words='' i",
            "    COMPREPLY=()",
            "    for ((i = 1; i < COMP_CWORD; i++)); do",
            "        case \"$trail ${COMP_WORDS[i]}\" in",
            "        \(trails(root))) trail=\"$trail ${COMP_WORDS[i]}\" ;;",
            "        esac",
            "    done",
            "    case ${COMP_WORDS[COMP_CWORD - 1]} in",
            "    \(valued(root))) return ;;",
            "    esac",
            "    case $trail in",
        ] + words.map { String($0.dropFirst(4)) } + [
            "    esac",
            "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")",
            "}",
            "complete -o default -F _nfc_session \(root.name)",
        ]
    }

    // MARK: zsh

    private func zsh(_ root: Command) -> [String] {
        let cases = root.tree.flatMap { path, command in
            [
                "    \(trail(path)))",
                "        commands=(\(command.subcommands.map { pair($0.name, $0.summary) }.joined(separator: " ")))",
                "        options=(\(command.allOptions.map { pair("--" + $0.name, $0.help) }.joined(separator: " ")))",
                "        ;;",
            ]
        }
        return [
            "_nfc_session() {",
            "    local trail='' word",
            "    local -a commands options",
            "    for word in ${words[2,CURRENT-1]}; do",
            "        case \"$trail $word\" in",
            "        \(trails(root))) trail=\"$trail $word\" ;;",
            "        esac",
            "    done",
            "    case ${words[CURRENT-1]} in",
            "    \(valued(root))) _files; return ;;",
            "    esac",
            "    case $trail in",
        ] + cases + [
            "    esac",
            "    if [[ ${words[CURRENT]} == -* ]]; then",
            "        _describe option options",
            "    elif (( $#commands )); then",
            "        _describe command commands",
            "    else",
            "        _files",
            "    fi",
            "}",
            "_nfc_session \"$@\"",
        ]
    }

    /// A word and what it does, as `_describe` takes them.
    private func pair(_ word: String, _ text: String) -> String {
        let escaped = word.replacing(":", with: #"\:"#)
        return quoted("\(escaped):\(text)", escape: #"'\''"#)
    }

    // MARK: fish

    private func fish(_ root: Command) -> [String] {
        let lines = root.tree.flatMap { path, command in
            let start = "complete -c \(root.name) -n \"__nfc_session_at \(trail(path))\""
            return command.subcommands.map {
                "\(start) -f -a \($0.name) -d \(quoted($0.summary, escape: #"\'"#))"
            }
                + command.allOptions.map { option in
                    let short = option.short.map { " -s \($0)" } ?? ""
                    let value = option.value == nil ? "" : " -r"
                    return "\(start) -l \(option.name)\(short)\(value) -d "
                        + quoted(option.help, escape: #"\'"#)
                }
        }
        return [
            "function __nfc_session_at",
            "    set -l trail ''",
            "    for word in (commandline -opc)[2..]",
            "        switch \"$trail $word\"",
            "            case \(trails(root).split(separator: "|").joined(separator: " "))",
            "                set trail \"$trail $word\"",
            "        end",
            "    end",
            "    test \"$trail\" = \"$argv[1]\"",
            "end",
        ] + lines
    }

    // MARK: What they share

    /// The names that lead to a command, each after a blank, in quotation marks: `' ndef read'`.
    private func trail(_ path: [String]) -> String {
        "'" + path.dropFirst().map { " " + $0 }.joined() + "'"
    }

    /// The trails of all commands but the tool itself, as a pattern of the shell's `case`.
    private func trails(_ root: Command) -> String {
        root.tree.dropFirst().map { trail($0.path) }.joined(separator: "|")
    }

    /// The options that take a value, as such a pattern.
    private func valued(_ root: Command) -> String {
        let options = root.tree.flatMap(\.command.allOptions).filter { $0.value != nil }
        return Set(options.map { "--" + $0.name }).sorted().joined(separator: "|")
    }

    private func quoted(_ text: String, escape: String) -> String {
        "'" + text.replacing("'", with: escape) + "'"
    }
}

extension String {
    /// The text with every `part` replaced; Foundation's own method is not in FoundationEssentials of Swift 6.0.
    fileprivate func replacing(_ part: Character, with text: String) -> String {
        split(separator: part, omittingEmptySubsequences: false).joined(separator: text)
    }
}
