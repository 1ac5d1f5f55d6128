/// The commands of the PN532 by name and code (facts/pn532.md, 3).
enum ChipCommand {
    private static let codes: [(name: String, code: UInt8)] = [
        ("Diagnose", 0x00), ("GetFirmwareVersion", 0x02), ("GetGeneralStatus", 0x04),
        ("ReadRegister", 0x06), ("WriteRegister", 0x08), ("ReadGPIO", 0x0C), ("WriteGPIO", 0x0E),
        ("SetSerialBaudRate", 0x10), ("SetParameters", 0x12), ("SAMConfiguration", 0x14),
        ("PowerDown", 0x16), ("RFConfiguration", 0x32), ("RFRegulationTest", 0x58),
        ("InDataExchange", 0x40), ("InCommunicateThru", 0x42), ("InDeselect", 0x44),
        ("InJumpForPSL", 0x46), ("InListPassiveTarget", 0x4A), ("InPSL", 0x4E), ("InATR", 0x50),
        ("InRelease", 0x52), ("InSelect", 0x54), ("InJumpForDEP", 0x56), ("InAutoPoll", 0x60),
    ]

    /// The code of a command that is named in any case, or written as `0x4A`.
    static func code(of word: String) -> UInt8? {
        if word.lowercased().hasPrefix("0x") { return UInt8(word.dropFirst(2), radix: 16) }
        return codes.first { $0.name.lowercased() == word.lowercased() }?.code
    }
}
