import Foundation
import NFCReader
import TestSupport
import Testing

/// Readers and ports, found without opening any.
@Suite struct ReaderCandidatesTests {
    private func candidates(_ image: MachineImage) async throws -> [ReaderCandidate] {
        try await image.withFolder { root in
            let machine = Machine(root: root.path)
            return machine.withUsers(machine.readerCandidates)
        }
    }

    @Test("A board behind an adapter is named by its USB socket, with all that sysfs says")
    func adapter() async throws {
        var image = MachineImage.debian()
        image.usb("0403:6001", at: "1-1.2", serial: "A50285BI")
        image.port("ttyUSB4", on: "1-1.2", driver: "ftdi_sio")
        image.link("/dev/serial/by-id/usb-FTDI_A50285BI-if00-port0", to: "../../ttyUSB4")
        image.process(9, "/usr/bin/screen", open: ["/dev/ttyUSB4"])
        let found = try await candidates(image)
        #expect(found.map(\.connectionString) == ["usb:1-1.2"])
        let port = try #require(found.first)
        #expect(port.source == .serial)
        #expect(port.description == "FTDI FT232 serial adapter")
        #expect(port.node == "/dev/ttyUSB4")
        #expect(port.driver == "ftdi_sio")
        #expect(port.usb?.identifier.description == "0403:6001")
        #expect(port.usb?.serialNumber == "A50285BI")
        #expect(port.access?.isAllowed == true)
        #expect(port.holders?.processes.map(\.name) == ["screen"])
        #expect(port.mayBeAsked)
    }

    @Test("Ports that belong to something else are listed, but not to be asked unnamed")
    func strangers() async throws {
        var image = MachineImage.debian()
        image.usb("2341:0043", at: "1-5")
        image.port("ttyACM1", on: "1-5", driver: "cdc_acm")
        image.node("/dev/ttyS0")
        let found = try await candidates(image)
        #expect(found.map(\.connectionString) == ["usb:1-5"])
        #expect(found.first?.description == "USB serial port (2341:0043)")
        #expect(found.first?.mayBeAsked == false)
    }

    @Test("On a Raspberry Pi the header's port and buses are listed, and Bluetooth's is not")
    func header() async throws {
        var image = MachineImage.raspberryPi(uart: "ttyS0")
        image.node("/dev/ttyAMA0")
        image.link("/dev/serial1", to: "ttyAMA0")
        image.node("/dev/i2c-1")
        image.node("/dev/spidev0.0")
        let found = try await candidates(image)
        #expect(
            found.map(\.connectionString) == [
                "pn532_uart:/dev/serial0", "pn532_i2c:/dev/i2c-1", "pn532_spi:/dev/spidev0.0",
            ]
        )
        #expect(found.allSatisfy { !$0.mayBeAsked })
        // On a PC such a node is the graphics card's.
        var pc = MachineImage.debian()
        pc.node("/dev/i2c-1")
        let onPC = try await candidates(pc)
        #expect(onPC.isEmpty)
    }

    @Test("A socket is resolved to what is in it now")
    func socket() async throws {
        var image = MachineImage.debian()
        image.usb("072f:2200", at: "1-3", address: 7)
        image.usb("1a86:7523", at: "1-1.2")
        image.port("ttyUSB1", on: "1-1.2")
        image.usb("1d6b:0002", at: "1-9", address: 9)
        try await image.withFolder { root in
            let machine = Machine(root: root.path)
            let texts = try ["usb:1-3", "usb:1-1.2", "usb:1-1.2:230400"].map {
                try ConnectionString($0, on: machine).text
            }
            #expect(
                texts == [
                    "acr122_usb:001:007", "pn532_uart:/dev/ttyUSB1",
                    "pn532_uart:/dev/ttyUSB1:230400",
                ]
            )
        }
    }

    @Test(
        "A socket without a reader is an error that says so",
        arguments: [
            ("usb:1-4", "nothing is plugged into"), ("usb:1-9", "neither a reader"),
            ("usb:1-3:115200", "no baud rate"), ("usb:1-1.2:115201", "is not a baud rate"),
            ("usb:1-1.2:", "is no baud rate"), ("usb:1-", "BUS:DEVICE"),
            ("usb:../../etc-1", "BUS:DEVICE"),
        ]
    )
    func emptySocket(text: String, advice: String) async throws {
        var image = MachineImage.debian()
        image.usb("072f:2200", at: "1-3", address: 7)
        image.usb("1a86:7523", at: "1-1.2")
        image.port("ttyUSB1", on: "1-1.2")
        image.usb("1d6b:0002", at: "1-9", address: 9)
        try await image.withFolder { root in
            do throws(ReaderError) {
                let string = try ConnectionString(text, on: Machine(root: root.path))
                Issue.record("\(string)")
            } catch {
                #expect("\(error)".contains(advice), "\(error)")
            }
        }
    }

    @Test("Nodes that come, change and go are told, in this order and once each")
    func events() async throws {
        var image = MachineImage.debian()
        image.usb("1a86:7523", at: "1-1.2")
        image.port("ttyUSB1", on: "1-1.2")
        try await image.withFolder { root in
            let node = root.appendingPathComponent("dev/ttyUSB1").path
            try FileManager.default.removeItem(atPath: node)
            var events = try Machine(root: root.path).readerEvents().makeAsyncIterator()
            // As the kernel makes a node, and udev gives it to the group afterwards.
            let file = open(node, O_CREAT | O_WRONLY, 0o600)
            close(file)
            let first = await events.next()
            guard case .appeared(let closed)? = first else {
                Issue.record("\(String(describing: first))")
                return
            }
            #expect(closed.connectionString == "usb:1-1.2" && closed.access?.isAllowed == false)
            #expect(chmod(node, 0o660) == 0)
            let second = await events.next()
            guard case .changed(let opened)? = second else {
                Issue.record("\(String(describing: second))")
                return
            }
            #expect(opened.access?.isAllowed == true)
            #expect(unlink(node) == 0)
            let third = await events.next()
            #expect(third == .vanished(opened))
        }
    }

    @Test("A watch that nobody listens to any more leaves no descriptor behind")
    func endOfWatch() async throws {
        try await MachineImage.debian().withFolder { root in
            try FileManager.default.createDirectory(
                at: root.appendingPathComponent("dev"),
                withIntermediateDirectories: true
            )
            let machine = Machine(root: root.path)
            // inotify's descriptors are this test's alone in the process, but for other watches.
            func count() -> Int {
                Machine.this.names(in: "/proc/self/fd").filter {
                    Machine.this.target(of: "/proc/self/fd/" + $0) == "anon_inode:inotify"
                }.count
            }
            for _ in 0..<20 {
                let task = Task { for await _ in try machine.readerEvents() {} }
                task.cancel()
                _ = await task.result
            }
            let deadline = ContinuousClock.now + .seconds(10)
            while count() > 1, ContinuousClock.now < deadline { await Task.yield() }
            #expect(count() <= 1)
        }
    }
}
