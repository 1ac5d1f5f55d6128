/// A status code of the chip, bits 5 to 0 of the status byte (facts/pn532.md, 4).
package struct ChipStatus: RawRepresentable, Error, Equatable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    static let ok = ChipStatus(rawValue: 0x00)
    /// The target did not answer.
    static let timeout = ChipStatus(rawValue: 0x01)
    static let crc = ChipStatus(rawValue: 0x02)
    /// Several tags answered differently at once.
    static let collision = ChipStatus(rawValue: 0x06)
    static let noField = ChipStatus(rawValue: 0x0A)
    static let protocolError = ChipStatus(rawValue: 0x0B)
    static let bufferOverflow = ChipStatus(rawValue: 0x0E)
    /// DEP, MIFARE or ISO 14443-4 format error; a MIFARE NAK shows as this.
    static let format = ChipStatus(rawValue: 0x13)
    static let authentication = ChipStatus(rawValue: 0x14)
    /// Wrong check byte of a UID.
    static let wrongBCC = ChipStatus(rawValue: 0x23)
    /// Not acceptable in this context: no such target, not in target mode.
    static let wrongContext = ChipStatus(rawValue: 0x27)
}
