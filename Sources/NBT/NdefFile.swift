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
        let first = try await readStart()
        let end = try fileEnd(of: first.data)
        var file = first.data.prefix(end)
        while file.count < end {
            let length = min(first.chunk, end - file.count)
            let chunk = try await readBinary(
                offset: try offset(file.count),
                expectedLen: length
            )
            guard !chunk.isEmpty else {
                throw NbtError.unexpectedLength(.readBinary, count: 0, expected: 1...length)
            }
            file.append(chunk)
        }
        return Data(file.dropFirst(2))
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
        let limit = channel.channel.maximumCommandLength
        // CLA INS P1 P2 Lc stand before the data.
        let chunk = min(NbtConstants.maxLc, limit - 5)
        guard chunk >= 2 else { throw NbtError.channelTooSmall(.updateBinary, limit: limit) }
        let length = Data([
            UInt8(truncatingIfNeeded: dataBytes.count >> 8),
            UInt8(truncatingIfNeeded: dataBytes.count),
        ])
        try await selectFile(
            fileId: ndefFileId,
            readPassword: nil,
            writePassword: writePassword
        )
        if dataBytes.count + 2 <= chunk {
            return try await updateBinary(offset: 0, data: length + dataBytes)
        }
        var rest = Data(count: 2) + dataBytes
        var written = 0
        while !rest.isEmpty {
            let part = rest.prefix(chunk)
            try await updateBinary(offset: try offset(written), data: Data(part))
            written += part.count
            rest = rest.dropFirst(chunk)
        }
        try await updateBinary(offset: 0, data: length)
    }

    /// Reads from the start of the selected file: the data, and the length to go on with.
    private func readStart() async throws -> (data: Data, chunk: Int) {
        let limit = channel.channel.maximumAnswerLength
        // The status word stands behind the data.
        var length = min(NbtConstants.maxLe, limit - 2)
        guard length >= 2 else { throw NbtError.channelTooSmall(.readBinary, limit: limit) }
        while true {
            let response = try await exchange(
                try builder.readBinary(offset: 0, expectedLen: length)
            )
            let status = response.statusWord
            if status == .ok {
                guard response.data.count <= length else {
                    throw NbtError.unexpectedLength(
                        .readBinary,
                        count: response.data.count,
                        expected: 2...length
                    )
                }
                return (response.data, length)
            }
            guard let smaller = smallerLength(than: length, after: status) else {
                throw NbtError.status(.readBinary, status)
            }
            length = smaller
        }
    }

    /// The length to try next when the tag refuses one: the one that 6Cxx names, or half of it
    /// after 6700.
    ///
    /// It is always smaller, so that the tries end, and never below the two bytes of NLEN.
    private func smallerLength(than length: Int, after status: StatusWord) -> Int? {
        if let exact = status.exactLength { return (2..<length).contains(exact) ? exact : nil }
        return status == .wrongLength && length > 2 ? max(2, length / 2) : nil
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

    private func offset(_ position: Int) throws -> UInt16 {
        guard let offset = UInt16(exactly: position) else {
            throw NbtError.ndefLengthBeyondFile(length: position)
        }
        return offset
    }
}
