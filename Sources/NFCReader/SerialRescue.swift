import Dispatch

import Glibc

/// Finds a PN532 that a crashed program left at another baud rate, and brings it back (facts/users.md, 5, row 16).
///
/// libnfc knows neither 921600 nor a way to change the rate, so the few frames this takes are written here, to a port
/// that nobody else has open.
enum SerialRescue {
    /// A baud rate: its number, the system's constant, and the chip's code (facts/pn532.md, 3, SetSerialBaudRate).
    private struct Rate {
        let number: Int
        let speed: speed_t
        let code: UInt8
    }

    /// What programs set first: nfcpy 921600, others 230400 or 460800.
    private static let rates = [
        Rate(number: 921_600, speed: speed_t(B921600), code: 0x07),
        Rate(number: 230_400, speed: speed_t(B230400), code: 0x05),
        Rate(number: 460_800, speed: speed_t(B460800), code: 0x06),
        Rate(number: 115_200, speed: speed_t(B115200), code: 0x04),
        Rate(number: 57_600, speed: speed_t(B57600), code: 0x03),
        Rate(number: 38_400, speed: speed_t(B38400), code: 0x02),
        Rate(number: 19_200, speed: speed_t(B19200), code: 0x01),
        Rate(number: 9_600, speed: speed_t(B9600), code: 0x00),
    ]

    /// Asks the chip at every other rate to come back to `home`; about 0.7 s when it is at none.
    ///
    /// - Returns: the rate it was found at, or nil.
    /// - Throws: `cannotOpen` or `inUse`.
    static func restore(path: String, home: Int) async throws(ReaderError) -> Int? {
        let result = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(
                    returning: Result { () throws(ReaderError) in
                        try search(path: path, home: home)
                    }
                )
            }
        }
        return try result.get()
    }

    private static func search(path: String, home: Int) throws(ReaderError) -> Int? {
        guard let target = rates.first(where: { $0.number == home }) else { return nil }
        let port = try RawPort(path)
        for rate in rates where rate.number != home {
            port.setSpeed(rate.speed)
            // Long enough for a chip that sleeps to wake (facts/pn532.md, 1.2).
            port.write([0x55, 0x55] + [UInt8](repeating: 0, count: 14))
            port.write(frame([0x10, target.code]))
            // ACK, then the answer to SetSerialBaudRate.
            guard port.hears([0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD5, 0x11, 0x1A, 0x00]) else {
                continue
            }
            // The new rate counts from the host's ACK on.
            port.write([0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00])
            port.drain()
            port.setSpeed(target.speed)
            return rate.number
        }
        return nil
    }

    /// A normal information frame to the chip (facts/pn532.md, 1).
    private static func frame(_ command: [UInt8]) -> [UInt8] {
        let body = [0xD4] + command
        let length = UInt8(truncatingIfNeeded: body.count)
        let sum = body.reduce(UInt8(0)) { $0 &+ $1 }
        return [0x00, 0x00, 0xFF, length, 0 &- length] + body + [0 &- sum, 0x00]
    }
}

/// A serial port in raw mode, locked, for a few frames.
private final class RawPort {
    private let lock: PortLock
    private let descriptor: Int32
    private let before: termios?

    init(_ path: String) throws(ReaderError) {
        lock = try PortLock(path)
        descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen("\(path) cannot be opened again") }
        var settings = termios()
        before = tcgetattr(descriptor, &settings) == 0 ? settings : nil
    }

    deinit {
        if var before { tcsetattr(descriptor, TCSANOW, &before) }
        close(descriptor)
    }

    func setSpeed(_ speed: speed_t) {
        var settings = termios()
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
        cfsetspeed(&settings, speed)
        tcsetattr(descriptor, TCSANOW, &settings)
        tcflush(descriptor, TCIFLUSH)
    }

    func write(_ bytes: [UInt8]) {
        _ = Glibc.write(descriptor, bytes, bytes.count)
    }

    func drain() {
        tcdrain(descriptor)
        usleep(1_000)
    }

    /// Whether these bytes come within 100 ms of silence.
    func hears(_ wanted: [UInt8]) -> Bool {
        var heard: [UInt8] = []
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while heard.count < 1024, poll(&state, 1, 100) == 1, state.revents & Int16(POLLIN) != 0 {
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return false }
            heard += buffer[..<count]
            if contains(heard, wanted) { return true }
        }
        return false
    }

    private func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
        guard bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains { bytes[$0...].starts(with: wanted) }
    }
}
