import Foundation
import TestSupport
import Testing
import VirtualReader

@testable import NFCReader

/// Where a reader is looked for after it was lost: names of udev in a folder of the test's own.
@Suite struct ReaderAddressTests {
    /// A `/dev/serial` with these links to a node.
    private func root(links: [String], to node: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for link in links {
            let path = URL(fileURLWithPath: folder.path + "/dev/serial/" + link)
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try FileManager.default.createSymbolicLink(atPath: path.path, withDestinationPath: node)
        }
        return folder
    }

    @Test func aPortIsFoundAgainByTheNamesOfUdev() throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let root = try root(
            links: [
                "by-id/usb-1a86_USB_Serial-if00-port0", "by-path/pci-0000:00:14.0-usb-0:2:1.0",
            ],
            to: virtual.path
        )
        var address = ReaderAddress("pn532_uart:\(virtual.path):57600", root: root.path + "/")
        #expect(address.candidates == ["pn532_uart:\(virtual.path):57600"])
        address.noteNames()
        let serial = root.path + "/dev/serial/"
        #expect(
            address.candidates == [
                "pn532_uart:\(serial)by-id/usb-1a86_USB_Serial-if00-port0:57600",
                "pn532_uart:\(serial)by-path/pci-0000:00:14.0-usb-0:2:1.0:57600",
            ]
        )
    }

    @Test func aPortWithoutOtherNamesIsFoundByWhatWasWritten() throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        var address = ReaderAddress(virtual.connectionString)
        address.noteNames()
        #expect(address.candidates == [virtual.connectionString])
    }

    @Test func noticesThatADeviceComesAndGoes() throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        let folder = try TemporaryFolder()
        let link = folder.path + "/reader"
        let address = ReaderAddress("pn532_uart:" + link)
        #expect(address.fingerprint == [""])
        try virtual.link(at: link)
        let there = address.fingerprint
        #expect(there != [""])
        try FileManager.default.removeItem(atPath: link)
        #expect(address.fingerprint == [""])
    }
}
