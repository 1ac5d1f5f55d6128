#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The command line of nfc-session.
@main
enum Main {
    /// The version that `--version` prints.
    static let version = "0.1.0"

    static func main() async {
        StandardStreams.hold()
        Signals.ignoreBrokenPipes()
        let words = Array(CommandLine.arguments.dropFirst())
        let exit = await Signals.interruptible {
            await run(words, environment: ProcessInfo.processInfo.environment)
        }
        exit()
    }

    /// Runs the command that `words` ask for; what goes wrong is printed here and nowhere else.
    private static func run(_ words: [String], environment: [String: String]) async -> Exit {
        do {
            let invocation = try Invocation(words: words, root: .root)
            return try await run(invocation, environment: environment)
        } catch let failure as Invocation.Failure {
            Output.error(failure.description)
            return .usage
        } catch is Output.Closed {
            return .interrupted
        } catch {
            let exit = Exit(error)
            if exit != .interrupted { Output.error("\(error)") }
            return exit
        }
    }

    private static func run(_ invocation: Invocation, environment: [String: String]) async throws
        -> Exit
    {
        let (command, arguments) = (invocation.command, invocation.arguments)
        let output = Output(arguments: arguments, environment: environment)
        if arguments.has(.version) {
            try output.line("nfc-session \(version)")
            return .done
        }
        guard !arguments.has(.help), let action = command.run else {
            try output.line(Help.text(of: command, path: invocation.path))
            return .done
        }
        do {
            return try await action(arguments, output)
        } catch let cause as UsageError {
            throw Invocation.Failure(cause: cause, command: command, path: invocation.path)
        }
    }
}

extension Command {
    /// The whole tool.
    static let root: Command = .init(
        "nfc-session",
        summary: "NFC sessions on PN53x readers: reports tags and verifies brand protection",
        discussion: """
            Exit status: 0 done, or genuine; 1 a negative verdict; 2 usage; 3 no reader, or
            it failed; 4 no tag in time; 5 tag lost or protocol fault; 130 interrupted.

            Without --reader the reader is taken from NFC_SESSION_READER, else from
            LIBNFC_DEVICE and libnfc.conf, else the only USB reader is used.
            """,
        subcommands: [
            .scan, .verify, .readers, .doctor, .apdu, .nbt, .simulate, .completion, .manual,
        ]
    )
}

extension Invocation.Failure: CustomStringConvertible {
    var description: String {
        """
        \(cause)
        \(Help.usage(of: command, path: path))
        Try '\(path.joined(separator: " ")) --help'.
        """
    }
}
