#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One thing that goes wrong in a virtual reader, and when.
public struct Fault: Sendable, Equatable {
    /// What goes wrong.
    ///
    /// Each kind counts its own occasions: commands, exchanges with a tag, or frames.
    public enum Effect: Sendable, Equatable {
        // Counted in commands from the host.

        /// The chip does not notice the command: no ACK, no answer, nothing done.
        case swallow
        /// The chip acknowledges the command, carries it out and never answers.
        case acknowledgeOnly
        /// The ACK comes this much later, and the answer after it: a slow chip, or an adapter that holds bytes back.
        case lateAcknowledge(Duration)
        /// The answer comes this much later, whatever the timing.
        case delay(Duration)
        /// The answer's checksum (DCS) is wrong.
        case wrongChecksum
        /// Only this many bytes of the answer frame arrive.
        case truncate(Int)
        /// The answer bears another command's answer code, as if it belonged to that one.
        case answerCode(UInt8)
        /// The host gets the answer to the command before once more, instead of its own.
        case previousAnswer
        /// The chip acknowledges the command and answers with the error frame instead of carrying it out.
        case errorFrame
        /// InListPassiveTarget reports an ISO-DEP tag whose ATS has length byte 0 (makes libnfc 1.8.0 crash).
        case zeroATSLength

        // Counted in commands too; the command that meets them is lost. At a time they need no command.

        /// The port goes away, as if the reader were unplugged. `VirtualReader.reconnect()` brings it back.
        case hangUp
        /// The port goes away and comes back after a while, at another device node: the same link leads to it, or
        /// one at another path.
        case replug(after: Duration, at: String? = nil)
        /// Nothing gets through in either direction, for this long or for good: a loose wire. The chip keeps its
        /// state.
        case silence(Duration? = nil)
        /// The chip sleeps as after PowerDown, with the field off, until a host wakes it (facts/pn532.md, 1.2).
        case sleep
        /// The supply fails for a moment: the chip starts from cold, asleep and not configured, and tags lose their
        /// power.
        case brownOut
        /// The chip's port works at this rate from now on, as a host that was killed may leave it. A host that is set
        /// to another rate reaches nothing. Rates that SetSerialBaudRate does not know change nothing.
        case baudRate(Int)

        // Counted in exchanges with a tag: InDataExchange and InCommunicateThru commands.

        /// The tag answers, but the chip reports this status byte and no data. Any value: bit 7 too, which makes
        /// libnfc 1.8.0 abort the process.
        case status(UInt8)
        /// The chip's answer ends before the status byte.
        case noStatus
        /// The tag has left the field before the exchange, for good.
        case tagLost
        /// The tag's answer reaches the host with one bit of one byte changed and all checksums right.
        case garbledResponse
        /// The host gets these bytes instead of the tag's answer.
        case response(Data)

        // Counted in frames.

        /// One bit of a frame from the host is changed on the wire, so that the chip ignores it.
        case spoiledFrameToChip
        /// One bit of a frame to the host, ACK included, is changed on the wire.
        case spoiledFrameToHost
        /// A frame on air is lost: by turns the chip's, so that the tag stays silent, and the tag's, so that the
        /// chip sees a CRC error. The chip repeats what its protocol repeats.
        case spoiledRadioFrame
    }

    /// When a fault strikes.
    ///
    /// Counting starts at 1 when the faults are set, and time with the first byte that a host sends after that. Both
    /// go on when the reader is unplugged and returns.
    public enum Occasion: Sendable, Equatable {
        /// Each time.
        case always
        /// Only the n-th time.
        case nth(Int)
        /// The n-th time and ever after.
        case from(Int)
        /// Every n-th time.
        case every(Int)
        /// A share of the times, 0 to 1, chosen by the seeded generator of `Faults`.
        case fraction(Double)
        /// Once, as soon as the faults are set, or the first time that anything can be struck.
        case immediately
        /// Once, after this time, or the first time that anything can be struck from then on.
        case time(Duration)
    }

    /// What the host is doing when it sends a command, as far as the chip can tell.
    public enum Phase: String, Sendable, CaseIterable {
        /// From the wake-up or SAMConfiguration to the first search or exchange.
        case opening
        /// The chip knows no target, and the command is no search: the field is switched, for example.
        case idle
        /// A search while the chip knows no target.
        case detecting
        /// The chip knows a target, and the command is no exchange: a search that asks whether it is still there.
        case connected
        /// InDataExchange or InCommunicateThru.
        case exchanging
        /// From InRelease or PowerDown on.
        case closing
    }

    /// What goes wrong.
    public var effect: Effect
    /// When it does.
    public var occasion: Occasion
    /// The only command code that counts, or nil for all.
    ///
    /// Frames on air or with wrong bytes have no command.
    public var command: UInt8?
    /// The only phase that counts, or nil for all.
    public var phase: Phase?

    /// A fault that strikes on an occasion.
    public init(
        _ effect: Effect,
        _ occasion: Occasion = .always,
        command: UInt8? = nil,
        phase: Phase? = nil
    ) {
        self.effect = effect
        self.occasion = occasion
        self.command = command
        self.phase = phase
    }
}
