import Foundation

/// How the message of a type 2 tag is made read-only (NFC Forum Type 2 Tag 1.1, 2.2 and 6.4.3).
extension Type2Store {
    /// Says read-only in the capability container and sets all lock bits; none of them can be taken back.
    ///
    /// All pages are read before the first is written: a tag whose lock bits are where no command reaches stays as it is.
    /// What is set already is not written again, so a lock that was interrupted can be finished.
    func lock(_ link: TagLink) async throws(NFCReaderError) {
        var memory = memory
        let bits = try await dynamicLockBits(link)
        let pages = Set(bits.keys.map { $0 / 4 }).sorted()
        for page in [2] + pages { _ = try await memory.byte(at: page * 4, link) }

        try await memory.write(page: 3, [15: 0x0F], link)
        for page in pages {
            try await memory.set(bits, inPage: page, keeps: page * 4 < layout.end, link)
        }
        try await memory.set([10: 0xFF, 11: 0xFF], inPage: 2, keeps: true, link)

        var written = Type2Memory()
        let expected = bits.merging([10: 0xFF, 11: 0xFF, 15: 0x0F]) { $1 }
        for (address, bits) in expected.sorted(by: { $0.key < $1.key })
        where try await written.byte(at: address, link) & bits != bits {
            throw NFCReaderError(.ndefReaderSessionErrorTagUpdateFailure)
        }
    }

    /// The dynamic lock bits by their addresses.
    ///
    /// - Throws: `readerTransceiveErrorTagResponseError` when the tag says that they are where UID, static lock bits and
    ///   capability container are.
    private func dynamicLockBits(_ link: TagLink) async throws(NFCReaderError) -> [Int: UInt8] {
        var bits: [Int: UInt8] = [:]
        for area in try await lockAreas(link) {
            guard area.address >= Type2Layout.dataStart else {
                throw NFCReaderError(.readerTransceiveErrorTagResponseError)
            }
            for index in 0..<area.bits {
                bits[area.address + index / 8, default: 0] |= 1 << (index % 8)
            }
        }
        return bits
    }

    /// Where the dynamic lock bits are: where the tag says, else where its chip has them, else where the specification puts
    /// them.
    private func lockAreas(
        _ link: TagLink
    ) async throws(NFCReaderError) -> [Type2Layout.LockArea] {
        guard layout.lockAreas.isEmpty, layout.end > 64 else { return layout.lockAreas }
        // The default: behind the data area, a bit for every 8 bytes beyond the first 48.
        return [
            try await chipLockArea(link)
                ?? Type2Layout.LockArea(address: layout.end, bits: (layout.end - 64) / 8)
        ]
    }

    /// Where NTAG215 and 216 have their dynamic lock bits, one for 16 pages each, as the chip's version tells.
    ///
    /// Their data area ends 8 and 16 bytes before the user memory does, and they are delivered without a lock control TLV
    /// (facts/pn532.md, 7.4).
    private func chipLockArea(
        _ link: TagLink
    ) async throws(NFCReaderError) -> Type2Layout.LockArea? {
        let version: Data
        do throws(NFCReaderError) {
            version = try await link.sendMiFareCommand(Data([0x60]))
        } catch {
            guard error.code == .readerTransceiveErrorTagResponseError else { throw error }
            return nil
        }
        // Fixed header, NXP, NTAG; then the storage size.
        guard version.count == 8, version.starts(with: [0x00, 0x04, 0x04]) else { return nil }
        switch version.dropFirst(6).first {
        case 0x11: return Type2Layout.LockArea(address: 0x82 * 4, bits: 8)
        case 0x13: return Type2Layout.LockArea(address: 0xE2 * 4, bits: 14)
        default: return nil
        }
    }
}
