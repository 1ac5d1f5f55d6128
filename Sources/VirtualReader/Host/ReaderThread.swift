internal import Synchronization

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

/// What a virtual reader and its thread share.
final class ReaderState: Sendable {
    /// What may be asked of the thread from outside, and what it reports.
    struct Controls {
        var faults = Faults.none
        /// The same, or a scenario in their place.
        var program = FaultProgram(.none)
        /// Goes up with each setting of `program`: setting the same again starts counting anew.
        var programVersion = 0
        var trace: (@Sendable (TraceEvent) -> Void)?
        var port: PseudoTerminal?
        /// Goes up with each reconnection.
        var portVersion = 0
        var resetsStatistics = false
        var isClosing = false
        var statistics = Statistics()
        var isFieldOn = false
        var turns = 0
    }

    let tray = TagTray()
    let controls: Mutex<Controls>
    let node: PortNode
    let timing: Timing
    let deselectsBeforeListing: Bool
    private let wakeUp: Pipe

    init(timing: Timing, deselectsBeforeListing: Bool) throws(VirtualReaderError) {
        self.timing = timing
        self.deselectsBeforeListing = deselectsBeforeListing
        wakeUp = try Pipe()
        let port = try PseudoTerminal()
        var first = Controls()
        first.port = port
        controls = Mutex(first)
        node = PortNode(path: port.path)
    }

    /// The port goes away, and its link with it; unless it is a later one than `version` by now.
    func unplug(version: Int? = nil) {
        node.withdraw {
            controls.withLock { controls in
                guard version == nil || version == controls.portVersion else { return false }
                controls.port = nil
                return true
            }
        }
    }

    /// There is a new port, and the link leads to it; it stands at another path from now on where one is given.
    func plugIn(at link: String? = nil) throws(VirtualReaderError) {
        try node.renew(at: link) { port in
            controls.withLock { controls in
                controls.port = port
                controls.portVersion += 1
            }
        }
    }

    /// Has the thread look at controls and tags.
    func wake() { wakeUp.signal() }

    /// Waits for bytes on the port, a wake-up or the instant.
    func wait(for port: PseudoTerminal?, until due: ContinuousClock.Instant?) {
        var milliseconds: Int32 = -1
        if let due {
            let left = due - .now
            // poll(2) counts milliseconds; what is shorter is slept through, it could not be served sooner anyway.
            if left < .milliseconds(1) {
                if left > .zero { usleep(UInt32(left / .microseconds(1))) }
                milliseconds = 0
            } else {
                milliseconds = Int32(clamping: Int64(left / .milliseconds(1)))
            }
        }
        var descriptors = [pollfd(fd: wakeUp.reading, events: Int16(POLLIN), revents: 0)]
        if let port {
            descriptors.append(pollfd(fd: port.master, events: Int16(POLLIN), revents: 0))
        }
        _ = poll(&descriptors, nfds_t(descriptors.count), milliseconds)
        wakeUp.drain()
    }
}

/// A pipe that interrupts poll(2).
private final class Pipe: Sendable {
    let reading: Int32
    private let writing: Int32

    init() throws(VirtualReaderError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(call: "pipe", errno: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        reading = ends[0]
        writing = ends[1]
    }

    deinit {
        close(reading)
        close(writing)
    }

    /// A full pipe wakes as well as one more byte would.
    func signal() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    func drain() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reading, &bytes, bytes.count) == bytes.count {}
    }
}

/// The one thread on which a virtual reader's chip, field and tags live.
struct ReaderThread {
    private let handle: pthread_t

    /// Starts the thread.
    ///
    /// It ends when `Controls.isClosing` is set.
    init(_ state: ReaderState) throws(VirtualReaderError) {
        var handle = pthread_t()
        // Signals are the main program's business.
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let argument = Unmanaged.passRetained(state)
        let failure = pthread_create(
            &handle,
            nil,
            { argument in
                guard let argument else { return nil }
                Self.nameThisThread()
                var loop = ReaderLoop(
                    Unmanaged<ReaderState>.fromOpaque(argument).takeRetainedValue()
                )
                loop.run()
                return nil
            },
            argument.toOpaque()
        )
        guard failure == 0 else {
            argument.release()
            throw .system(call: "pthread_create", errno: failure)
        }
        self.handle = handle
    }

