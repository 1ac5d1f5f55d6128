import Foundation
import NFCReader
import Testing

/// What facts/libnfc.md 2.4 says of connection strings.
@Suite struct ConnectionStringTests {
    @Test(
        "is passed on as written when it is safe",
        arguments: [
            "pn532_uart:/dev/ttyUSB0", "pn532_uart:/dev/ttyUSB0:115200",
            "pn532_spi:/dev/spidev0.0:500000",
            "pn532_i2c:/dev/i2c-1", "acr122_usb:001:005", "pn53x_usb:002:013",
            "arygon:/dev/ttyUSB0:9600",
            "ACR122S:/dev/ttyUSB0:9600",
        ]
    )
    func passesOn(text: String) throws {
        #expect(try ConnectionString(text).text == text)
    }

    @Test func takesABarePathForAPN532OnASerialPort() throws {
        #expect(try ConnectionString("/dev/ttyUSB0").text == "pn532_uart:/dev/ttyUSB0")
    }

    @Test func followsAPathWithColonsToItsNode() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appendingPathComponent("pci-0000:00:14.0-usb-0:1:1.0-port0").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/dev/null")
        #expect(try ConnectionString("pn532_uart:\(link)").text == "pn532_uart:/dev/null")
    }

    @Test(
        "is refused with advice",
        arguments: [
            // A USB driver without an address opens and resets the first device there is.
            ("acr122_usb", "BUS:DEVICE"), ("pn53x_usb:", "BUS:DEVICE"), ("usb:1:5", "three"),
            // libnfc would look for no such driver and say nothing useful.
            ("pn532uart:/dev/ttyUSB0", "unknown driver"), ("", "unknown driver"),
            ("PN532_UART:/dev/ttyUSB0", "unknown driver"),
            // libnfc logs the wrong rate and goes on with another one.
            ("pn532_uart:/dev/ttyUSB0:115201", "baud rate"),
            ("pn532_uart:", "device node"), ("pn532_uart:ttyUSB0", "device node"),
            // libnfc would cut the path at its first colon.
            ("pn532_uart:/dev/serial/by-path/no:such:port", "':'"),
        ]
    )
    func refuses(text: String, advice: String) {
        #expect {
            try ConnectionString(text)
        } throws: { error in
            guard case .invalidConnectionString(let message)? = error as? ReaderError else {
                return false
            }
            return message.contains(advice)
        }
    }

    @Test func refusesMoreThanLibnfcHasRoomFor() {
        let path = "/dev/" + String(repeating: "x", count: 1024)
        #expect(throws: ReaderError.self) { try ConnectionString("pn532_uart:\(path)") }
    }
}
