import Foundation
import NFCReader

/// How far a session has come.
///
/// Every delegate call belongs to one transition.
///
///     created -> starting -> polling <-> detected
///                    \          \           /
///                     \          \           /
///                      ------------> ending -> ended
enum SessionPhase: Sendable {
    /// Made, not begun.
    case created
    /// Begun; the reader is being opened.
    case starting
    /// The delegate knows that the session is active, and tags are looked for.
    case polling
    /// Tags have been reported; the field belongs to them until polling restarts.
    case detected(Detection)
    /// Over for this reason; the reader is being closed.
    case ending(NFCReaderError)
    /// The delegate has been told that the session is over, if it ever began.
    case ended

    /// What has to be done when a session ends.
    enum Ending: Equatable {
        /// Nothing: it has ended before.
        case nothing
        /// The session was never begun, so the delegate is not told.
        case silent
        /// The delegate is told when the reader, which is just being opened, is closed again; or soon, because opening
        /// a silent one may take seconds.
        case tellSoon
        /// The delegate is told when the reader is closed.
        case tellWhenClosed
    }

    /// Whether tags can be looked for and spoken to.
    var isReady: Bool {
        switch self {
        case .polling, .detected: true
        case .created, .starting, .ending, .ended: false
        }
    }

    /// Whether the session is over.
    var isOver: Bool {
        switch self {
        case .ending, .ended: true
        case .created, .starting, .polling, .detected: false
        }
    }

    /// The tags reported last, if polling has not restarted since.
    var detection: Detection? {
        get {
            guard case .detected(let detection) = self else { return nil }
            return detection
        }
        set {
            guard case .detected = self, let newValue else { return }
            self = .detected(newValue)
        }
    }

    /// `begin()`; false when the session has been begun or has ended before.
    mutating func start() -> Bool {
        guard case .created = self else { return false }
        self = .starting
        return true
    }

    /// The reader is open; false when the session has ended meanwhile.
    mutating func activate() -> Bool {
        guard case .starting = self else { return false }
        self = .polling
        return true
    }

    /// Tags have been found; false when the session has ended meanwhile.
    mutating func detect(_ detection: Detection) -> Bool {
        guard case .polling = self else { return false }
        self = .detected(detection)
        return true
    }

    /// `restartPolling()`; false when no tags have been reported.
    mutating func restart() -> Bool {
        guard case .detected = self else { return false }
        self = .polling
        return true
    }

    /// The session is over, for whatever reason.
    mutating func end(with error: NFCReaderError) -> Ending {
        switch self {
        case .created:
            self = .ended
            return .silent
        case .starting:
            self = .ending(error)
            return .tellSoon
        case .polling, .detected:
            self = .ending(error)
            return .tellWhenClosed
        case .ending, .ended:
            return .nothing
        }
    }

    /// The reader is closed, or has had its time.
    ///
    /// - Returns: what the delegate has still to be told.
    mutating func close() -> NFCReaderError? {
        guard case .ending(let error) = self else { return nil }
        self = .ended
        return error
    }
}

/// The tags that one look has found, and how the reader stands with them.
struct Detection: Sendable {
    /// The tags as they were reported.
    let tags: [ReaderTag]
    /// The tag the reader has selected, if any.
    var selected: Selected?
    /// The tag the client has connected.
    var connected: ReaderTag?
    /// Whether the connected tag has stopped answering.
    var isLost = false

    /// What a selected tag listens to (ISO 14443-3 type A; facts/pn532.md, 3.2).
    enum Wakefulness: Sendable {
        /// The chip has put the tag to sleep while it looked for a second one. It wakes it for an exchange in the tag's
        /// protocol, but not for a raw frame.
        case asleep
        /// The chip has woken the tag. A poll would send it back to sleep and not find it.
        case woken
        /// The tag has not slept since it came into the field. A poll finds it.
        case awake
    }

    /// A tag that the reader has selected.
    struct Selected: Sendable {
        let tag: ReaderTag
        /// The tag as the chip counts it now.
        var target: Target
        /// What the tag listens to.
        var wakefulness: Wakefulness
        /// When the tag answered last, on the session's clock.
        var lastAnswer: Duration

        /// Whether the tag can be asked for a sign of life that leaves it as it is.
        var canBeAsked: Bool { target.isISODEP ? wakefulness != .asleep : wakefulness == .awake }
    }

    /// Whether `tag` is one of the reported ones.
    func contains(_ tag: ReaderTag) -> Bool { tags.contains { $0 === tag } }
}
