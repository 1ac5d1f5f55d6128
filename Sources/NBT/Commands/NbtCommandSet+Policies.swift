import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The access policy file (facts/nbt.md, 1.4).
///
/// The application must be selected.
extension NbtCommandSet {
    /// Reads the bytes of the access policy file, 42 on every chip that is known.
    ///
    /// - Parameter masterPassword: the password for reading it, or nil if that is free.
    /// - Returns: the bytes as they are.
    /// - Throws: `NbtError.status`, `passwordRejected`.
    public func readFapBytes(masterPassword: Data? = nil) async throws -> Data {
        try await selectFile(
            fileId: NbtConstants.fapFileId,
            readPassword: masterPassword,
            writePassword: nil
        )
        return try await readBinary(offset: 0, expectedLen: NbtFile.fileAccessPolicy.size)
    }

    /// Reads the entries of the access policy file, however many there are.
    ///
    /// - Parameter masterPassword: the password for reading it, or nil if that is free.
    /// - Returns: the entries in the order of the file.
    /// - Throws: `NbtError.status`, `passwordRejected`, `malformedPolicy`.
    public func readFapList(masterPassword: Data? = nil) async throws -> [FileAccessPolicy] {
        try FapDecoder.decode(
            policyBytes: try await readFapBytes(masterPassword: masterPassword)
        )
    }

    /// Reads the access policies of all seven files.
    ///
    /// - Parameter masterPassword: the password for reading them, or nil if that is free.
    /// - Returns: the policies of all files.
    /// - Throws: `NbtError.status`, `passwordRejected`, `malformedPolicy` also for an entry that is
    ///   missing.
    public func readFap(masterPassword: Data? = nil) async throws -> FileAccessPolicies {
        try FileAccessPolicies(encoded: try await readFapBytes(masterPassword: masterPassword))
    }

    /// Writes one entry of the access policy file.
    ///
    /// - Parameters:
    ///   - fapPolicy: the entry; the tag finds its place by the file's identifier.
    ///   - masterPassword: the master password, or nil if there is none.
    /// - Throws: `NbtError.status`: 6982 where the policy may not be changed, 6A80 for an unknown
    ///   file; `passwordRejected`.
    public func updateFap(
        fapPolicy: FileAccessPolicy,
        masterPassword: Data? = nil
    ) async throws {
        try await selectFile(
            fileId: NbtConstants.fapFileId,
            readPassword: nil,
            writePassword: masterPassword
        )
        let command = try builder.updateBinary(offset: 0, data: fapPolicy.encoded)
        try await send(.updateFap, command)
    }

    /// Writes one entry of the access policy file from its 4 condition bytes.
    ///
    /// - Throws: `NbtError.malformedPolicy` for another number of bytes or an undefined condition;
    ///   as `updateFap`.
    public func updateFapBytes(
        fileId: UInt16,
        policyBytes: Data,
        masterPassword: Data? = nil
    ) async throws {
        guard policyBytes.count == 4 else {
            throw NbtError.malformedPolicy("a file has 4 conditions, not \(policyBytes.count)")
        }
        let policy = try FileAccessPolicy(encoded: fileId.bigEndianBytes + policyBytes)
        try await updateFap(fapPolicy: policy, masterPassword: masterPassword)
    }
}
