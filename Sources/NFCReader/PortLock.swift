import Glibc

/// Holds a device node for this process.
///
/// libnfc's own lock does not work on Debian (facts/libnfc.md, 2.1): a second program would open the same port, and
/// both would steal each other's bytes. So every reader takes an advisory lock on its node for as long as it lives.
final class PortLock: Sendable {
    private let descriptor: Int32

    /// Takes the lock, or says who is in the way and what to do.
    ///
    /// Waits up to a second: whoever used the port before may be just closing it.
    init(_ path: String) throws(ReaderError) {
        descriptor = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.cannotOpen(path, errno) }
        for _ in 0..<50 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
            usleep(20_000)
        }
        Glibc.close(descriptor)
        throw .inUse("\(path) is in use by another nfc-session: stop that one first")
    }

    deinit { Glibc.close(descriptor) }

    /// Whether the port has gone away under this descriptor: an adapter that was unplugged.
    ///
    /// It never comes back, also when a new port gets the old name.
    var isGone: Bool {
        var state = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }

    /// Sends bytes past libnfc, at the speed that libnfc has set.
    ///
    /// What a port does not take at once is lost, as on the wire.
    func send(_ bytes: [UInt8]) {
        _ = write(descriptor, bytes, bytes.count)
    }

    private static func cannotOpen(_ path: String, _ code: Int32) -> ReaderError {
        let advice =
            switch code {
            case ENOENT, ENXIO, ENODEV:
                "is the reader plugged in? 'nfc-session readers' lists what there is"
            case EACCES, EPERM:
                "'nfc-session doctor' says which command gives you permission"
            case EBUSY: "another program holds it: 'nfc-session doctor' says which"
            default: "the system refuses it"
            }
        return .cannotOpen("\(path): \(String(cString: strerror(code))); \(advice)")
    }
}

/// Makes the process fit for libnfc's serial drivers (facts/libnfc.md, 2.2).
enum Descriptors {
    /// Fills descriptors 0 to 2 with /dev/null where they are closed: libnfc takes a port on descriptor 0 for its
    /// abort pipe.
    static func holdStandardOnes() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free descriptor is taken, and that is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    /// Refuses to open a port that would get a descriptor of 1024 or more, which select() cannot take.
    static func checkRoom() throws(ReaderError) {
        let probe = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard probe >= 0 else {
            throw .cannotOpen("no file descriptor is free: \(String(cString: strerror(errno)))")
        }
        close(probe)
        // A port takes a few: itself, the lock and libnfc's abort pipe.
        guard probe < 1024 - 16 else {
            throw .cannotOpen(
                "\(probe) files are open, and libnfc works with descriptors below 1024 only: open the reader first"
            )
        }
    }
}
