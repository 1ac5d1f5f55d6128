import Bytes
import Foundation
import TestSupport
import VirtualReader

/// The host's end of a virtual reader's serial port, opened as a program would open it.
final class HostPort {
    private let descriptor: Int32

    init?(_ path: String) {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Sets the host's end to a rate: `speed_t(B921600)`.
    func setSpeed(_ speed: speed_t) {
        var settings = termios()
        tcgetattr(descriptor, &settings)
        cfsetspeed(&settings, speed)
        tcsetattr(descriptor, TCSANOW, &settings)
    }

    func send(_ bytes: String) {
        let data = [UInt8](hex(bytes))
        _ = write(descriptor, data, data.count)
    }

    /// Reads until `count` bytes are there, the port hangs up, or nothing comes for a while; lower-case hex.
    func receive(_ count: Int, within milliseconds: Int32 = 5_000) -> String {
        var received = Data()
        while received.count < count {
            var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
            guard poll(&descriptors, 1, milliseconds) > 0 else { break }
            var bytes = [UInt8](repeating: 0, count: 512)
            let read = read(descriptor, &bytes, min(bytes.count, count - received.count))
            guard read > 0 else { break }
            received += bytes[..<read]
        }
        return received.hex
    }

    /// Whether the other end goes away, after whatever it has still sent.
    var hangsUp: Bool {
        while true {
            var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
            guard poll(&descriptors, 1, 5_000) > 0 else { return false }
            if descriptors[0].revents & Int16(POLLHUP) != 0 { return true }
            var bytes = [UInt8](repeating: 0, count: 512)
            guard read(descriptor, &bytes, bytes.count) > 0 else { return true }
        }
    }

    /// Wakes the chip and asks its version: ACK and answer, 19 bytes.
    func version() -> String {
        send("55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff 02 fe d4 02 2a 00")
        return receive(19)
    }

    static let version = Bench.acknowledge + "0000ff06fad50332010607e800"
}
