import Bytes
import Foundation
import NFCReader

/// The NDEF file of a type 4 tag (NFC Forum Type 4 Tag 2.0; facts/nbt.md, 3.2).
struct Type4Store: NDEFStore {
    let isWritable: Bool
    /// Whether the capability container forbids writing for good.
    private let isLocked: Bool
    private let fileID: Data
    /// Bytes of the file, the two of NLEN among them.
    private let fileSize: Int
    /// The most bytes one READ BINARY may ask for.
    private let readSize: Int
    /// The most bytes one UPDATE BINARY may carry.
    private let writeSize: Int

    private static let containerID = Data([0xE1, 0x03])
    /// File identifiers that cannot be an NDEF file's (NFC Forum Type 4 Tag 2.0, 5.1; ISO 7816-4, 5.3.1).
    private static let reservedIDs: Set<Data> = [
        Data([0x00, 0x00]), Data([0xE1, 0x02]), containerID, Data([0x3F, 0x00]),
        Data([0x3F, 0xFF]), Data([0xFF, 0xFF]),
    ]
    /// Where in the capability container the write access stands.
    private static let writeAccessOffset = 14

    var capacity: Int { fileSize - 2 }

    static func find(_ link: TagLink) async throws(NFCReaderError) -> Type4Store? {
        guard try await link.selectNDEFApplication(), try await link.select(file: containerID),
            let container = try await link.readBinary(at: 0, count: 15)
        else { return nil }
        return Type4Store(container, link)
    }

    /// Reads the capability container: CCLEN, version, MLe, MLc, then the NDEF file control TLV.
    private init?(_ container: Data, _ link: TagLink) {
        var reader = ByteReader(container)
        do throws(EndOfBytes) {
            let length = try reader.uint16()
            let version = try reader.byte()
            let maximumRead = Int(try reader.uint16())
            let maximumWrite = Int(try reader.uint16())
            guard length >= 15, (2...3).contains(version >> 4), try reader.uint16() == 0x0406 else {
                return nil
            }
            fileID = try reader.bytes(2)
            guard !Self.reservedIDs.contains(fileID) else { return nil }
            let size = Int(try reader.uint16())
            let readAccess = try reader.byte()
            let writeAccess = try reader.byte()
            guard readAccess == 0, size >= 5, maximumRead >= 1 else { return nil }
            let limits = link.session.exchangeLimits
            // READ BINARY with a short offset reaches up to 7FFF.
            fileSize = min(size, 0x8000)
            readSize = min(maximumRead, 256, (limits?.answer ?? 258) - 2)
            writeSize = min(maximumWrite, 255, (limits?.command ?? 260) - 5)
            // The length must fit into one command, or it would be wrong in between.
            isWritable = writeAccess == 0 && maximumWrite >= 2
            // Other values are reserved, or stand for conditions of the tag's own.
            isLocked = writeAccess == 0xFF
        } catch {
            return nil
        }
    }

    func read(_ link: TagLink) async throws(NFCReaderError) -> Data {
        guard try await link.select(file: fileID) else { throw Self.refusal }
        return try await readSelected(link)
    }

    /// Reads the message from the file, which has been selected.
    private func readSelected(_ link: TagLink) async throws(NFCReaderError) -> Data {
        // The length and the first of the message come together.
        var file = try await bytes(at: 0, count: min(readSize, fileSize), link)
        while file.count < 2 { file += try await bytes(at: file.count, count: 1, link) }
        var reader = ByteReader(file)
        guard let length = try? reader.uint16(), Int(length) <= capacity else { throw Self.refusal }
        let end = 2 + Int(length)
        while file.count < end {
            file += try await bytes(at: file.count, count: min(readSize, end - file.count), link)
        }
        return Data(file.prefix(end).dropFirst(2))
    }

    /// Bytes of the selected file, at least one.
    private func bytes(
        at offset: Int,
        count: Int,
        _ link: TagLink
    ) async throws(NFCReaderError) -> Data {
        guard let bytes = try await link.readBinary(at: offset, count: count), !bytes.isEmpty else {
            throw Self.refusal
        }
        return bytes
    }

    /// Writes length 0, the message, and its length last.
    func write(_ message: Data, _ link: TagLink) async throws(NFCReaderError) -> Data {
        guard try await link.select(file: fileID) else { throw Self.refusal }
        try await update(Data([0x00, 0x00]), at: 0, link)
        try await update(message, at: 2, link)
        let length = UInt16(truncatingIfNeeded: message.count)
        try await update(Data([UInt8(length >> 8), UInt8(length & 0xFF)]), at: 0, link)
        return try await readSelected(link)
    }

    /// Says read-only in the capability container.
    func lock(_ link: TagLink) async throws(NFCReaderError) {
        guard !isLocked else { return }
        guard try await link.select(file: Self.containerID) else { throw Self.refusal }
        try await update(Data([0xFF]), at: Self.writeAccessOffset, link)
        guard try await bytes(at: Self.writeAccessOffset, count: 1, link) == Data([0xFF]) else {
            throw NFCReaderError(.ndefReaderSessionErrorTagUpdateFailure)
        }
    }

    private func update(
        _ bytes: Data,
        at offset: Int,
        _ link: TagLink
    ) async throws(NFCReaderError) {
        var written = 0
        while written < bytes.count {
            let chunk = Data(bytes.dropFirst(written).prefix(writeSize))
            guard try await link.updateBinary(chunk, at: offset + written) else {
                throw Self.refusal
            }
            written += chunk.count
        }
    }

    private static var refusal: NFCReaderError {
        NFCReaderError(.readerTransceiveErrorTagResponseError)
    }
}

/// The commands of ISO 7816-4 that a type 4 tag knows; each says whether the tag answered 9000.
extension TagLink {
    fileprivate func selectNDEFApplication() async throws(NFCReaderError) -> Bool {
        let name: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
        return try await ask(Data([0x00, 0xA4, 0x04, 0x00, 0x07] + name + [0x00])) != nil
    }

    fileprivate func select(file: Data) async throws(NFCReaderError) -> Bool {
        try await ask(Data([0x00, 0xA4, 0x00, 0x0C, 0x02]) + file) != nil
    }

    /// - Parameters:
    ///   - offset: 0 to 7FFF.
    ///   - count: 1 to 256.
    /// - Returns: the bytes; nil when the tag refuses.
    /// - Throws: what became of the exchange.
    fileprivate func readBinary(
        at offset: Int,
        count: Int
    ) async throws(NFCReaderError) -> Data? {
        // A Le of 00 asks for 256.
        try await ask(Data([0x00, 0xB0] + bigEndian(offset) + [UInt8(truncatingIfNeeded: count)]))
    }

    fileprivate func updateBinary(
        _ bytes: Data,
        at offset: Int
    ) async throws(NFCReaderError) -> Bool {
        let header = [0x00, 0xD6] + bigEndian(offset) + [UInt8(truncatingIfNeeded: bytes.count)]
        return try await ask(Data(header) + bytes) != nil
    }

    private func bigEndian(_ offset: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: offset >> 8), UInt8(truncatingIfNeeded: offset)]
    }

    /// The data of an answer with 9000; nil for any other status word.
    private func ask(_ command: Data) async throws(NFCReaderError) -> Data? {
        let answer = try await exchange(command)
        return answer.suffix(2) == Data([0x90, 0x00]) ? Data(answer.dropLast(2)) : nil
    }
}
