/// A serial port, as the system describes it; nothing is opened to know this.
package struct SerialPort: Sendable, Equatable {
    /// The device node: `/dev/ttyUSB0`.
    ///
    /// The next plug may give it another number.
    package let node: String
    /// Its name in `/dev/serial/by-id` or the Raspberry Pi's `/dev/serial0`, where it has one.
    package let link: String?
    /// The USB adapter it is on; nil for ports that are part of the machine.
    package let usb: USBDevice?
    /// The kernel's driver: `ch341-uart`.
    package let driver: String?

    /// The name that `--reader` takes and that outlives a replug: the USB socket, else the link, else the node.
    package var readerName: String { usb?.readerName ?? link ?? node }

    /// Whether a PN532 is likely behind it: an adapter that boards are sold with.
    package var isOnKnownAdapter: Bool {
        if case .adapter? = usb?.model { true } else { false }
    }

    fileprivate var isUSBName: Bool {
        node.hasPrefix("/dev/ttyUSB") || node.hasPrefix("/dev/ttyACM")
    }

    /// What it is, for people.
    package var description: String {
        usb?.model?.name ?? usb.map { "USB serial port (\($0.identifier))" } ?? "serial port"
    }
}

extension Machine {
    /// The serial ports that a PN532 is commonly behind: USB adapters and the UART of a Raspberry Pi.
    package var serialPorts: [SerialPort] {
        let links = serialLinks
        return names(in: "/dev").filter { name in
            ["ttyUSB", "ttyACM", "ttyAMA"].contains {
                name.hasPrefix($0) && Int(name.dropFirst($0.count)) != nil
            }
                // ttyS ports are on every PC, and have a board behind them on a Raspberry Pi only.
                || name.hasPrefix("ttyS") && links["/dev/" + name] != nil
        }
        .map { serialPort("/dev/" + $0, links: links) }
        // Bluetooth has serial1, and a USB port without its adapter is just being unplugged.
        .filter { $0.link != "/dev/serial1" && ($0.usb != nil || !$0.isUSBName) }
    }

    private func serialPort(_ node: String, links: [String: String]) -> SerialPort {
        let device = "/sys/class/tty/\(node.dropFirst("/dev/".count))/device"
        return SerialPort(
            node: node,
            link: links[node],
            usb: realPath(of: device).flatMap(usbDevice(containing:)),
            driver: targetName(of: device + "/driver")
        )
    }

    /// The links that lead to serial ports, by the node they lead to.
    ///
    /// `/dev/serial0` is the Raspberry Pi's UART on the header, `/dev/serial1` the one that Bluetooth has.
    private var serialLinks: [String: String] {
        let paths =
            names(in: "/dev/serial/by-id").map { "/dev/serial/by-id/" + $0 }
            + ["/dev/serial0", "/dev/serial1"]
        var links: [String: String] = [:]
        for path in paths {
            if let node = realPath(of: path), links[node] == nil { links[node] = path }
        }
        return links
    }

    /// The serial port of the adapter in a USB socket; nil when it has none, or more than one.
    package func serialPort(of device: USBDevice) -> SerialPort? {
        let ports = serialPorts.filter { $0.usb?.path == device.path }
        return ports.count == 1 ? ports.first : nil
    }
}
