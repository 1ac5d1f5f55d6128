import CLibUSB
import Dispatch
import Synchronization

import Glibc

/// A reader, or a port that may have one, that came or went.
package enum ReaderEvent: Sendable, Equatable {
    /// It is there: at the start, or because it was plugged in.
    case appeared(ReaderCandidate)
    /// What is known of it changed: mostly, udev has set its permissions.
    case changed(ReaderCandidate)
    /// It is gone; this is how it was last seen.
    case vanished(ReaderCandidate)
}

extension Machine {
    /// Tells which readers and ports are there, and then which come and go, until nobody listens any more.
    ///
    /// libusb says when a USB device comes or goes, and the folder `/dev` when a node does; then the list is read
    /// anew and compared, so that no event can be missed or told twice. On another machine's files only `/dev`
    /// is watched.
    ///
    /// - Throws: `cannotOpen` when the system has no watch to give.
    package func readerEvents() throws(ReaderError) -> AsyncStream<ReaderEvent> {
        let watch = try ReaderWatch(self)
        let (events, continuation) = AsyncStream.makeStream(of: ReaderEvent.self)
        continuation.onTermination = { _ in watch.stop() }
        // A queue of its own: it blocks until something changes.
        DispatchQueue(label: "nfc-session.reader-watch").async { watch.run(continuation) }
        return events
    }
}

/// Waits for changes of the list of readers.
private final class ReaderWatch: Sendable {
    private static let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVE)

    // Proof for the unchecked Sendable: the pointer is never changed, and used by `run` alone until `deinit`.
    private struct USB: @unchecked Sendable {
        let context: OpaquePointer
    }

    private let machine: Machine
    /// Readable when a node in `/dev` has changed.
    private let nodes: Int32
    /// Readable when the watch is to end.
    private let end: Int32
    /// Closing it makes `end` readable.
    private let stopper: Mutex<Int32>
    /// nil where libusb cannot tell: on another machine's files, or without USB.
    private let usb: USB?

    init(_ machine: Machine) throws(ReaderError) {
        self.machine = machine
        nodes = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        var pipe: [Int32] = [-1, -1]
        if Glibc.pipe(&pipe) == 0 {
            for descriptor in pipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
        end = pipe[0]
        stopper = Mutex(pipe[1])
        usb = machine.isThisOne ? Self.usb() : nil
        guard nodes >= 0, end >= 0, machine.watch("/dev", by: nodes, for: Self.changes) else {
            throw .cannotOpen("cannot watch /dev: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        if let usb { libusb_exit(usb.context) }
        if nodes >= 0 { close(nodes) }
        if end >= 0 { close(end) }
        stop()
    }

    /// libusb with its eyes open for devices that come and go.
    private static func usb() -> USB? {
        var context: OpaquePointer?
        guard libusb_init(&context) == 0, let context else { return nil }
        let events =
            LIBUSB_HOTPLUG_EVENT_DEVICE_ARRIVED.rawValue | LIBUSB_HOTPLUG_EVENT_DEVICE_LEFT.rawValue
        let status = libusb_hotplug_register_callback(
            context,
            Int32(events),
            0,
            LIBUSB_HOTPLUG_MATCH_ANY,
            LIBUSB_HOTPLUG_MATCH_ANY,
            LIBUSB_HOTPLUG_MATCH_ANY,
            // That there was an event suffices: the list is read anew.
            { _, _, _, _ in 0 },
            nil,
            nil
        )
        guard status == 0 else {
            libusb_exit(context)
            return nil
        }
        return USB(context: context)
    }

    func stop() {
        stopper.withLock { descriptor in
            if descriptor >= 0 { close(descriptor) }
            descriptor = -1
        }
    }

    func run(_ continuation: AsyncStream<ReaderEvent>.Continuation) {
        var known: [ReaderCandidate] = []
        repeat {
            let found = machine.readerCandidates
            for event in Self.differences(from: known, to: found) { continuation.yield(event) }
            known = found
        } while waitForChange()
        continuation.finish()
    }

    /// What happened between two lists: those gone first, as another may have taken their place.
    private static func differences(
        from old: [ReaderCandidate],
        to new: [ReaderCandidate]
    ) -> [ReaderEvent] {
        func find(_ candidate: ReaderCandidate, in list: [ReaderCandidate]) -> ReaderCandidate? {
            list.first { $0.connectionString == candidate.connectionString }
        }
        let vanished = old.filter { find($0, in: new) == nil }.map(ReaderEvent.vanished)
        let others = new.compactMap { candidate -> ReaderEvent? in
            guard let before = find(candidate, in: old) else { return .appeared(candidate) }
            return before == candidate ? nil : .changed(candidate)
        }
        return vanished + others
    }

    /// Waits until something may have changed; false when the watch is to end.
    private func waitForChange() -> Bool {
        var descriptors = [end, nodes].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if let usb, let list = libusb_get_pollfds(usb.context) {
            defer { libusb_free_pollfds(list) }
            var index = 0
            while let descriptor = list[index]?.pointee {
                descriptors.append(
                    pollfd(fd: descriptor.fd, events: descriptor.events, revents: 0)
                )
                index += 1
            }
        }
        while poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {
            guard errno == EINTR else { return false }
        }
        guard descriptors[0].revents == 0 else { return false }
        var drain = [UInt8](repeating: 0, count: 4096)
        while read(nodes, &drain, drain.count) > 0 {}
        if let usb {
            var now = timeval(tv_sec: 0, tv_usec: 0)
            libusb_handle_events_timeout_completed(usb.context, &now, nil)
        }
        return true
    }
}
