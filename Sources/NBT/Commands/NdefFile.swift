import APDU
import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reading and writing the NDEF file: NLEN in two bytes, then the message (facts/nbt.md, 1.6, 3.2
/// and 7.2).
extension NbtCommandSet {
    /// Reads the NDEF message with as few commands as the tag, the chip and the reader allow.
    ///
    /// NLEN and the start of the message come with the first read. A tag that refuses its Le is
    /// asked again with a smaller one. The application must be selected.
    ///
    /// - Parameters:
    ///   - ndefFileId: the file to read, E104 if nothing else is said.
    ///   - readPassword: 4 bytes, or nil if reading is free.
    /// - Returns: the message without NLEN, which is not decoded; empty if NLEN is 0.
    /// - Throws: `NbtError.status` with the first bad status word, `unexpectedLength` for an answer
    ///   that is empty or longer than asked for, `ndefLengthBeyondFile`; never returns a part of a
    ///   message.
    public func readNdefMessage(
        ndefFileId: UInt16 = NbtConstants.ndefFileId,
        readPassword: Data? = nil
    ) async throws -> Data {
        try await selectFile(
            fileId: ndefFileId,
            readPassword: readPassword,
            writePassword: nil
        )
        let first = try await readAdapting(offset: 0, length: NbtConstants.maxLe, atLeast: 2)
        let end = try fileEnd(of: first.data)
        let rest = try await read(
            from: min(first.data.count, end),
            to: end,
            chunk: first.chunk
        )
        return Data((first.data.prefix(end) + rest).dropFirst(2))
    }

    /// Writes the NDEF message so that an interruption leaves an empty file, never a wrong one.
    ///
    /// A message that does not fit one command is written with NLEN 0 first and its NLEN last. The
    /// application must be selected.
    ///
    /// - Parameters:
    ///   - dataBytes: the encoded message without NLEN, at most 4094 bytes; empty empties the file.
    ///   - ndefFileId: the file to write, E104 if nothing else is said.
    ///   - writePassword: 4 bytes, or nil if writing is free.
    /// - Throws: `NbtError.ndefMessageTooLong` before anything is sent, `status`, or
    ///   `channelTooSmall`.
    public func updateNdefMessage(
        dataBytes: Data,
        ndefFileId: UInt16 = NbtConstants.ndefFileId,
        writePassword: Data? = nil
    ) async throws {
        guard dataBytes.count <= NbtConstants.ndefFileSize - 2 else {
            throw NbtError.ndefMessageTooLong(length: dataBytes.count)
        }
        let chunk = try writeChunk(atLeast: 2)
        let length = UInt16(truncatingIfNeeded: dataBytes.count).bigEndianBytes
        try await selectFile(
            fileId: ndefFileId,
            readPassword: nil,
            writePassword: writePassword
        )
        if dataBytes.count + 2 <= chunk {
            return try await updateBinary(offset: 0, data: length + dataBytes)
        }
        try await write(Data(count: 2) + dataBytes, at: 0)
        try await updateBinary(offset: 0, data: length)
    }

    /// NLEN plus its own two bytes.
    private func fileEnd(of start: Data) throws -> Int {
        var reader = ByteReader(start)
        guard let length = try? reader.uint16() else {
            throw NbtError.unexpectedLength(
                .readBinary,
                count: start.count,
                expected: 2...NbtConstants.maxLe
            )
        }
        let end = Int(length) + 2
        guard end <= NbtConstants.ndefFileSize else {
            throw NbtError.ndefLengthBeyondFile(length: Int(length))
        }
        return end
    }
}
