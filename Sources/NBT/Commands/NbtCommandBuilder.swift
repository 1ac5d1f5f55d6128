public import APDU

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Builds the commands of the operational application (facts/nbt.md, 2) and refuses what the tag
/// could not understand.
public struct NbtCommandBuilder: Sendable {
    /// A builder has no state.
    public init() {}

    /// SELECT of the operational application.
    ///
    /// - Throws: nothing for these fixed bytes.
    public func selectApplication() throws(NbtError) -> CommandAPDU {
        try command(
            .selectApplication,
            ins: 0xA4,
            p1: 0x04,
            data: NbtConstants.aid,
            expectedLength: NbtConstants.maxLe
        )
    }

    /// SELECT of an application that is not on the chip, which switches the chip to pass-through
    /// (facts/nbt.md, 4.2).
    ///
    /// - Throws: `NbtError.invalidArgument` unless the identifier has 5 to 16 bytes.
    public func selectHostApplication(aid: Data) throws(NbtError) -> CommandAPDU {
        guard (5...16).contains(aid.count) else {
            throw .invalidArgument(
                .selectHostApplication,
                "an application identifier has 5 to 16 bytes, not \(aid.count)"
            )
        }
        return try command(
            .selectHostApplication,
            ins: 0xA4,
            p1: 0x04,
            data: aid,
            expectedLength: NbtConstants.maxLe
        )
    }

    /// SELECT of a file, without Le.
    ///
    /// - Throws: nothing: every file id can be sent.
    public func selectFile(fileId: UInt16) throws(NbtError) -> CommandAPDU {
        try command(.selectFile, ins: 0xA4, p2: 0x0C, data: bytes(fileId))
    }

    /// SELECT of a file with the passwords for what is to be done with it, and with Le.
    ///
    /// The tag compares a password with the one that the file's access condition names.
    ///
    /// - Throws: `NbtError.invalidArgument` for a password that has not 4 bytes.
    public func selectFile(
        fileId: UInt16,
        readPassword: Data?,
        writePassword: Data?
    ) throws(NbtError) -> CommandAPDU {
        var data = bytes(fileId)
        if let readPassword { data += try passwordObject(tag: 0x52, readPassword) }
        if let writePassword { data += try passwordObject(tag: 0x54, writePassword) }
        return try command(
            .selectFile,
            ins: 0xA4,
            p2: 0x0C,
            data: data,
            expectedLength: NbtConstants.maxLe
        )
    }

    /// READ BINARY of 1 to 256 bytes of the selected file.
    ///
    /// - Throws: `NbtError.invalidArgument` for another length; the tag refuses an extended Le.
    public func readBinary(offset: UInt16, expectedLen: Int) throws(NbtError) -> CommandAPDU {
        guard (1...NbtConstants.maxLe).contains(expectedLen) else {
            throw .invalidArgument(.readBinary, "1 to 256 bytes can be read, not \(expectedLen)")
        }
        return try command(
            .readBinary,
            ins: 0xB0,
            p1: high(offset),
            p2: low(offset),
            expectedLength: expectedLen
        )
    }

    /// UPDATE BINARY of 1 to 255 bytes of the selected file.
    ///
    /// - Throws: `NbtError.invalidArgument` for more bytes or none.
    public func updateBinary(offset: UInt16, data: Data) throws(NbtError) -> CommandAPDU {
        guard (1...NbtConstants.maxLc).contains(data.count) else {
            throw .invalidArgument(
                .updateBinary,
                "1 to 255 bytes can be written, not \(data.count)"
            )
        }
        return try command(
            .updateBinary,
            ins: 0xD6,
            p1: high(offset),
            p2: low(offset),
            data: data
        )
    }

    /// AUTHENTICATE TAG with a challenge of 1 to 255 bytes, which the tag signs.
    ///
    /// - Throws: `NbtError.invalidArgument` for a longer challenge or none.
    public func authenticateTag(challenge: Data) throws(NbtError) -> CommandAPDU {
        guard (1...NbtConstants.maxLc).contains(challenge.count) else {
            throw .invalidArgument(
                .authenticateTag,
                "a challenge has 1 to 255 bytes, not \(challenge.count)"
            )
        }
        return try command(
            .authenticateTag,
            ins: 0x88,
            data: challenge,
            expectedLength: NbtConstants.maxLe
        )
    }

    private func passwordObject(tag: UInt8, _ password: Data) throws(NbtError) -> Data {
        try PasswordDefinition.check(password, for: .selectFile)
        return Data([tag, UInt8(NbtConstants.passwordLength)]) + password
    }

    private func bytes(_ fileId: UInt16) -> Data { fileId.bigEndianBytes }
    private func high(_ number: UInt16) -> UInt8 { UInt8(truncatingIfNeeded: number >> 8) }
    private func low(_ number: UInt16) -> UInt8 { UInt8(truncatingIfNeeded: number) }
}

/// A command with CLA 00 unless something else is said, named in the error if it cannot be made.
func command(
    _ name: NbtCommand,
    cla: UInt8 = 0x00,
    ins: UInt8,
    p1: UInt8 = 0,
    p2: UInt8 = 0,
    data: Data = Data(),
    expectedLength: Int? = nil
) throws(NbtError) -> CommandAPDU {
    do throws(APDUError) {
        return try CommandAPDU(
            cla: cla,
            ins: ins,
            p1: p1,
            p2: p2,
            data: data,
            expectedLength: expectedLength
        )
    } catch {
        throw .invalidArgument(name, "\(error)")
    }
}
