public import APDU
import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The commands of an OPTIGA Authenticate NBT, over a channel to the tag (facts/nbt.md, 2 and 7.0).
///
/// Methods keep the names of Infineon's libraries. Each sends what its name says, checks the answer
/// and throws `NbtError` for a bad one; the channel's errors and `CancellationError` pass through.
/// The tag keeps the selected application and file, so one task at a time uses a command set.
public actor NbtCommandSet {
    /// The channel to the tag.
    public nonisolated let channel: ApduChannel
    /// The AID of the application that is selected on the tag, nil when that is not known.
    public private(set) var selectedApplication: Data?
    let builder = NbtCommandBuilder()

    /// Makes a command set.
    ///
    /// - Parameters:
    ///   - channel: the channel to the tag.
    ///   - selectedApplication: the AID that was selected when the tag was detected, which need not
    ///     be
    ///     selected again; nil for none.
    public init(channel: ApduChannel, selectedApplication: Data? = nil) {
        self.channel = channel
        self.selectedApplication = selectedApplication
    }

    /// Selects the operational application.
    ///
    /// - Throws: `NbtError.status`, with 6A82 if the tag has no such application.
    public func selectApplication() async throws {
        try await select(
            .selectApplication,
            aid: NbtConstants.aid,
            try builder.selectApplication()
        )
    }

    /// Selects the operational application unless it is known to be selected.
    ///
    /// - Throws: as `selectApplication()`.
    public func selectApplicationIfNeeded() async throws {
        if selectedApplication != NbtConstants.aid { try await selectApplication() }
    }

    /// Selects a file of the application.
    ///
    /// - Throws: `NbtError.status`, with 6A82 if there is no such file.
    public func selectFile(fileId: UInt16) async throws {
        try await send(.selectFile, try builder.selectFile(fileId: fileId))
    }

    /// Selects a file with passwords of 4 bytes for reading it, for writing it, or both.
    ///
    /// - Returns: the response stored with each password that the file asks for, 2 bytes each; none
    ///   if it asks for none. Compare them: a copied tag does not know them.
    /// - Throws: `NbtError.passwordRejected`; `invalidArgument` for a password of another length;
    ///   `status`.
    @discardableResult
    public func selectFile(
        fileId: UInt16,
        readPassword: Data?,
        writePassword: Data?
    ) async throws -> Data {
        let command = try builder.selectFile(
            fileId: fileId,
            readPassword: readPassword,
            writePassword: writePassword
        )
        let responses = try await send(.selectFile, command)
        let limit = 2 * [readPassword, writePassword].compactMap(\.self).count
        guard responses.count <= limit, responses.count.isMultiple(of: 2) else {
            throw NbtError.unexpectedLength(
                .selectFile,
                count: responses.count,
                expected: 0...limit
            )
        }
        var reader = ByteReader(responses)
        while let response = try? reader.uint16() {
            // No password has these as its response (facts/nbt.md, 2.2).
            if response == 0x0000 || response == 0xFFFF {
                throw NbtError.passwordRejected(response: response)
            }
        }
        return responses
    }

    /// Reads 1 to 256 bytes of the selected file, fewer if it ends before.
    ///
    /// - Throws: `NbtError.status`, `unexpectedLength` for more bytes than asked for, or
    ///   `invalidArgument`.
    public func readBinary(offset: UInt16, expectedLen: Int) async throws -> Data {
        let command = try builder.readBinary(offset: offset, expectedLen: expectedLen)
        let data = try await send(.readBinary, command)
        guard data.count <= expectedLen else {
            throw NbtError.unexpectedLength(
                .readBinary,
                count: data.count,
                expected: 0...expectedLen
            )
        }
        return data
    }

    /// Writes 1 to 255 bytes of the selected file.
    ///
    /// - Throws: `NbtError.status` or `invalidArgument`.
    public func updateBinary(offset: UInt16, data: Data) async throws {
        try await send(.updateBinary, try builder.updateBinary(offset: offset, data: data))
    }

    /// Lets the tag sign a challenge of 1 to 255 bytes with its private key.
    ///
    /// The application must be selected, a file need not.
    ///
    /// - Returns: what should be an ECDSA signature over SHA-256 of the challenge, in DER; it is
    ///   not checked.
    /// - Throws: `NbtError.status`, with 6985 if the tag has no key, or `invalidArgument`.
    public func authenticateTag(challenge: Data) async throws -> Data {
        try await send(.authenticateTag, try builder.authenticateTag(challenge: challenge))
    }

    /// Sends a command and returns the data of an answer with status word 9000.
    @discardableResult
    func send(_ name: NbtCommand, _ command: CommandAPDU) async throws -> Data {
        let response = try await exchange(command)
        guard response.statusWord == .ok else {
            throw NbtError.status(name, response.statusWord)
        }
        return response.data
    }

    /// Selects an application; whatever goes wrong, nobody knows then what is selected.
    func select(_ name: NbtCommand, aid: Data, _ command: CommandAPDU) async throws {
        selectedApplication = nil
        try await send(name, command)
        selectedApplication = aid
    }

    /// Forgets which application is selected: the field was off, or somebody else used the tag.
    public func forgetSelection() { selectedApplication = nil }

    /// Sends a command, whatever the answer, unless the task was cancelled.
    func exchange(_ command: CommandAPDU) async throws -> ResponseAPDU {
        try Task.checkCancellation()
        return try await channel.send(command)
    }
}
