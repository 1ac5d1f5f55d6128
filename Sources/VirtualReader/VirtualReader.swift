internal import Synchronization

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
    }

    deinit {
        close()
    }

    // MARK: - Port

    /// The device node of the serial port.
    ///
    /// It changes when the reader is unplugged and returns.
    public var path: String { state.node.path }

    /// What libnfc calls the reader.
    public var connectionString: String { "pn532_uart:" + path }

    /// Makes a symbolic link to the port, which follows it when its path changes.
    ///
    /// It is there while the port is: it goes when the reader is unplugged or closed.
    ///
    /// - Parameter path: where; a symbolic link that stands there is replaced, anything else is not.
    /// - Throws: when no link can be made there, or the reader is closed.
    public func link(at path: String) throws(VirtualReaderError) {
        try state.node.link(at: path)
    }

    /// Unplugs the reader: the port goes away under the host, chip and tags lose their power.
    ///
    /// A link made by `link(at:)` goes too: the node it led to may be another reader's soon.
    public func hangUp() {
        state.unplug()
        state.wake()
    }

    /// Plugs the reader in again.
    ///
    /// It has a new port and starts from cold; a link leads to it. Faults go on where they were.
    ///
    /// - Parameter link: where the link stands from now on, as an adapter that comes back under another name; nil for
    ///   where it stood before, if there was one.
    /// - Throws: when the system refuses a pseudo-terminal or a link, or the reader is closed.
    public func reconnect(at link: String? = nil) throws(VirtualReaderError) {
        try state.plugIn(at: link)
        state.wake()
    }

    /// Ends the reader: its thread, its port and its link are gone when this returns.
    ///
    /// Further calls do nothing.
    ///
    /// When a tag or the trace closure calls this, the thread ends right after that.
    public func close() {
        guard state.node.close() else { return }
        state.controls.withLock { controls in
            controls.isClosing = true
            controls.port = nil
            controls.trace = nil
        }
        state.wake()
        thread.join()
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
                controls.program = FaultProgram(newValue)
                controls.programVersion += 1
            }
            state.wake()
        }
    }

    /// Has the field change and things go wrong as a scenario says, in place of `faults`.
    ///
    /// - Parameters:
    ///   - scenario: what happens, and when.
    ///   - tags: the tags that the scenario names, by those names (`Scenario.Step.tagNames`).
    ///   - report: called with each step that happens, on the reader's thread; it should be quick. Tags that move at
    ///     the start have moved when this returns, and are reported before.
    /// - Throws: when a tag that the scenario names is not among `tags`; nothing happens then.
    public func play(
        _ scenario: Scenario,
        tags: [String: any VirtualTag] = [:],
        report: (@Sendable (Scenario.Step) -> Void)? = nil
    ) throws(ScenarioError) {
        var program = try scenario.program(tags: tags, report: report)
        program.begin(on: state.tray)
        state.controls.withLock { controls in
            controls.faults = .none
            controls.program = program
            controls.programVersion += 1
        }
        state.wake()
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
