public import NFCReader

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A tag came into the field of a reader, rests in it, or left it (docs/presence.md).
public struct UIDReport: Sendable, Equatable {
    /// What happened.
    public enum Event: String, Sendable {
        /// The tag is in the field and was not there before.
        case detected
        /// The tag has stayed for `TagMonitor.Configuration.holdTime`; reported once in a stay, where asked for.
        case resting
        /// The tag has not answered for three rounds and `TagMonitor.Configuration.quietTime`.
        case removed
    }

    /// What happened.
    public let event: Event
    /// When it was noticed, by the system's clock.
    public let time: Date
    /// The connection string of the reader.
    public let reader: String
    /// What the tag said of itself: UID, ATQA, SAK and ATS of a type A tag.
    public let target: Target
    /// The product, as far as it can be told.
    public let type: String
    /// From the tag's first answer to its last one so far; zero when it is detected.
    public let held: Duration

    /// A report; programs make their own in tests.
    public init(
        event: Event,
        time: Date,
        reader: String,
        target: Target,
        type: String,
        held: Duration = .zero
    ) {
        self.event = event
        self.time = time
        self.reader = reader
        self.target = target
        self.type = type
        self.held = held
    }

    /// UID (4, 7 or 10 bytes), PUPI (4) or IDm (8).
    public var uid: Data { target.identifier }

    /// Whether the UID is drawn anew at every activation, so that it identifies nobody: type A, 4 bytes, first one 08
    /// (ISO 14443-3, 6.5.4).
    ///
    /// A type B card does not say whether its PUPI is random: false.
    public var isRandom: Bool {
        guard case .typeA(let tag) = target else { return false }
        return tag.hasRandomUID
    }
}
