import CLibUSB

/// A PN53x reader with a USB plug of its own, found by its id.
struct USBReader: Sendable, Equatable {
    let driver: ConnectionString.Driver
    let model: String
    let bus: UInt8
    let address: UInt8

    /// libnfc wants bus and device with three digits (facts/libnfc.md, 2.4).
    var connectionString: String {
        "\(driver.rawValue):\(Self.threeDigits(bus)):\(Self.threeDigits(address))"
    }

    private static func threeDigits(_ number: UInt8) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}

extension USBReader {
    private struct Model {
        let vendor: UInt16
        let product: UInt16
        let driver: ConnectionString.Driver
        let name: String
    }

    /// What libnfc's USB drivers support (facts/libnfc.md, 11).
    ///
    /// udev/60-nfc-session.rules lists the same ids.
    private static let models = [
        Model(vendor: 0x04CC, product: 0x0531, driver: .pn53xUSB, name: "NXP PN531"),
        Model(vendor: 0x054C, product: 0x0193, driver: .pn53xUSB, name: "Sony PN531"),
        Model(vendor: 0x04CC, product: 0x2533, driver: .pn53xUSB, name: "NXP PN533"),
        Model(vendor: 0x04E6, product: 0x5591, driver: .pn53xUSB, name: "SCM SCL3711"),
        Model(vendor: 0x04E6, product: 0x5594, driver: .pn53xUSB, name: "Identive SCL3712"),
        Model(vendor: 0x1FD3, product: 0x0608, driver: .pn53xUSB, name: "ASK LoGO"),
        Model(vendor: 0x054C, product: 0x02E1, driver: .pn53xUSB, name: "Sony RC-S360"),
        Model(vendor: 0x072F, product: 0x2200, driver: .acr122USB, name: "ACS ACR122U"),
        Model(vendor: 0x072F, product: 0x90CC, driver: .acr122USB, name: "Touchatag"),
        Model(vendor: 0x072F, product: 0x2214, driver: .acr122USB, name: "ACS ACR1222"),
    ]

    /// The supported readers on the bus.
    ///
    /// Reads descriptors only: no device is opened or reset.
    static func all() -> [USBReader] {
        var context: OpaquePointer?
        // A machine without USB has no readers; that is no error.
        guard libusb_init(&context) == 0 else { return [] }
        defer { libusb_exit(context) }
        var list: UnsafeMutablePointer<OpaquePointer?>?
        let count = libusb_get_device_list(context, &list)
        guard count > 0, let list else { return [] }
        defer { libusb_free_device_list(list, 1) }
        return UnsafeBufferPointer(start: list, count: count).compactMap { device in
            device.flatMap(reader)
        }
    }

    private static func reader(_ device: OpaquePointer) -> USBReader? {
        var descriptor = libusb_device_descriptor()
        guard libusb_get_device_descriptor(device, &descriptor) == 0 else { return nil }
        let model = models.first {
            $0.vendor == descriptor.idVendor && $0.product == descriptor.idProduct
        }
        guard let model else { return nil }
        return USBReader(
            driver: model.driver,
            model: model.name,
            bus: libusb_get_bus_number(device),
            address: libusb_get_device_address(device)
        )
    }
}
