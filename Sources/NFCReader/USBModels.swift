/// The two numbers that a USB device is known by.
package struct USBIdentifier: Sendable, Hashable, CustomStringConvertible {
    package let vendor: UInt16
    package let product: UInt16

    package init(vendor: UInt16, product: UInt16) {
        self.vendor = vendor
        self.product = product
    }

    /// As `lsusb` writes it: `072f:2200`.
    package var description: String { Self.digits(vendor) + ":" + Self.digits(product) }

    private static func digits(_ number: UInt16) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

/// What a USB device is to this package, by its id.
package enum USBModel: Sendable, Equatable {
    /// A PN53x reader that libnfc drives over USB.
    case reader(name: String, driver: String)
    /// A serial adapter that PN532 boards are sold with, and the kernel module that drives it; anything may be
    /// behind it.
    case adapter(name: String, module: String)
    /// An NFC reader that libnfc 1.8.0 has no driver for.
    case unsupported(name: String)

    /// The model's name.
    package var name: String {
        switch self {
        case .reader(let name, _), .adapter(let name, _), .unsupported(let name): name
        }
    }

    /// All models; udev/60-nfc-session.rules lists the readers and adapters too.
    package static let all: [USBIdentifier: USBModel] = {
        var models: [USBIdentifier: USBModel] = [:]
        func add(_ vendor: UInt16, _ product: UInt16, _ model: USBModel) {
            models[USBIdentifier(vendor: vendor, product: product)] = model
        }
        // What libnfc's USB drivers support (facts/libnfc.md, 11).
        add(0x04CC, 0x0531, .reader(name: "NXP PN531", driver: "pn53x_usb"))
        add(0x054C, 0x0193, .reader(name: "Sony PN531", driver: "pn53x_usb"))
        add(0x04CC, 0x2533, .reader(name: "NXP PN533", driver: "pn53x_usb"))
        add(0x04E6, 0x5591, .reader(name: "SCM SCL3711", driver: "pn53x_usb"))
        add(0x04E6, 0x5594, .reader(name: "Identive SCL3712", driver: "pn53x_usb"))
        add(0x1FD3, 0x0608, .reader(name: "ASK LoGO", driver: "pn53x_usb"))
        add(0x054C, 0x02E1, .reader(name: "Sony RC-S360", driver: "pn53x_usb"))
        add(0x072F, 0x2200, .reader(name: "ACS ACR122U", driver: "acr122_usb"))
        add(0x072F, 0x90CC, .reader(name: "Touchatag", driver: "acr122_usb"))
        add(0x072F, 0x2214, .reader(name: "ACS ACR1222", driver: "acr122_usb"))
        // Boards are sold with these (facts/users.md, 3a).
        add(0x1A86, 0x7523, .adapter(name: "CH340 serial adapter", module: "ch341"))
        add(0x1A86, 0x55D3, .adapter(name: "CH343 serial adapter", module: "cdc_acm"))
        add(0x10C4, 0xEA60, .adapter(name: "CP210x serial adapter", module: "cp210x"))
        add(0x0403, 0x6001, .adapter(name: "FTDI FT232 serial adapter", module: "ftdi_sio"))
        add(0x067B, 0x2303, .adapter(name: "PL2303 serial adapter", module: "pl2303"))
        // Often bought for this, in vain (facts/libnfc.md, 11).
        add(0x072F, 0x223B, .unsupported(name: "ACS ACR1252U"))
        add(0x054C, 0x06C1, .unsupported(name: "Sony RC-S380"))
        add(0x054C, 0x06C3, .unsupported(name: "Sony RC-S380"))
        return models
    }()
}
