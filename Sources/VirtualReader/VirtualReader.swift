internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A PN532 with firmware 1.6 behind a serial port that exists only as a pseudo-terminal, for programs and tests
/// without hardware: libnfc, its tools and nfcpy use it like the real thing.
///
/// ```swift
/// let reader = try VirtualReader()
/// reader.place(try Type2Tag(kind: .ntag213))
/// // LIBNFC_DEVICE=\(reader.connectionString) nfc-list
/// ```
///
/// Each reader has a thread of its own, on which chip, field and tags live; it sleeps while nothing happens. All
/// methods may be called from any thread, take effect at once and wait for nothing, `close()` aside.
public final class VirtualReader: Sendable {
    private let state: ReaderState
    private let thread: ReaderThread
    private let own = Mutex(Own())

    private struct Own {
        var path: String
        var link: String?
        var isClosed = false

        init(path: String = "") {
            self.path = path
        }
    }

    /// Powers up a reader with nothing on its antenna.
    ///
    /// The chip sleeps until a host wakes it.
    ///
    /// - Parameters:
    ///   - timing: how time is treated.
    ///   - deselectsBeforeListing: whether InListPassiveTarget releases an ISO-DEP tag that it knows before it
    ///     searches. As far as is known real firmware does not: such a tag stays unseen until it is deselected or
    ///     the field goes off (facts/pn532.md, 3.1).
    /// - Throws: when the system refuses a pseudo-terminal, a pipe or a thread.
    public init(
        timing: Timing = .immediate,
        deselectsBeforeListing: Bool = false
    ) throws(VirtualReaderError) {
        state = try ReaderState(timing: timing, deselectsBeforeListing: deselectsBeforeListing)
        thread = try ReaderThread(state)
        let path = state.controls.withLock { $0.port?.path } ?? ""
        own.withLock { $0.path = path }
    }

    deinit {
        close()
    }

    // MARK: - Port

    /// The device node of the serial port.
    ///
    /// `reconnect()` changes it.
    public var path: String { own.withLock { $0.path } }

    /// What libnfc calls the reader.
    public var connectionString: String { "pn532_uart:" + path }

    /// Makes a symbolic link to the port, which follows it when `reconnect()` changes its path.
    ///
    /// It is removed on `close()`.
    ///
    /// - Parameter path: where; a symbolic link that stands there is replaced, anything else is not.
    /// - Throws: when no link can be made there, or the reader is closed.
    public func link(at path: String) throws(VirtualReaderError) {
        try own.withLock { (own) throws(VirtualReaderError) in
            guard !own.isClosed else { throw .closed }
            try Self.makeLink(at: path, to: own.path)
            if let old = own.link, old != path { unlink(old) }
            own.link = path
        }
    }

    /// Unplugs the reader: the port goes away under the host, chip and tags lose their power.
    ///
    /// A link made by `link(at:)` goes too: the node it led to may be another reader's soon.
    public func hangUp() {
        own.withLock { own in
            if let link = own.link { unlink(link) }
        }
        state.controls.withLock { $0.port = nil }
        state.wake()
    }

    /// Plugs the reader in again.
    ///
    /// It has a new port, starts from cold and counts from 0; a link made by `link(at:)` leads to it.
    ///
    /// - Throws: when the system refuses a pseudo-terminal, or the reader is closed.
    public func reconnect() throws(VirtualReaderError) {
        try own.withLock { (own) throws(VirtualReaderError) in
            guard !own.isClosed else { throw .closed }
            let port = try PseudoTerminal()
            state.controls.withLock { controls in
                controls.port = port
                controls.portVersion += 1
            }
            own.path = port.path
            if let link = own.link { try Self.makeLink(at: link, to: port.path) }
        }
        state.wake()
    }

    /// Ends the reader: its thread, its port and its link are gone when this returns.
    ///
    /// Further calls do nothing.
    ///
    /// When a tag or the trace closure calls this, the thread ends right after that.
    public func close() {
        let (link, wasClosed) = own.withLock { own in
            defer {
                own.isClosed = true
                own.link = nil
            }
            return (own.link, own.isClosed)
        }
        guard !wasClosed else { return }
        if let link { unlink(link) }
        state.controls.withLock { controls in
            controls.isClosing = true
            controls.port = nil
            controls.trace = nil
        }
        state.wake()
        thread.join()
    }

    private static func makeLink(at link: String, to path: String) throws(VirtualReaderError) {
        var status = stat()
        if lstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { unlink(link) }
        guard symlink(path, link) == 0 else { throw .link(path: link, errno: errno) }
    }

    // MARK: - Tags

    /// Puts a tag on the antenna.
    ///
    /// One that is there already stays as it is.
    public func place(_ tag: any VirtualTag) {
        state.tray.place(tag)
        state.wake()
    }

    /// Takes a tag away, if it is there.
    public func remove(_ tag: any VirtualTag) {
        state.tray.remove(tag)
        state.wake()
    }

    /// Takes all tags away.
    public func removeAll() {
        state.tray.removeAll()
        state.wake()
    }

    /// Takes one tag away and puts another there, with no moment in between in which a poll could find none.
    public func swap(_ old: any VirtualTag, for new: any VirtualTag) {
        state.tray.swap(old, for: new)
        state.wake()
    }

    /// The tags that are there now, first come first.
    public var tags: [any VirtualTag] { state.tray.placements.map(\.tag) }

    // MARK: - Faults and observation

    /// What goes wrong from now on.
    ///
    /// Setting them, the same ones too, starts their counting anew.
    public var faults: Faults {
        get { state.controls.withLock { $0.faults } }
        set {
            state.controls.withLock { controls in
                controls.faults = newValue
                controls.faultsVersion += 1
            }
            state.wake()
        }
    }

    /// Whether the chip's field is on.
    public var isFieldOn: Bool { state.controls.withLock { $0.isFieldOn } }

    /// How often the reader's thread has run; stands still while nothing happens.
    package var turns: Int { state.controls.withLock { $0.turns } }

    /// What has been counted.
    ///
    /// Once a host has read an answer, its command is counted here.
    public var statistics: Statistics { state.controls.withLock { $0.statistics } }

    /// Starts counting anew.
    public func resetStatistics() {
        state.controls.withLock { controls in
            controls.statistics = Statistics()
            controls.resetsStatistics = true
        }
        state.wake()
    }

    /// Called with each frame in either direction, on the reader's thread and before the host sees
    /// the frame.
    ///
    /// It holds the reader up, so it should be quick.
    public var trace: (@Sendable (TraceEvent) -> Void)? {
        get { state.controls.withLock { $0.trace } }
        set { state.controls.withLock { $0.trace = newValue } }
    }
}
