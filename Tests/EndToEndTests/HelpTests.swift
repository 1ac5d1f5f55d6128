import Foundation
import Testing

@testable import nfc_session

/// The help texts are checked in, so that a change of the command line shows in review.
///
/// `make snapshots` writes them anew.
@Suite struct HelpTests {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Snapshots")

    private static let commands: [(path: [String], command: Command)] = Command.root.tree

    @Test("The help of each command is the one checked in", arguments: commands.indices)
    func snapshot(index: Int) throws {
        let (path, command) = Self.commands[index]
        let file = Self.folder.appending(path: path.joined(separator: "-") + ".txt")
        let expected = try String(contentsOf: file, encoding: .utf8)
        #expect(Help.text(of: command, path: path) + "\n" == expected)
    }

    @Test(
        "No line of help is wider than 80 columns, or ends in a blank",
        arguments: commands.indices
    )
    func width(index: Int) {
        let (path, command) = Self.commands[index]
        for line in Help.text(of: command, path: path).split(separator: "\n") {
            #expect(line.count <= 80 && line.last != " ", "\(line)")
        }
    }

    @Test("No two options of a command share a name or a letter", arguments: commands.indices)
    func names(index: Int) {
        let options = Self.commands[index].command.options + Option.global
        #expect(Set(options.map(\.name)).count == options.count)
        let letters = options.compactMap(\.short)
        #expect(Set(letters).count == letters.count)
    }

    @Test("A long list of options is broken under the command's name")
    func usage() {
        let option = Option("very-long-name", value: "VALUE", help: "")
        let command = Command("run", summary: "", options: [option, option, option])
        #expect(
            Help.usage(of: command, path: ["tool", "run"]) == """
                Usage: tool run [--very-long-name VALUE] [--very-long-name VALUE]
                                [--very-long-name VALUE] [OPTION]...
                """
        )
    }
}