    /// Gives the thread a name for `top -H` and debuggers.
    ///
    /// The C library's function for it is not visible to Swift.
    private static func nameThisThread() {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, "virtual-reader", 14)
        close(file)
    }

    /// Waits until the thread has ended; when called on that thread itself, lets it end alone.
    func join() {
        if pthread_equal(handle, pthread_self()) != 0 {
            pthread_detach(handle)
        } else {
            pthread_join(handle, nil)
        }
    }
}

/// What the thread does: carries bytes between port and chip, and time and tags to the chip.
private struct ReaderLoop {
    private let state: ReaderState
    private var link: HostLink
    private var port: PseudoTerminal?
    private var portVersion = 0
    private var programVersion = 0
    /// A port that was unplugged comes back.
    private var returning: (due: ContinuousClock.Instant, link: String?)?

    init(_ state: ReaderState) {
        self.state = state
        link = Self.makeLink(state)
    }

    /// A chip as it is after power-up, asleep.
    private static func makeLink(_ state: ReaderState) -> HostLink {
        let clock = ChipClock(state.timing)
        let field = RadioField(tray: state.tray, clock: clock)
        let chip = PN532(
            clock: clock,
            field: field,
            deselectsBeforeListing: state.deselectsBeforeListing
        )
        let link = HostLink(chip: chip)
        link.trace = { event in state.controls.withLock { $0.trace }?(event) }
        return link
    }

    mutating func run() {
        while true {
            // Bytes first: whatever was set before the host wrote them counts for them.
            let (bytes, origin) = (port?.read() ?? Data(), portVersion)
            guard takeControls() else { break }
            let now = ContinuousClock.Instant.now
            link.hostBaudRate = port?.baudRate
            link.tagsMayHaveChanged(at: now)
            if port != nil, portVersion == origin { link.receive(bytes, at: now) }
            link.advance(to: now)
            let output = link.takeOutput(at: now)
            // Whoever sees the answer must find it counted.
            report()
            if !output.isEmpty { port?.write(output) }
            if let unplugging = link.unplugging { hangUp(unplugging) }
            comeBack(at: now)
            let due = [link.nextDue, returning?.due].compactMap(\.self).min()
            state.wait(for: port, until: due)
        }
        link.powerOff()
        port = nil
        report()
    }

    /// Takes over what was set from outside; false when the reader is being closed.
    private mutating func takeControls() -> Bool {
        let (controls, resets) = state.controls.withLock { controls in
            defer { controls.resetsStatistics = false }
            return (controls, controls.resetsStatistics)
        }
        if controls.portVersion != portVersion {
            portVersion = controls.portVersion
            returning = nil
            link.powerOff()
            // What goes wrong goes on: a fault may be what unplugged the reader.
            let script = link.script
            link = Self.makeLink(state)
            link.script = script
        }
        if controls.programVersion != programVersion {
            programVersion = controls.programVersion
            link.script = FaultScript(controls.program)
        }
        if resets { link.resetStatistics() }
        if port != nil, controls.port == nil { link.hungUp() }
        port = controls.port
        return !controls.isClosing
    }

    private mutating func hangUp(_ unplugging: HostLink.Unplugging) {
        state.unplug(version: portVersion)
        port = nil
        link.hungUp()
        returning = unplugging.end.map { ($0, unplugging.path) }
    }

    /// Plugs the reader in again when it is time; later, when the system has no port to give.
    private mutating func comeBack(at now: ContinuousClock.Instant) {
        guard let (due, path) = returning, due <= now else { return }
        do throws(VirtualReaderError) {
            try state.plugIn(at: path)
            returning = nil
            state.wake()
        } catch .link {
            // It is back all the same, where `VirtualReader.path` says.
            returning = nil
            state.wake()
        } catch {
            returning = (now + .milliseconds(100), path)
        }
    }

    private func report() {
        let (statistics, isFieldOn) = (link.allStatistics, link.isFieldOn)
        state.controls.withLock { controls in
            if !controls.resetsStatistics { controls.statistics = statistics }
            controls.isFieldOn = isFieldOn
            controls.turns += 1
        }
    }
}
