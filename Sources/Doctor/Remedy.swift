/// One command, and what has to be done after it.
///
/// A command is a list of arguments, never a line for a shell: nothing that a device or a file says can turn into
/// another command.
package struct Remedy: Sendable, Equatable {
    /// The program and its arguments.
    package let arguments: [String]
    /// What the command reads from its standard input, without a line break; nil when it reads nothing.
    package let input: String?
    /// Whether only root may do it.
    package let needsRoot: Bool
    /// Whether `--fix` may do it; the rest is for people to decide or to type.
    package let isAutomatic: Bool
    /// What a person has to do afterwards, as an order; nil when that was all.
    package let then: String?

    /// A command of one's own.
    package init(
        arguments: [String],
        input: String? = nil,
        needsRoot: Bool,
        isAutomatic: Bool,
        then: String? = nil
    ) {
        self.arguments = arguments
        self.input = input
        self.needsRoot = needsRoot
        self.isAutomatic = isAutomatic
        self.then = then
    }

    /// A command that changes the system, which `--fix` may run.
    static func mend(_ arguments: String..., then: String? = nil) -> Remedy {
        Remedy(
            arguments: arguments,
            needsRoot: true,
            isAutomatic: true,
            then: then
        )
    }

    /// Puts `text` into a file of the system: in place of what is there, or behind it.
    static func write(
        _ text: String,
        to path: String,
        appending: Bool = false,
        then: String? = nil
    ) -> Remedy {
        Remedy(
            arguments: appending ? ["tee", "-a", path] : ["tee", path],
            input: text,
            needsRoot: true,
            isAutomatic: true,
            then: then
        )
    }

    /// A command that is for the user to type.
    static func type(_ arguments: String..., asRoot: Bool = false, then: String? = nil) -> Remedy {
        Remedy(
            arguments: arguments,
            needsRoot: asRoot,
            isAutomatic: false,
            then: then
        )
    }

    /// The command as a user types it into a shell.
    package var command: String {
        let words = (needsRoot ? ["sudo"] : []) + arguments
        let command = words.map(Self.quoted).joined(separator: " ")
        return input.map { "echo \(Self.quoted($0)) | \(command)" } ?? command
    }

    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "/", ":", "=", "@", ",", "+":
                    true
                default: false
                }
            }
        return isPlain
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: #"'\''"#) + "'"
    }
}
