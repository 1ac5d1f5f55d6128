import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A reader, or a port that may have one.
package struct ReaderCandidate: Sendable, Equatable {
    /// Where the candidate comes from, and so how sure it is.
    package enum Source: String, Sendable {
        /// `LIBNFC_DEVICE` or libnfc's configuration files.
        case configuration
        /// A USB device with the id of a PN53x reader.
        case usb
        /// A serial port: a PN532 may or may not be behind it.
        case serial
    }

    /// What `--reader` takes.
    package let connectionString: String
    package let source: Source
    /// The model, or the adapter's name.
    package let description: String
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
        let usb = await offPool { USBReader.all() }.map(\.connectionString)
        guard let only = usb.first else { throw .noReader }
        guard usb.count == 1 else { throw .severalReaders(usb) }
        return only
    }

    /// Whether `resolve(nil)` would find a reader, or several: one is named, configured for libnfc, or on USB.
    ///
    /// For callers that cannot wait; reads configuration files and USB descriptors.
    package static var isAnyKnown: Bool {
        let environment = ProcessInfo.processInfo.environment["NFC_SESSION_READER"] ?? ""
        return !environment.isEmpty || !LibNFC.configuredDevices().isEmpty
            || !USBReader.all().isEmpty
    }

    /// Every candidate: configured, USB, serial.
    package static func all() async -> [ReaderCandidate] {
        await offPool {
            let configured = LibNFC.configuredDevices().map {
                ReaderCandidate(
                    connectionString: $0,
                    source: .configuration,
                    description: "configured for libnfc"
                )
            }
            let usb = USBReader.all().map {
                ReaderCandidate(
                    connectionString: $0.connectionString,
                    source: .usb,
                    description: $0.model
                )
            }
            return configured + usb + serialPorts(root: "/")
        }
    }

    /// Serial ports that a PN532 is commonly behind.
    ///
    /// Adapters with a name of their own come under it
    /// (`/dev/serial/by-id`), which stays when the node changes.
    package static func serialPorts(root: String) -> [ReaderCandidate] {
        let manager = FileManager.default
        let byID = root + "dev/serial/by-id"
        let named = ((try? manager.contentsOfDirectory(atPath: byID)) ?? []).sorted().map { name in
            (node: resolved(byID + "/" + name), path: byID + "/" + name, description: name)
        }
        let covered = Set(named.map(\.node))
        let prefixes = ["ttyUSB", "ttyACM", "ttyAMA", "serial"]
        let nodes = ((try? manager.contentsOfDirectory(atPath: root + "dev")) ?? []).sorted()
            .filter { name in
                prefixes.contains { name.hasPrefix($0) && Int(name.dropFirst($0.count)) != nil }
            }
            .map { root + "dev/" + $0 }
            .filter { !covered.contains(resolved($0)) }
        let ports =
            named.map { ($0.path, $0.description) } + nodes.map { ($0, "serial port") }
        return ports.map { path, description in
            ReaderCandidate(
                connectionString: "pn532_uart:\(path)",
                source: .serial,
                description: description
            )
        }
    }

    private static func resolved(_ path: String) -> String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { target in
            target.split(separator: "/").last.map(String.init) ?? target
        } ?? path.split(separator: "/").last.map(String.init) ?? path
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
