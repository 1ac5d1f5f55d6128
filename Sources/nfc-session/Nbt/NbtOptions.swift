import NBT

/// What several of the `nbt` commands take.
extension Option {
    static let passwordFile = Option(
        "password-file",
        value: "FILE",
        help: "Take the file's password from here; '-': ask, or a line of standard input"
    )
    static let masterPasswordFile = Option(
        "master-password-file",
        value: "FILE",
        help: "Take the master password from here; '-' as ever"
    )
    static let newPasswordFile = Option(
        "new-password-file",
        value: "FILE",
        help: "Take the new password from here; '-' as ever"
    )
    static let linkKeyFile = Option(
        "link-key-file",
        value: "FILE",
        help: "Store the key of the one-time link token (16 bytes) from here"
    )
    static let dryRun = Option("dry-run", help: "Show what there is to do, and do nothing")
    static let position = Option(
        "at",
        value: "N",
        help: "Begin at this byte of the file; the first is 0"
    )
}

extension Secret {
    static let password = Secret(
        name: "password",
        option: .passwordFile,
        variable: "NFC_SESSION_NBT_PASSWORD",
        length: NbtConstants.passwordLength
    )
    static let masterPassword = Secret(
        name: "master password",
        option: .masterPasswordFile,
        variable: "NFC_SESSION_NBT_MASTER_PASSWORD",
        length: NbtConstants.passwordLength
    )
    static let newPassword = Secret(
        name: "new password",
        option: .newPasswordFile,
        variable: "NFC_SESSION_NBT_NEW_PASSWORD",
        length: NbtConstants.passwordLength,
        isNew: true
    )
    /// The master password that a plan creates.
    static let newMasterPassword = Secret(
        name: "master password",
        option: .masterPasswordFile,
        variable: "NFC_SESSION_NBT_MASTER_PASSWORD",
        length: NbtConstants.passwordLength,
        isNew: true
    )
    static let linkKey = Secret(
        name: "link key",
        option: .linkKeyFile,
        variable: "NFC_SESSION_NBT_LINK_KEY",
        length: 16,
        isNew: true
    )
}

extension Operands {
    /// Exactly these words.
    static func words(_ names: String...) -> Operands {
        Operands(synopsis: names.joined(separator: " "), count: names.count...names.count)
    }
}

extension Arguments {
    /// The operand at a place, as `parse` understands it.
    ///
    /// - Throws: `UsageError` that tells the user to write what `expected` says.
    func operand<Value>(
        _ place: Int,
        _ name: String,
        expected: String,
        parse: (String) -> Value?
    ) throws(UsageError) -> Value {
        guard operands.indices.contains(place) else { throw .missingOperand(name) }
        guard let value = parse(operands[place]) else {
            throw .invalidValue(operands[place], of: name, expected: expected)
        }
        return value
    }

    /// The operand that names a file of the NBT.
    func nbtFile(_ place: Int) throws(UsageError) -> NbtFile {
        let expected = "one of " + NbtFile.allCases.map(\.word).joined(separator: ", ")
        return try operand(place, "FILE", expected: expected, parse: NbtFile.init(word:))
    }

    /// The operand that names a use case.
    func useCase(_ place: Int) throws(UsageError) -> NbtUseCase {
        let expected = "one of " + NbtUseCase.allCases.map(\.rawValue).joined(separator: ", ")
        return try operand(place, "USE-CASE", expected: expected, parse: NbtUseCase.init(word:))
    }

    /// The operand that is the identifier of a password.
    func passwordId(_ place: Int) throws(UsageError) -> PasswordId {
        try operand(place, "ID", expected: "a number from 1 to 31") { text in
            Int(text).flatMap { try? PasswordId($0) }
        }
    }
}
