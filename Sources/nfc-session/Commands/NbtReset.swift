import NBT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Takes a tag back to its delivery state.
    static let nbtReset = Command(
        "reset",
        summary: "Take a tag back to its delivery state",
        discussion: """
            Frees the access policies, erases the NDEF file and file1 to file4, and deletes
            all passwords. Keys and configuration stay: no command takes them away, and the
            factory's configuration is not known. A new key can be stored over an old one,
            unless personalisation was finalised.

            A tag whose access policies have a master password needs it. When the tag is
            lost on the way, the same command once more goes on.
            """,
        options: [.masterPasswordFile, .dryRun, .consent],
        run: { arguments, output in
            let connection = try NbtConnection(arguments, output)
            let master = try await Secret.masterPassword.optional(arguments, output)
            let run = try PlanRun(
                try .reset(masterPassword: master),
                deed: "erase all that the tag holds",
                arguments,
                output
            )
            return try await connection.use { tag in try await run.run(on: tag) }
        }
    )
}
