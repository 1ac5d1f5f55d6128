import Foundation

/// The pages of a type 2 tag, read when they are needed, four at a time.
struct Type2Memory: Sendable {
    /// How many bytes READ and WRITE reach: their page number is one byte, whatever a capability container promises.
    static let size = 256 * 4

    /// Four bytes each.
    private var pages: [Int: Data] = [:]

    /// The byte at `address`, counted from page 0 on.
    mutating func byte(at address: Int, _ link: TagLink) async throws(NFCReaderError) -> UInt8 {
        try await page(address / 4, link)[address % 4]
    }

    /// Writes those of `bytes` that lie in the page; its other bytes stay.
    ///
    /// Nothing is sent when the page is known to hold this.
    ///
    /// - Parameters:
    ///   - page: the number of the page.
    ///   - bytes: new bytes by their address.
    ///   - link: the way to the tag.
    /// - Throws: `readerTransceiveErrorTagResponseError` when the tag refuses.
    mutating func write(
        page: Int,
        _ bytes: [Int: UInt8],
        _ link: TagLink
    ) async throws(NFCReaderError) {
        let new = (0..<4).map { bytes[page * 4 + $0] }
        var content = Data(new.compactMap(\.self))
        if content.count < 4 {
            content = try await self.page(page, link)
            for (offset, byte) in new.enumerated() { content[offset] = byte ?? content[offset] }
        }
        guard content != pages[page] else { return }
        try await write(content, toPage: page, link)
        pages[page] = content
    }

    /// Sets bits that can only be set, unless they are.
    ///
    /// - Parameters:
    ///   - bits: what to set, by address.
    ///   - page: the number of the page.
    ///   - keeps: whether the page's other bytes are data. If not they are written as 00, as NXP's data sheets want it
    ///     beside lock bits.
    ///   - link: the way to the tag.
    /// - Throws: `readerTransceiveErrorTagResponseError` when the tag refuses.
    mutating func set(
        _ bits: [Int: UInt8],
        inPage page: Int,
        keeps: Bool,
        _ link: TagLink
    ) async throws(NFCReaderError) {
        let old = try await self.page(page, link)
        let added = Data((0..<4).map { bits[page * 4 + $0] ?? 0 })
        let new = Data(zip(old, added).map { $0 | $1 })
        guard new != old else { return }
        try await write(keeps ? new : added, toPage: page, link)
        pages[page] = new
    }

    private func write(
        _ content: Data,
        toPage page: Int,
        _ link: TagLink
    ) async throws(NFCReaderError) {
        _ = try await link.sendMiFareCommand(Data([0xA2, try number(of: page)]) + content)
    }

    private mutating func page(_ page: Int, _ link: TagLink) async throws(NFCReaderError) -> Data {
        if let known = pages[page] { return known }
        let block = try await link.sendMiFareCommand(Data([0x30, try number(of: page)]))
        guard block.count == 16 else {
            throw NFCReaderError(.readerTransceiveErrorTagResponseError)
        }
        for offset in 0..<4 where pages[page + offset] == nil {
            pages[page + offset] = Data(block.dropFirst(offset * 4).prefix(4))
        }
        return Data(block.prefix(4))
    }

    /// The page number in READ and WRITE; a tag can say that lock bits are beyond `size`.
    private func number(of page: Int) throws(NFCReaderError) -> UInt8 {
        guard let number = UInt8(exactly: page) else {
            throw NFCReaderError(.readerTransceiveErrorTagResponseError)
        }
        return number
    }
}
