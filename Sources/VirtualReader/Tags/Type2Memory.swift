#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The pages of a type 2 tag with their locks: what survives without power.
struct Type2Memory: Equatable {
    let chip: Type2Chip
    private(set) var bytes: Data
    /// Wrong passwords so far, for AUTHLIM.
    var failedPasswords = 0
    /// The counters by number.
    var counters: [UInt8: Int] = [:]

    /// A tag as delivered.
    ///
    /// A UID of 7 bytes fills pages 0 to 2 with its check bytes.
    init(_ chip: Type2Chip, uid: Data) {
        self.chip = chip
        bytes = Data(count: chip.pageCount * 4)
        let firstCheck = uid.prefix(3).reduce(0x88, ^)
        let secondCheck = uid.suffix(4).reduce(0, ^)
        let header = uid.prefix(3) + [firstCheck] + uid.suffix(4) + [secondCheck, 0x48, 0x00, 0x00]
        bytes.replaceSubrange(0..<16, with: header + chip.capabilityContainer)
        if let page = chip.configurationPage {
            setPage(page, to: [0x00, 0x00, 0x00, 0xFF] as [UInt8])
            setPage(page + 1, to: [0x00, 0x05, 0x00, 0x00] as [UInt8])
            setPage(page + 2, to: Data(repeating: 0xFF, count: 4))
        }
        if chip == .ultralightC {
            setPage(0x2A, to: [0x30, 0x00, 0x00, 0x00] as [UInt8])
        }
    }

    /// The four bytes of a page that exists.
    func page(_ page: Int) -> Data {
        Data(bytes[page * 4..<page * 4 + 4])
    }

    /// The four bytes as a reader gets them: password and PACK stay hidden.
    func readablePage(_ page: Int) -> Data {
        if let first = chip.configurationPage, page >= first + 2 { return Data(count: 4) }
        return self.page(page)
    }

    /// Overwrites a page, whatever the locks.
    mutating func setPage(_ page: Int, to data: some Collection<UInt8>) {
        bytes.replaceSubrange(page * 4..<page * 4 + 4, with: data.prefix(4))
    }

    /// Carries out a WRITE that is allowed; false when the page is locked.
    ///
    /// Lock bytes and page 3 can only gain bits.
    mutating func write(_ page: Int, _ data: Data) -> Bool {
        guard page >= 2, page < chip.pageCount, !isLocked(page) else { return false }
        let old = [UInt8](self.page(page))
        let new = [UInt8](data)
        guard new.count == 4 else { return false }
        switch page {
        case 2:
            // Byte 2, bits 2 to 0 freeze the lock bits of pages 10-15, 4-9 and 3.
            let frozen = old[2]
            var low = new[2], high = new[3]
            if frozen & 0x01 != 0 { low &= ~0x08 }
            if frozen & 0x02 != 0 { (low, high) = (low & ~0xF0, high & ~0x03) }
            if frozen & 0x04 != 0 { high &= ~0xFC }
            setPage(2, to: Data([old[0], old[1], old[2] | low, old[3] | high]))
        case 3: setPage(3, to: Data(zip(old, new).map { $0 | $1 }))
        case chip.dynamicLock?.page:
            // Each bit of byte 2 freezes two lock bits.
            var gained = UInt16(new[0]) | UInt16(new[1]) << 8
            for bit in 0..<8 where old[2] & 1 << bit != 0 { gained &= ~(0b11 << (2 * bit)) }
            setPage(
                page,
                to: Data([
                    old[0] | UInt8(truncatingIfNeeded: gained), old[1] | UInt8(gained >> 8),
                    old[2] | new[2], old[3],
                ])
            )
        default: setPage(page, to: data)
        }
        return true
    }

    /// Whether lock bits or CFGLCK forbid writing a page.
    private func isLocked(_ page: Int) -> Bool {
        if let first = chip.configurationPage, first...first + 1 ~= page {
            return access & 0x40 != 0
        }
        if let lock = chip.dynamicLock, page == lock.page { return false }
        if (3...15).contains(page), chip.configurationPage.map({ page < $0 }) ?? true {
            let locks = UInt16(bytes[10]) | UInt16(bytes[11]) << 8
            return locks & 1 << page != 0
        }
        guard let lock = chip.dynamicLock, page >= 16, page < lock.page else { return false }
        let bit = (page - 16) / lock.pagesPerBit
        let locks = UInt16(bytes[lock.page * 4]) | UInt16(bytes[lock.page * 4 + 1]) << 8
        return bit < 16 && locks & 1 << bit != 0
    }

    /// CFG1, byte 0: PROT, CFGLCK, NFC_CNT_EN, NFC_CNT_PWD_PROT and AUTHLIM; 0 without a configuration.
    var access: UInt8 {
        chip.configurationPage.map { bytes[($0 + 1) * 4] } ?? 0
    }

    /// AUTH0: the first page that needs the password.
    var firstProtectedPage: Int {
        chip.configurationPage.map { Int(bytes[$0 * 4 + 3]) } ?? 0xFF
    }

    /// The password and its acknowledge.
    var password: (Data, acknowledge: Data)? {
        chip.configurationPage.map { (page($0 + 2), acknowledge: page($0 + 3).prefix(2)) }
    }
}
