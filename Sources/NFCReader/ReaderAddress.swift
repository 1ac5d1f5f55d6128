#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import Glibc

/// Where a reader that was opened once can be found again, though its node has changed.
///
/// An adapter that is plugged in again may be `ttyUSB1` while something else is `ttyUSB0` by now. So the names that
/// udev gave the port are noted while it is there: `/dev/serial/by-id`, which follows the adapter, and
/// `/dev/serial/by-path`, which follows the socket; for a reader on USB, its socket. What the user wrote is read anew at every turn, because it may be
/// such a name itself.
struct ReaderAddress: Sendable, Equatable {
    /// What the user wrote.
    private let written: String
    /// Connection strings with the stable names of the port, best first; empty when it has none.
    private var stable: [String] = []
    private let root: String

    /// - Parameters:
    ///   - written: the connection string.
    ///   - root: where `/dev/serial` is looked for; tests have their own.
    init(_ written: String, root: String = "/") {
        self.written = written
        self.root = root
    }

    /// Notes the stable names of the reader, which is open now.
    ///
    /// What the user wrote is left as it is when it is a stable name already.
    mutating func noteNames() {
        guard let string = try? ConnectionString(written) else { return }
        if string.isUSB {
            noteSocket(of: string)
            return
        }
        guard let path = string.path, let node = Self.realPath(path), written.contains(node) else {
            return
        }
        // The baud rate, if one was written.
        let rest = string.text.dropFirst("\(string.driver.rawValue):\(path)".count)
        let names = ["by-id", "by-path"].compactMap { folder in
            Self.link(to: node, in: root + "dev/serial/" + folder)
        }
        guard !names.isEmpty else { return }
        stable = names.map { "\(string.driver.rawValue):\($0)\(rest)" }
    }

    /// A reader on USB gets another address whenever it is plugged in; its socket stays.
    private mutating func noteSocket(of string: ConnectionString) {
        guard USBSocket(written) == nil else { return }
        let socket = Machine(root: root).usbReaders.first {
            (try? ConnectionString($0.connectionString))?.text == string.text
        }
        if let socket { stable = [socket.connectionString] }
    }

    /// The connection strings under which the reader may be found now, the likeliest first.
    ///
    /// A bare node is all there is to go by when the port had no other name. One that had is not looked for under its
    /// node, which by now may be another device's.
    var candidates: [String] { stable.isEmpty ? [written] : stable }

    /// What stands under the candidates now: changes when the device comes or goes, or another takes its name.
    var fingerprint: [String] {
        candidates.map { candidate in
            guard let string = try? ConnectionString(candidate) else { return "" }
            guard let path = string.path else { return string.text }
            var status = stat()
            guard stat(path, &status) == 0 else { return "" }
            return "\(status.st_rdev) \(status.st_ino) \(status.st_dev)"
        }
    }

    private static func link(to node: String, in folder: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { folder + "/" + $0 }.first { realPath($0) == node }
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
