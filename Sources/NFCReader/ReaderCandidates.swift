import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader, or a port that may have one, and what the system says about it.
package struct ReaderCandidate: Sendable, Equatable {
    /// Where the candidate comes from, and so how sure it is.
    package enum Source: String, Sendable {
        /// `LIBNFC_DEVICE` or libnfc's configuration files.
        case configuration
        /// A USB device with the id of a PN53x reader.
        case usb
        /// A serial port: a PN532 may or may not be behind it.
        case serial
        /// The I2C bus of a Raspberry Pi's header.
        case i2c
        /// The SPI bus of a Raspberry Pi's header.
        case spi
    }

    /// What `--reader` takes: the name that stays the same when the reader is plugged in again.
    package let connectionString: String
    package let source: Source
    /// The model, or the adapter's name.
    package let description: String
    /// The device node; nil where the configuration names none.
    package let node: String?
    /// The USB device that the reader or its adapter is.
    package var usb: USBDevice?
    /// The kernel driver that has the device.
    package var driver: String?
    /// Whether the user may use the node; nil when that cannot be told.
    package var access: NodeAccess?
    /// Who uses the node; nil when that cannot be told.
    package var holders: NodeHolders?

    /// Whether it may be asked without being named: it is a reader by its id or the user's word, or an adapter
    /// that boards are sold with.
    package var mayBeAsked: Bool {
        switch source {
        case .configuration, .usb: true
        case .serial: if case .adapter? = usb?.model { true } else { false }
        case .i2c, .spi: false
        }
    }
}

/// Finds readers without writing to any port.
package enum ReaderCandidates {
    /// The connection string to use: `explicit`, else `NFC_SESSION_READER`, else libnfc's configuration, else the
    /// only USB reader there is (design.md, Command line).
    ///
    /// - Throws: `noReader` or `severalReaders`, or `invalidConnectionString` for what the user wrote.
    package static func resolve(_ explicit: String?) async throws(ReaderError) -> String {
        let environment = ProcessInfo.processInfo.environment["NFC_SESSION_READER"]
        if let named = explicit ?? environment, !named.isEmpty {
            return try ConnectionString(named).text
        }
        let found = await offPool { LibNFC.configuredDevices() }
        if let first = found.first { return try ConnectionString(first).text }
        let usb = await offPool { Machine.this.usbReaders }.map(\.connectionString)
        guard let only = usb.first else { throw .noReader }
        guard usb.count == 1 else { throw .severalReaders(usb) }
        return try ConnectionString(only).text
    }

    /// Whether `resolve(nil)` would find a reader, or several: one is named, configured for libnfc, or on USB.
    ///
    /// For callers that cannot wait; reads configuration files and sysfs.
    package static var isAnyKnown: Bool {
        let environment = ProcessInfo.processInfo.environment["NFC_SESSION_READER"] ?? ""
        return !environment.isEmpty || !LibNFC.configuredDevices().isEmpty
            || !Machine.this.usbReaders.isEmpty
    }

    /// Every candidate of this machine: configured, USB, serial, I2C, SPI; with who may use and who does use it.
    package static func all() async -> [ReaderCandidate] {
        await offPool {
            let configured = LibNFC.configuredDevices().map(ReaderCandidate.init(configured:))
            let machine = Machine.this
            return machine.withUsers(configured + machine.readerCandidates)
        }
    }

    /// Runs blocking system calls on a Dispatch thread, so that Swift's shared pool stays free.
    private static func offPool<Result: Sendable>(
        _ work: @escaping @Sendable () -> Result
    ) async -> Result {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: work()) }
        }
    }
}

extension ReaderCandidate {
    fileprivate init(configured text: String) {
        self.init(
            connectionString: text,
            source: .configuration,
            description: "configured for libnfc",
            node: (try? ConnectionString(text))?.path
        )
    }

    fileprivate init(_ port: SerialPort) {
        self.init(
            connectionString: port.usb == nil ? "pn532_uart:" + port.readerName : port.readerName,
            source: .serial,
            description: port.description,
            node: port.node,
            usb: port.usb,
            driver: port.driver
        )
    }
}

extension Machine {
    /// The readers with a USB plug of their own.
    package var usbReaders: [ReaderCandidate] {
        knownUSBDevices.compactMap { device in
            guard case .reader(let name, _)? = device.model else { return nil }
            return ReaderCandidate(
                connectionString: device.readerName,
                source: .usb,
                description: name,
                node: device.node,
                usb: device,
                driver: interfaceDrivers(of: device).first
            )
        }
    }

    /// All readers, and ports that may have one; with permissions, but without who uses them.
    package var readerCandidates: [ReaderCandidate] {
        let user = user
        return (usbReaders + serialPorts.map(ReaderCandidate.init) + headerBuses).map {
            var candidate = $0
            if let user, let node = candidate.node {
                candidate.access = access(to: node, for: user)
            }
            return candidate
        }
    }

    /// The candidates, with who uses them.
    package func withUsers(_ candidates: [ReaderCandidate]) -> [ReaderCandidate] {
        guard let holders = holders(of: candidates.compactMap(\.node)) else { return candidates }
        return candidates.map {
            var candidate = $0
            candidate.holders = candidate.node.flatMap { holders[$0] }
            return candidate
        }
    }

    /// "Raspberry Pi 4 Model B Rev 1.4", or nil on other machines.
    package var raspberryPiModel: String? {
        text(of: "/proc/device-tree/model").flatMap { $0.hasPrefix("Raspberry Pi") ? $0 : nil }
    }

    /// I2C and SPI on a Raspberry Pi's header; other machines use such nodes for parts of their own.
    private var headerBuses: [ReaderCandidate] {
        guard raspberryPiModel != nil else { return [] }
        let i2c = ReaderCandidate(
            connectionString: "pn532_i2c:/dev/i2c-1",
            source: .i2c,
            description: "I2C bus",
            node: "/dev/i2c-1"
        )
        let spi = ["/dev/spidev0.0", "/dev/spidev0.1"].map { node in
            ReaderCandidate(
                connectionString: "pn532_spi:" + node,
                source: .spi,
                description: "SPI bus",
                node: node
            )
        }
        return ([i2c] + spi).filter { exists($0.node ?? "") }
    }
}
