/// A USB socket that a reader is known by, as `--reader usb:1-1.2` names it.
///
/// libnfc's own strings name what a replug changes: the device's number on the bus, or `ttyUSB0`.
struct USBSocket {
    /// The kernel's name of the socket: `1-1.2`.
    private let path: String
    /// The baud rate, where one is written after it.
    private let rate: String?

    /// Reads `usb:1-1.2` or `usb:1-1.2:115200`; nil for everything else, such as libnfc's `usb:001:005`.
    init?(_ written: String) {
        let parts = written.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.first == "usb", (2...3).contains(parts.count), Self.isPath(parts[1]) else {
            return nil
        }
        path = String(parts[1])
        rate = parts.count == 3 ? String(parts[2]) : nil
    }

    /// A bus, a dash, and the ports on the way to the device, parted by dots.
    private static func isPath(_ text: Substring) -> Bool {
        let halves = text.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return false }
        let ports = halves[1].split(separator: ".", omittingEmptySubsequences: false)
        return (halves[0...0] + ports).allSatisfy { UInt8($0) != nil }
    }

    /// Which libnfc driver the reader in the socket needs, and what comes after its name.
    func find(on machine: Machine) throws(ReaderError) -> (ConnectionString.Driver, String) {
        if let rate, Int(rate) == nil {
            throw .invalidConnectionString(
                "'\(rate)' is no baud rate: write usb:\(path), or usb:\(path):115200"
            )
        }
        guard let device = machine.usbDevice(at: path) else {
            throw .cannotOpen(
                "nothing is plugged into usb:\(path): is the reader in another socket? "
                    + "'nfc-session readers' lists what there is"
            )
        }
        if case .reader(_, let name)? = device.model,
            let driver = ConnectionString.Driver(rawValue: name)
        {
            guard rate == nil else {
                throw .invalidConnectionString("usb:\(path) is no serial port: it has no baud rate")
            }
            return (driver, device.location)
        }
        guard let port = machine.serialPort(of: device) else {
            throw .cannotOpen(
                "usb:\(path) is neither a reader that libnfc knows nor one serial port "
                    + "(\(device.identifier)): run 'nfc-session doctor'"
            )
        }
        return (.pn532UART, port.node + (rate.map { ":" + $0 } ?? ""))
    }
}
