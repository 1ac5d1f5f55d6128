import APDU
import Bytes
import NBT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// The tag's passwords.
    static let nbtPassword = Command(
        "password",
        summary: "Create, change, unblock and delete the tag's passwords",
        discussion: """
            A tag holds up to 28 passwords, numbered 1 to 31. Which of them a file needs is
            said by the access policies ('nbt policy'). Where the write condition of fap
            names a password, that is the master password, and each of these commands needs
            it; else anybody can do all of this.
            """,
        subcommands: [.nbtCreate, .nbtChange, .nbtUnblock, .nbtDelete]
    )

    private static let nbtCreate = Command(
        "create",
        summary: "Create password ID",
        discussion: """
            The tag answers its response to whoever gives the right password, so that a copy
            that takes any password is found out. It is 9000 plus ID unless given.

            Example:
              nfc-session nbt password create 2 --tries 3 --new-password-file update
            """,
        operands: .words("ID"),
        options: [.newPasswordFile, .masterPasswordFile, .tries, .response],
        run: { arguments, output in
            let id = try arguments.passwordId(0)
            let limit = try arguments.tryLimit()
            let response = try arguments.response() ?? id.usualResponse
            return try await NbtPassword(arguments, output).run(with: .newPassword) {
                commandSet,
                password,
                master in
                let definition = try PasswordDefinition(
                    id: id,
                    password: password,
                    response: response,
                    limit: limit
                )
                try await commandSet.createPassword(definition, masterPassword: master)
                return "created \(definition)"
            }
        }
    )

    private static let nbtChange = Command(
        "change",
        summary: "Change password ID; its response and limit stay",
        operands: .words("ID"),
        options: [.newPasswordFile, .masterPasswordFile],
        run: { arguments, output in
            let id = try arguments.passwordId(0)
            return try await NbtPassword(arguments, output).run(with: .newPassword) {
                commandSet,
                password,
                master in
                try await commandSet.changePassword(
                    passwordId: id,
                    newPassword: password,
                    masterPassword: master
                )
                return "changed password \(id)"
            }
        }
    )

    private static let nbtUnblock = Command(
        "unblock",
        summary: "Unblock password ID and forget its wrong tries",
        operands: .words("ID"),
        options: [.masterPasswordFile],
        run: { arguments, output in
            let id = try arguments.passwordId(0)
            return try await NbtPassword(arguments, output).run { commandSet, master in
                try await commandSet.unblockPassword(passwordId: id, masterPassword: master)
                return "unblocked password \(id)"
            }
        }
    )

    private static let nbtDelete = Command(
        "delete",
        summary: "Delete password ID",
        discussion: """
            A file whose access condition names a password that is gone can no longer be
            used over that way, until its condition is changed. The master password itself
            cannot be missed: without it nobody can change a condition again, and so its
            deletion needs --yes or an answer.
            """,
        operands: .words("ID"),
        options: [.masterPasswordFile, .consent],
        run: { arguments, output in try await NbtPassword(arguments, output).delete() }
    )
}

extension Option {
    static let response = Option(
        "response",
        value: "HEX",
        help: "What the tag answers to the right password: 2 bytes, not 0000 or FFFF"
    )
}

extension Arguments {
    /// `--response`.
    fileprivate func response() throws(UsageError) -> UInt16? {
        try value(of: .response, expected: "4 hexadecimal digits, not 0000 or FFFF") { text in
            guard text.count == 4, let response = UInt16(text, radix: 16) else { return nil }
            return response == 0x0000 || response == 0xFFFF ? nil : response
        }
    }
}

/// The work of `nbt password`.
private struct NbtPassword {
    private let arguments: Arguments
    private let connection: NbtConnection
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
        self.arguments = arguments
        connection = try NbtConnection(arguments, output)
        self.output = output
    }

    /// Runs `body`, which says what it did, with the master password where one was given.
    func run(_ body: (NbtCommandSet, Data?) async throws -> String) async throws -> Exit {
        let master = try await Secret.masterPassword.optional(arguments, output)
        return try await connection.use { tag in
            let deed = try await body(tag.commandSet, master)
            try output.done(deed, on: tag)
            return .done
        }
    }

    /// The same with one more secret.
    func run(
        with secret: Secret,
        _ body: (NbtCommandSet, Data, Data?) async throws -> String
    ) async throws -> Exit {
        let password = try await secret.required(arguments, output)
        return try await run { commandSet, master in
            try await body(commandSet, password, master)
        }
    }

    func delete() async throws -> Exit {
        let id = try arguments.passwordId(0)
        let consent = Consent(arguments)
        return try await run { commandSet, master in
            let policies: FileAccessPolicies?
            do {
                policies = try await commandSet.readFap(masterPassword: nil)
            } catch NbtError.status(.readBinary, .securityStatusNotSatisfied) {
                policies = nil
            }
            // Where the policies cannot be read, it may be the master password as well.
            if policies == nil || policies?.masterPasswordId == id {
                let deed =
                    "password \(id) is the master password: without it nobody can ever change "
                    + "the access policies over NFC again"
                try await consent.ask(deed)
            }
            try await commandSet.deletePassword(passwordId: id, masterPassword: master)
            return "deleted password \(id)"
        }
    }
}
