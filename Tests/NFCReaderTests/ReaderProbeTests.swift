import Dispatch
import Foundation
import NFCReader
import Synchronization
import TestSupport
import Testing
import VirtualReader

import Glibc

/// Asking ports whether there is a reader.
@Suite(.serialized) struct ReaderProbeTests {
    @Test("A reader answers with its chip and firmware, and is asked once under all its names")
    func answers() async throws {
        let virtual = try VirtualReader()
        defer { virtual.close() }
        var probe = ReaderProbe()
        // GetFirmwareVersion of a PN532: 32 01 06 07 (facts/pn532.md).
        let first = await probe.ask(virtual.connectionString)
        #expect(
            first == .reader(connectionString: virtual.connectionString, chip: "PN532 1.6")
        )
        let path = String(virtual.connectionString.dropFirst("pn532_uart:".count))
        let link = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: path)
        defer { try? FileManager.default.removeItem(at: link) }
        // GetFirmwareVersion is how it was asked.
        let count = virtual.statistics.commands[0x02]
        let second = await probe.ask("pn532_uart:" + link.path)
        #expect(second == first)
        #expect(virtual.statistics.commands[0x02] == count)
    }

    @Test("Failures are remembered too")
    func failures() async {
        var probe = ReaderProbe()
        let answer = await probe.ask("pn532_uart:/dev/ttyUSB96")
        guard case .failure(.cannotOpen) = answer else {
            Issue.record("\(answer)")
            return
        }
        let again = await probe.ask("/dev/ttyUSB96")
        #expect(again == answer)
    }

    @Test("Ports of unknown adapters and ports in use are not asked")
    func notAsked() async throws {
        var image = MachineImage.debian()
        image.usb("2341:0043", at: "1-5", address: 6)
        image.port("ttyACM1", on: "1-5", driver: "cdc_acm")
        image.usb("1a86:7523", at: "1-2")
        image.port("ttyUSB0", on: "1-2")
        image.process(9, "/usr/bin/screen", open: ["/dev/ttyUSB0"])
        let found = try await image.withFolder { root in
            let machine = Machine(root: root.path)
            return machine.withUsers(machine.readerCandidates)
        }
        var probe = ReaderProbe()
        for candidate in found {
            let answer = await probe.ask(candidate)
            guard case .notAsked(let reason) = answer else {
                Issue.record("\(answer)")
                continue
            }
            #expect(
                reason.contains(candidate.usb?.path == "1-2" ? "screen (process 9)" : "--reader")
            )
        }
        #expect(found.count == 2)
    }

    @Test("A silent port is asked at 115200 baud, then at the rates that nfcpy leaves a chip at")
    func rates() async throws {
        let port = try SilentPort()
        var probe = ReaderProbe()
        let answer = await probe.ask("pn532_uart:" + port.path)
        guard case .failure(.notResponding) = answer else {
            Issue.record("\(answer)")
            return
        }
        #expect(port.close() == [B115200, B230400, B460800].map { speed_t($0) })
    }
}

/// A serial port with nothing behind it that notes at which speeds it is written to.
private final class SilentPort: Sendable {
    let path: String
    private let master: Int32
    /// Held open, so that the port never hangs up.
    private let slave: Int32
    private let state = Mutex<(speeds: [speed_t], isOpen: Bool)>(([], true))
    private let end = DispatchSemaphore(value: 0)

    init() throws {
        var (master, slave) = (Int32(-1), Int32(-1))
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        (self.master, self.slave) = (master, slave)
        path = try #require(Machine.this.target(of: "/proc/self/fd/\(slave)"))
        DispatchQueue(label: "silent port").async { [self] in
            while state.withLock({ $0.isOpen }) { listen() }
            end.signal()
        }
    }

    private func listen() {
        var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 50) > 0 else { return }
        var bytes = [UInt8](repeating: 0, count: 256)
        guard read(master, &bytes, bytes.count) > 0 else { return }
        var settings = termios()
        tcgetattr(master, &settings)
        let speed = cfgetospeed(&settings)
        state.withLock { if $0.speeds.last != speed { $0.speeds.append(speed) } }
    }

    /// Ends the port; the speeds in the order in which they were first used.
    func close() -> [speed_t] {
        let speeds = state.withLock { state in
            state.isOpen = false
            return state.speeds
        }
        end.wait()
        Glibc.close(master)
        Glibc.close(slave)
        return speeds
    }
}
