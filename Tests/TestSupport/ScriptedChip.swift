import Dispatch
package import Foundation
import Glibc
import Synchronization
import VirtualReader

/// A PN532 on a pseudo-terminal that acknowledges every command and answers what a closure says: for answers that no
/// virtual chip gives.
package final class ScriptedChip: Sendable {
    /// Why there is no chip.
    package struct Failure: Error {}

    /// The device node of its port.
    package let path: String
    private let master: Int32
    private let slave: Int32
    private let reply: @Sendable (Data) -> Data?
    private let isClosing = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Starts answering.
    ///
    /// - Parameter reply: for a command (code and parameters), the answer (its code and data); nil for the one that
    ///   a healthy chip with an empty field gives.
    /// - Throws: when the system has no pseudo-terminal.
    package init(reply: @escaping @Sendable (Data) -> Data?) throws {
        var settings = termios()
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
        cfsetspeed(&settings, speed_t(B115200))
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        guard openpty(&master, &slave, nil, &settings, nil) == 0,
            ttyname_r(slave, &name, name.count) == 0
        else { throw Failure() }
        (self.master, self.slave, self.reply) = (master, slave, reply)
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
        Thread.detachNewThread { [self] in run() }
    }

    /// Ends the chip's thread and takes the port away.
    package func close() {
        isClosing.store(true, ordering: .relaxed)
        hasEnded.wait()
        Glibc.close(slave)
        Glibc.close(master)
    }

    private func run() {
        var frames = FrameReader()
        while !isClosing.load(ordering: .relaxed) {
            var state = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&state, 1, 20) == 1 else { continue }
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { continue }
            frames.append(Data(buffer[..<count]))
            while let frame = frames.next() {
                guard case .command(let command) = frame else { continue }
                let answer = HostFrame.answer(reply(command) ?? Self.healthyAnswer(to: command))
                let output = [UInt8](HostFrame.acknowledge.encoded + answer.encoded)
                _ = write(master, output, output.count)
            }
        }
        hasEnded.signal()
    }

    /// What libnfc wants to hear while it opens and closes a device (facts/pn532.md, 2.1 and 3).
    private static func healthyAnswer(to command: Data) -> Data {
        let code = command.first ?? 0
        switch code {
        case 0x00: return Data([0x01]) + command.dropFirst()
        case 0x02: return Data([0x03, 0x32, 0x01, 0x06, 0x07])
        case 0x06: return Data([0x07]) + Data(count: max(1, (command.count - 1) / 2))
        case 0x08, 0x10, 0x12, 0x14, 0x32: return Data([code + 1])
        default: return Data([code &+ 1, 0x00])
        }
    }
}
