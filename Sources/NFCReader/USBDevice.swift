/// A USB device as sysfs describes it; nothing is opened to know this.
package struct USBDevice: Sendable, Equatable {
    /// The socket the device is in, as the kernel names it: `1-1.2` is port 2 of the hub in port 1 of bus 1.
    ///
    /// It stays the same when the device is unplugged and plugged in again.
    package let path: String
    package let identifier: USBIdentifier
    /// What tells this device from others of its model; a CH340 has none.
    package let serialNumber: String?
    package let bus: UInt8
    package let address: UInt8

    /// What the device is to this package; nil for all other devices.
    package var model: USBModel? { USBModel.all[identifier] }

    /// The name that `--reader` takes.
    package var readerName: String { "usb:" + path }

    /// The node that libusb opens.
    package var node: String {
        "/dev/bus/usb/\(Self.threeDigits(bus))/\(Self.threeDigits(address))"
    }

    /// Bus and device as libnfc wants them, three digits each (facts/libnfc.md, 2.4); a replug changes them.
    var location: String { "\(Self.threeDigits(bus)):\(Self.threeDigits(address))" }

    private static func threeDigits(_ number: UInt8) -> String {
        let digits = String(number)
        return String(repeating: "0", count: 3 - digits.count) + digits
    }
}

extension Machine {
    private static let usbDevices = "/sys/bus/usb/devices"

    /// The USB devices that are plugged in and mean something to this package, in the order of their sockets.
    package var knownUSBDevices: [USBDevice] {
        names(in: Self.usbDevices).compactMap { usbDevice(at: $0) }.filter { $0.model != nil }
    }

    /// The device in this socket; nil when it is empty.
    package func usbDevice(at path: String) -> USBDevice? {
        let folder = "\(Self.usbDevices)/\(path)/"
        // Interfaces, `1-1.2:1.0`, are listed beside devices and have no vendor.
        guard let vendor = text(of: folder + "idVendor").flatMap({ UInt16($0, radix: 16) }),
            let product = text(of: folder + "idProduct").flatMap({ UInt16($0, radix: 16) }),
            let bus = text(of: folder + "busnum").flatMap({ UInt8($0) }),
            let address = text(of: folder + "devnum").flatMap({ UInt8($0) })
        else { return nil }
        return USBDevice(
            path: path,
            identifier: USBIdentifier(vendor: vendor, product: product),
            serialNumber: text(of: folder + "serial").flatMap { $0.isEmpty ? nil : $0 },
            bus: bus,
            address: address
        )
    }

    /// The kernel drivers that hold the device's interfaces; libusb's users show up as `usbfs`.
    package func interfaceDrivers(of device: USBDevice) -> [String] {
        names(in: Self.usbDevices).filter { $0.hasPrefix(device.path + ":") }
            .compactMap { targetName(of: "\(Self.usbDevices)/\($0)/driver") }
    }

    /// The USB device that a folder of `/sys/devices` is part of.
    func usbDevice(containing folder: String) -> USBDevice? {
        var parts = folder.split(separator: "/")
        while let last = parts.popLast() {
            guard last.contains("-"), !last.contains(":") else { continue }
            if let device = usbDevice(at: String(last)) { return device }
        }
        return nil
    }
}
