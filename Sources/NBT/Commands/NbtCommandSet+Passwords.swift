import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Passwords (facts/nbt.md, 2.5).
///
/// The application must be selected. The master password, 4 bytes, is the one that the access
/// policy file's write condition names; where that is no password, leave it out.
extension NbtCommandSet {
    /// Whether a password is for reading or for writing a file.
    public enum PasswordUse: Sendable, Hashable {
        /// For reading.
        case read
        /// For writing.
        case write
    }

    /// Creates a password.
    ///
    /// - Throws: `NbtError.status`: 6982 for a wrong master password, 6985 if the identifier is
    ///   taken or there are 28 passwords; `invalidArgument`.
    public func createPassword(
        _ definition: PasswordDefinition,
        masterPassword: Data? = nil
    ) async throws {
        let command = try builder.createPassword(definition, masterPassword: masterPassword)
        try await send(.createPassword, command)
    }

    /// Deletes a password.
    ///
    /// - Throws: `NbtError.status`: 6982 for a wrong master password, 6A88 if there is no such
    ///   password; `invalidArgument`.
    public func deletePassword(
        passwordId: PasswordId,
        masterPassword: Data? = nil
    ) async throws {
        let command = try builder.deletePassword(
            passwordId: passwordId,
            masterPassword: masterPassword
        )
        try await send(.deletePassword, command)
    }

    /// Changes a password's value; response and limit stay.
    ///
    /// - Throws: `NbtError.status`: 6985 if the master password is missing or blocked or the
    ///   password is blocked, 6A88 if there is no such password; `invalidArgument`.
    public func changePassword(
        passwordId: PasswordId,
        newPassword: Data,
        masterPassword: Data? = nil
    ) async throws {
        let command = try builder.changePassword(
            passwordId: passwordId,
            newPassword: newPassword,
            masterPassword: masterPassword
        )
        try await send(.changePassword, command)
    }

    /// Unblocks a password and clears its count of wrong tries.
    ///
    /// - Throws: `NbtError.status`: 6985 if the master password is missing or blocked, 6A88 if
    ///   there is no such password; `invalidArgument`.
    public func unblockPassword(
        passwordId: PasswordId,
        masterPassword: Data? = nil
    ) async throws {
        let command = try builder.unblockPassword(
            passwordId: passwordId,
            masterPassword: masterPassword
        )
        try await send(.unblockPassword, command)
    }

    /// Presents a password to a file and compares the response stored with it.
    ///
    /// A wrong password uses up one of its tries. The file stays selected and open for this use.
    ///
    /// - Throws: `NbtError.passwordRejected` if it is wrong or blocked (`status` with 6982 from a
    ///   chip that says so itself), `passwordResponseMismatch` for another response, `wrongState`
    ///   if the file asks for no password.
    public func checkPassword(
        _ definition: PasswordDefinition,
        of file: NbtFile,
        for use: PasswordUse
    ) async throws {
        let response = try await selectFile(
            fileId: file.rawValue,
            readPassword: use == .read ? definition.password : nil,
            writePassword: use == .write ? definition.password : nil
        )
        guard !response.isEmpty else {
            let what = use == .read ? "reading" : "writing"
            throw NbtError.wrongState("\(what) the \(file) asks for no password")
        }
        guard response == definition.response.bigEndianBytes else {
            throw NbtError.passwordResponseMismatch(definition.id)
        }
    }
}
