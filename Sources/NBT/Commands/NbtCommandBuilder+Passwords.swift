public import APDU

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Passwords and GET DATA (facts/nbt.md, 2.5 and 2.6).
///
/// The master password is the one that the access policy file's write condition names; where there
/// is none, leave it out.
extension NbtCommandBuilder {
    /// CREATE PASSWORD.
    ///
    /// - Throws: `NbtError.invalidArgument` for a master password that has not 4 bytes.
    public func createPassword(
        _ definition: PasswordDefinition,
        masterPassword: Data? = nil
    ) throws(NbtError) -> CommandAPDU {
        try command(
            .createPassword,
            ins: 0xE1,
            data: try master(masterPassword, .createPassword) + definition.encoded
        )
    }

    /// DELETE PASSWORD.
    ///
    /// - Throws: `NbtError.invalidArgument` for a master password that has not 4 bytes.
    public func deletePassword(
        passwordId: PasswordId,
        masterPassword: Data? = nil
    ) throws(NbtError) -> CommandAPDU {
        try command(
            .deletePassword,
            ins: 0xE4,
            p2: passwordId.number,
            data: try master(masterPassword, .deletePassword)
        )
    }

    /// CHANGE PASSWORD; the old value is not asked for.
    ///
    /// - Throws: `NbtError.invalidArgument` for a password that has not 4 bytes.
    public func changePassword(
        passwordId: PasswordId,
        newPassword: Data,
        masterPassword: Data? = nil
    ) throws(NbtError) -> CommandAPDU {
        try PasswordDefinition.check(newPassword, for: .changePassword)
        return try command(
            .changePassword,
            ins: 0x24,
            p2: 0x40 | passwordId.number,
            data: try master(masterPassword, .changePassword) + newPassword
        )
    }

    /// UNBLOCK PASSWORD.
    ///
    /// - Throws: `NbtError.invalidArgument` for a master password that has not 4 bytes.
    public func unblockPassword(
        passwordId: PasswordId,
        masterPassword: Data? = nil
    ) throws(NbtError) -> CommandAPDU {
        try command(
            .unblockPassword,
            ins: 0x24,
            p2: passwordId.number,
            data: try master(masterPassword, .unblockPassword)
        )
    }

    /// GET DATA: `NbtConstants.tagAppletVersion` or `tagAvailableMemory`.
    ///
    /// - Throws: nothing: every tag can be sent.
    public func getData(tag: UInt16) throws(NbtError) -> CommandAPDU {
        try command(
            .getData,
            ins: 0x30,
            p1: UInt8(truncatingIfNeeded: tag >> 8),
            p2: UInt8(truncatingIfNeeded: tag),
            expectedLength: NbtConstants.maxLe
        )
    }

    private func master(_ password: Data?, _ name: NbtCommand) throws(NbtError) -> Data {
        guard let password else { return Data() }
        try PasswordDefinition.check(password, for: name)
        return password
    }
}
