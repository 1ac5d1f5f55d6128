/// How many bytes one exchange with a tag may carry on a reader (facts/libnfc.md, 7.1).
package struct ExchangeLimits: Sendable, Equatable {
    /// The longest command to an ISO-DEP tag, in bytes.
    package let command: Int
    /// The longest answer of an ISO-DEP tag, in bytes.
    package let answer: Int
    /// The longest command that goes to the chip in one piece, in bytes: the longest to tags without ISO-DEP, and the
    /// longest part of a command to others.
    package let part: Int

    /// A PN532 or PN533: 262 bytes a part, and by its more-information bit (MI) whatever an extended APDU has:
    /// 4 bytes of header, 3 of Lc, 65,535 of data, 2 of Le; back 65,536 of data and the status word
    /// (ISO 7816-4, 5.1; facts/pn532.md, 3.4).
    static let chip = ExchangeLimits(command: 65_544, answer: 65_538, part: 262)

    /// A PN532 behind the command set of an ACR122, whose own frames are shorter.
    ///
    /// Nobody is known to have sent or received several parts through one.
    static let acr122 = ExchangeLimits(command: 252, answer: 250, part: 252)
}

extension ConnectionString {
    /// What this reader carries; for `usb:`, which may turn out to be any, the least.
    package var limits: ExchangeLimits {
        switch driver {
        case .acr122USB, .acr122S, .usb: .acr122
        case .pn532UART, .pn532SPI, .pn532I2C, .arygon, .pn53xUSB: .chip
        }
    }
}
