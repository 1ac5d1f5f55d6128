#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A pseudo-terminal in raw mode: the virtual reader holds the master side, host software opens the slave.
///
/// It keeps a slave descriptor of its own, so that a host that closes the port neither resets its settings nor
/// makes the master fail.
final class PseudoTerminal: Sendable {
    /// The master side, non-blocking.
    let master: Int32
    /// The slave's device node.
    ///
    /// Linux names it `/dev/pts/n`: no colon, which libnfc could not stand.
    let path: String
    private let slave: Int32

    init() throws(VirtualReaderError) {
        var settings = termios()
        cfmakeraw(&settings)
        settings.c_cflag |= tcflag_t(CREAD | CLOCAL)
        cfsetspeed(&settings, speed_t(B115200))
        var (master, slave): (Int32, Int32) = (-1, -1)
        guard openpty(&master, &slave, nil, &settings, nil) == 0 else {
            throw .system(call: "openpty", errno: errno)
        }
        var name = [CChar](repeating: 0, count: 256)
        let failure = ttyname_r(slave, &name, name.count)
        guard failure == 0 else {
            close(slave)
            close(master)
            throw .system(call: "ttyname_r", errno: failure)
        }
        // Programs that this process starts must not keep the port open.
        _ = fcntl(master, F_SETFD, FD_CLOEXEC)
        _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        self.master = master
        self.slave = slave
        path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        close(slave)
        close(master)
    }

    /// What the host has set the port to, in baud; nil when it is none of the usual rates, or 0 for a moment as while
    /// libnfc opens the port.
    var baudRate: Int? {
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else { return nil }
        return Self.baudRates[cfgetospeed(&settings)]
    }

    private static let baudRates: [speed_t: Int] = [
        speed_t(B9600): 9_600, speed_t(B19200): 19_200, speed_t(B38400): 38_400,
        speed_t(B57600): 57_600, speed_t(B115200): 115_200, speed_t(B230400): 230_400,
        speed_t(B460800): 460_800, speed_t(B921600): 921_600,
    ]

    /// What the host has written, which may be nothing.
    func read() -> Data {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = systemRead(master, &bytes, bytes.count)
        return count > 0 ? Data(bytes[..<count]) : Data()
    }

    /// Sends bytes to the host.
    ///
    /// Like a serial line it has no flow control: what a host does not read in time, the kernel's 4
    /// KiB buffer aside, is lost.
    func write(_ data: Data) {
        var rest = [UInt8](data)[...]
        while !rest.isEmpty {
            let count = systemWrite(master, rest)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

// The C functions, out of reach inside a type whose methods bear their names.
private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8], _ count: Int) -> Int {
    read(descriptor, &buffer, count)
}

private func systemWrite(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}
