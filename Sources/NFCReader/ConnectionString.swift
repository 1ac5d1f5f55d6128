#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import Glibc

/// A libnfc connection string that is safe to open (facts/libnfc.md, 2.4).
///
/// libnfc cuts a path at its first colon, opens the first USB device it finds when no address follows, and
/// ignores an unknown baud rate. All of these are refused here, or mended where the meaning is plain.
package struct ConnectionString: Sendable, Equatable {
    /// How a reader is attached.
    enum Driver: String, CaseIterable {
        case pn532UART = "pn532_uart"
        case pn532SPI = "pn532_spi"
        case pn532I2C = "pn532_i2c"
        case arygon
        case acr122S = "ACR122S"
        case acr122USB = "acr122_usb"
        case pn53xUSB = "pn53x_usb"
        case usb

        var isUSB: Bool { self == .acr122USB || self == .pn53xUSB || self == .usb }
        var isSerial: Bool { self == .pn532UART || self == .arygon || self == .acr122S }
    }

    /// What libnfc is given.
    package let text: String
    let driver: Driver
    /// The device node, resolved; nil for USB drivers.
    let path: String?

    var isUSB: Bool { driver.isUSB }
    /// The baud rate that is written after the node.
    var baudRate: Int? {
        path.flatMap { Int(text.dropFirst("\(driver.rawValue):\($0):".count)) }
    }
    /// Whether a baud rate is written after the node.
    let hasBaudRate: Bool
    /// What tells readers apart, however they are written: the node with all links followed, else the whole text.
    var identity: String { path.map { Self.resolved($0) ?? $0 } ?? text }

    private static let baudRates: Set<Int> = [
        9600, 19200, 38400, 57600, 115_200, 230_400, 460_800,
    ]

    /// Reads what the user wrote: `pn532_uart:/dev/ttyUSB0`, `pn532_uart:/dev/ttyUSB0:115200`,
    /// `pn532_spi:/dev/spidev0.0`, `acr122_usb:001:005`, just the path of a serial port, or the USB socket of a
    /// reader or serial adapter, `usb:1-1.2` or `usb:1-1.2:115200`.
    ///
    /// - Throws: `invalidConnectionString`, or `cannotOpen` when no reader is in the socket.
    package init(_ written: String, on machine: Machine = .this) throws(ReaderError) {
        if let socket = USBSocket(written) {
            let (driver, rest) = try socket.find(on: machine)
            try self.init(driver: driver, rest: rest, written: written)
            return
        }
        if written.hasPrefix("/") {
            try self.init(driver: .pn532UART, rest: written, written: written)
            return
        }
        let name = String(written.prefix { $0 != ":" })
        guard let driver = Driver(rawValue: name) else {
            let known = Driver.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidConnectionString(
                "unknown driver '\(name)' in '\(written)': write one of \(known), then ':' and the device"
            )
        }
        try self.init(
            driver: driver,
            rest: String(written.dropFirst(name.count + 1)),
            written: written
        )
    }

    private init(driver: Driver, rest: String, written: String) throws(ReaderError) {
        self.driver = driver
        if driver.isUSB {
            let address = rest.split(separator: ":", omittingEmptySubsequences: false)
            guard address.count == 2, address.allSatisfy({ $0.count == 3 && Int($0) != nil }) else {
                throw .invalidConnectionString(
                    """
                    '\(written)' names no USB address: write \(driver.rawValue):BUS:DEVICE with three \
                    digits each, as 'nfc-session readers' lists them
                    """
                )
            }
            path = nil
            hasBaudRate = false
            text = "\(driver.rawValue):\(rest)"
        } else {
            let (node, rate) = try Self.nodeAndRate(rest, driver: driver, written: written)
            path = node
            hasBaudRate = rate != nil
            text = "\(driver.rawValue):\(node)" + (rate.map { ":\($0)" } ?? "")
        }
        guard text.utf8.count < 1024 else {
            throw .invalidConnectionString("the connection string is longer than 1023 bytes")
        }
    }

    /// Splits a device and its baud rate.
    ///
    /// A path that has colons of its own (`/dev/serial/by-path/...`) is replaced by
    /// the node it leads to, because libnfc cannot be given it.
    private static func nodeAndRate(
        _ rest: String,
        driver: Driver,
        written: String
    ) throws(ReaderError) -> (String, Int?) {
        var node = rest
        var rate: Int?
        if driver != .pn532I2C, let colon = rest.lastIndex(of: ":"),
            let number = Int(rest[rest.index(after: colon)...]), resolved(rest) == nil
        {
            node = String(rest[..<colon])
            rate = number
        }
        guard node.hasPrefix("/") else {
            throw .invalidConnectionString(
                "'\(written)' names no device node: write \(driver.rawValue):/dev/..."
            )
        }
        if node.contains(":") {
            guard let real = resolved(node), !real.contains(":") else {
                throw .invalidConnectionString(
                    "libnfc cannot open a path with ':' (\(node)): use /dev/serial/by-id/... or the node"
                )
            }
            node = real
        }
        if let rate, driver.isSerial, !baudRates.contains(rate) {
            let known = baudRates.sorted().map(String.init).joined(separator: ", ")
            throw .invalidConnectionString(
                "\(rate) is not a baud rate of libnfc: use one of \(known)"
            )
        }
        return (node, rate)
    }

    private static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
