import APDU
import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reading and writing files of any length in pieces that tag and reader carry.
extension NbtCommandSet {
    /// Reads a part of a file, which need not be selected; the application must be.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - range: which bytes; the whole file if nothing else is said.
    ///   - readPassword: 4 bytes, or nil if reading is free.
    /// - Returns: exactly the bytes of the range.
    /// - Throws: `NbtError.status`, with 6700 if the file ends before; `passwordRejected`;
    ///   `unexpectedLength`; `invalidArgument` for a range beyond 65536; never returns a part.
    public func readFile(
        _ file: NbtFile,
        range: Range<Int>? = nil,
        readPassword: Data? = nil
    ) async throws -> Data {
        let range = range ?? 0..<file.size
        try await selectFile(
            fileId: file.rawValue,
            readPassword: readPassword,
            writePassword: nil
        )
        guard !range.isEmpty else { return Data() }
        let first = try await readAdapting(
            offset: range.lowerBound,
            length: min(NbtConstants.maxLe, range.count),
            atLeast: 1
        )
        let rest = try await read(
            from: range.lowerBound + first.data.count,
            to: range.upperBound,
            chunk: first.chunk
        )
        return first.data + rest
    }

    /// Writes a part of a file, which need not be selected; the application must be.
    ///
    /// An interruption leaves the first pieces written. `updateNdefMessage` writes a message more
    /// safely, `updateFap` an access policy.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - data: the bytes.
    ///   - position: where the first byte goes.
    ///   - writePassword: 4 bytes, or nil if writing is free.
    /// - Throws: `NbtError.status`, with 6A86 beyond the file's end; `passwordRejected`;
    ///   `invalidArgument` for a position beyond 65535.
    public func writeFile(
        _ file: NbtFile,
        data: Data,
        at position: Int = 0,
        writePassword: Data? = nil
    ) async throws {
        try await selectFile(
            fileId: file.rawValue,
            readPassword: nil,
            writePassword: writePassword
        )
        try await write(data, at: position)
    }

    /// Writes into the selected file, piece by piece.
    func write(_ data: Data, at position: Int) async throws {
        let chunk = try writeChunk(atLeast: 1)
        var rest = data
        while !rest.isEmpty {
            let part = Data(rest.prefix(chunk))
            let written = data.count - rest.count
            try await updateBinary(
                offset: try offset(position + written, for: .updateBinary),
                data: part
            )
            rest = rest.dropFirst(chunk)
        }
    }

    /// The most bytes that one UPDATE BINARY can carry to this tag.
    func writeChunk(atLeast minimum: Int) throws(NbtError) -> Int {
        let limit = channel.channel.maximumCommandLength
        // CLA INS P1 P2 Lc stand before the data.
        let chunk = min(NbtConstants.maxLc, limit - 5)
        guard chunk >= minimum else { throw .channelTooSmall(.updateBinary, limit: limit) }
        return chunk
    }

    /// Reads the selected file from one position up to another; `chunk` bytes are known to work.
    func read(from start: Int, to end: Int, chunk: Int) async throws -> Data {
        var bytes = Data()
        while start + bytes.count < end {
            let length = min(chunk, end - start - bytes.count)
            let piece = try await readBinary(
                offset: try offset(start + bytes.count, for: .readBinary),
                expectedLen: length
            )
            // A tag that answers 9000 without data would be asked for ever.
            guard !piece.isEmpty else {
                throw NbtError.unexpectedLength(.readBinary, count: 0, expected: 1...length)
            }
            bytes.append(piece)
        }
        return bytes
    }

    /// Reads from the selected file, with a smaller Le if the tag refuses the first one: the data,
    /// and the length to go on with.
    func readAdapting(
        offset position: Int,
        length wanted: Int,
        atLeast minimum: Int
    ) async throws -> (data: Data, chunk: Int) {
        let limit = channel.channel.maximumAnswerLength
        // The status word stands behind the data.
        var length = min(wanted, limit - 2)
        guard length >= minimum else {
            throw NbtError.channelTooSmall(.readBinary, limit: limit)
        }
        let offset = try offset(position, for: .readBinary)
        while true {
            let response = try await exchange(
                try builder.readBinary(offset: offset, expectedLen: length)
            )
            let status = response.statusWord
            if status == .ok {
                guard (minimum...length).contains(response.data.count) else {
                    throw NbtError.unexpectedLength(
                        .readBinary,
                        count: response.data.count,
                        expected: minimum...length
                    )
                }
                return (response.data, length)
            }
            guard let smaller = smallerLength(than: length, after: status, atLeast: minimum)
            else { throw NbtError.status(.readBinary, status) }
            length = smaller
        }
    }

    /// The length to try next when the tag refuses one: the one that 6Cxx names, or half of it
    /// after 6700.
    ///
    /// It is always smaller, so that the tries end, and never below the minimum.
    private func smallerLength(
        than length: Int,
        after status: StatusWord,
        atLeast minimum: Int
    ) -> Int? {
        if let exact = status.exactLength {
            return (minimum..<length).contains(exact) ? exact : nil
        }
        return status == .wrongLength && length > minimum ? max(minimum, length / 2) : nil
    }

    private func offset(_ position: Int, for name: NbtCommand) throws(NbtError) -> UInt16 {
        guard let offset = UInt16(exactly: position) else {
            throw .invalidArgument(name, "an offset is 0 to 65535, not \(position)")
        }
        return offset
    }
}
