import Foundation
import NFCReader

/// The NDEF message of a type 3 tag: a FeliCa card with NFC Forum's system 12FC (NFC Forum Type 3 Tag 1.0).
struct Type3Store: NDEFStore {
    /// The tag's identifier in NFC Forum's system.
    private let idm: Data
    private let attributes: Type3Attributes

    /// NFC Forum's system.
    static let systemCode: UInt16 = 0x12FC
    /// The services that read, and that read and write, lowest byte first.
    private static let readService = Data([0x0B, 0x00])
    private static let writeService = Data([0x09, 0x00])
    /// More blocks, of 16 bytes and 3 for their number, do not fit into a frame of 255 bytes.
    private static let largestWrite = 12
    private static let largestRead = 15

    var isWritable: Bool { attributes.isWritable && attributes.writeLimit >= 1 }
    var capacity: Int { attributes.blockCount * 16 }

    static func find(_ link: TagLink) async throws(NFCReaderError) -> Type3Store? {
        guard let tag = link.tag as? FeliCaTag, let idm = try await link.findNDEFSystem(tag),
            let block = try await link.blocks(0..<1, readService, idm),
            let attributes = Type3Attributes(block)
        else { return nil }
        return Type3Store(idm: idm, attributes: attributes)
    }

    /// Reads the message; a tag whose write was not finished has none.
    func read(_ link: TagLink) async throws(NFCReaderError) -> Data {
        try await message(attributes, link)
    }

    private func message(
        _ attributes: Type3Attributes,
        _ link: TagLink
    ) async throws(NFCReaderError) -> Data {
        guard !attributes.isBeingWritten else { return Data() }
        guard attributes.length <= capacity else { throw Self.refusal }
        let end = 1 + (attributes.length + 15) / 16
        let step = min(attributes.readLimit, Self.largestRead)
        var message = Data()
        for first in stride(from: 1, to: end, by: step) {
            let range = first..<min(first + step, end)
            guard let blocks = try await link.blocks(range, Self.readService, idm) else {
                throw Self.refusal
            }
            message += blocks
        }
        return Data(message.prefix(attributes.length))
    }

    /// Says that a write is under way and the message empty, writes the blocks, and says their length last.
    func write(_ message: Data, _ link: TagLink) async throws(NFCReaderError) -> Data {
        var attributes = attributes
        attributes.isBeingWritten = true
        attributes.length = 0
        try await write(attributes, link)
        let padded = message + Data(count: (16 - message.count % 16) % 16)
        let end = 1 + padded.count / 16
        let step = min(attributes.writeLimit, Self.largestWrite)
        for first in stride(from: 1, to: end, by: step) {
            let count = min(step, end - first)
            let content = padded.dropFirst((first - 1) * 16).prefix(count * 16)
            try await link.write(content, fromBlock: first, Self.writeService, idm)
        }
        attributes.isBeingWritten = false
        attributes.length = message.count
        try await write(attributes, link)
        return try await self.message(try await readAttributes(link), link)
    }

    /// Says read-only in block 0.
    func lock(_ link: TagLink) async throws(NFCReaderError) {
        guard attributes.isWritable else { return }
        var attributes = attributes
        attributes.isWritable = false
        try await write(attributes, link)
        guard try await readAttributes(link) == attributes else {
            throw NFCReaderError(.ndefReaderSessionErrorTagUpdateFailure)
        }
    }

    private func write(
        _ attributes: Type3Attributes,
        _ link: TagLink
    ) async throws(NFCReaderError) {
        try await link.write(attributes.encoded, fromBlock: 0, Self.writeService, idm)
    }

    private func readAttributes(_ link: TagLink) async throws(NFCReaderError) -> Type3Attributes {
        guard let block = try await link.blocks(0..<1, Self.readService, idm),
            let attributes = Type3Attributes(block)
        else { throw Self.refusal }
        return attributes
    }

    private static var refusal: NFCReaderError {
        NFCReaderError(.readerTransceiveErrorTagResponseError)
    }
}

extension TagLink {
    /// The tag's identifier in NFC Forum's system; nil when it has no such system.
    fileprivate func findNDEFSystem(_ tag: FeliCaTag) async throws(NFCReaderError) -> Data? {
        let code = Data(
            [Type3Store.systemCode >> 8, Type3Store.systemCode & 0xFF].map { UInt8($0) }
        )
        if tag.currentSystemCode == code { return tag.currentIDm }
        do throws(NFCReaderError) {
            // Polling, for the identifier only, in one time slot.
            let answer = try await exchangePacket(Data([0x00]) + code + Data([0x00, 0x00]))
            return answer.first == 0x01 && answer.count >= 9
                ? Data(answer.dropFirst().prefix(8)) : nil
        } catch {
            // To a polling for a system that it has not the tag is silent.
            guard error.code == .readerTransceiveErrorTagResponseError else { throw error }
            return nil
        }
    }

    /// The content of blocks; nil when the tag refuses.
    fileprivate func blocks(
        _ range: Range<Int>,
        _ service: Data,
        _ idm: Data
    ) async throws(NFCReaderError) -> Data? {
        let (flag, _, blocks) = try await read([service], range.map(Self.blockElement), idm)
        return flag == 0 && blocks.count == range.count ? blocks.reduce(Data(), +) : nil
    }

    fileprivate func write(
        _ content: Data,
        fromBlock first: Int,
        _ service: Data,
        _ idm: Data
    ) async throws(NFCReaderError) {
        let count = content.count / 16
        let data = (0..<count).map { Data(content.dropFirst($0 * 16).prefix(16)) }
        let elements = (first..<first + count).map(Self.blockElement)
        guard try await write([service], elements, data, idm) == (0, 0) else {
            throw NFCReaderError(.readerTransceiveErrorTagResponseError)
        }
    }

    /// A block of the first service in the list: b8 says that its number has one byte, else two, lowest first.
    private static func blockElement(_ block: Int) -> Data {
        let (low, high) = (UInt8(truncatingIfNeeded: block), UInt8(truncatingIfNeeded: block >> 8))
        return high == 0 ? Data([0x80, low]) : Data([0x00, low, high])
    }
}
