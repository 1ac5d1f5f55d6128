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
        /// The answer comes this much later, whatever the timing.
        case delay(Duration)
        /// The answer's checksum (DCS) is wrong.
        case wrongChecksum
        /// Only this many bytes of the answer frame arrive.
        case truncate(Int)
        /// The answer bears another command's answer code, as if it belonged to that one.
        case answerCode(UInt8)
        /// The chip acknowledges the command and answers with the error frame instead of carrying it out.
        case errorFrame
        /// InListPassiveTarget reports an ISO-DEP tag whose ATS has length byte 0 (makes libnfc 1.8.0 crash).
        case zeroATSLength
        /// The port goes away, as if the reader were unplugged. `VirtualReader.reconnect()` brings it back.
        case hangUp

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
    /// Counting starts at 1 when the faults are set.
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
    }

    /// What goes wrong.
    public var effect: Effect
    /// When it does.
    public var occasion: Occasion
    /// The only command code that counts, or nil for all.
    ///
    /// Frames on air or with wrong bytes have no command.
    public var command: UInt8?

    /// A fault that strikes on an occasion.
    public init(_ effect: Effect, _ occasion: Occasion = .always, command: UInt8? = nil) {
        self.effect = effect
        self.occasion = occasion
        self.command = command
    }
}

/// All that goes wrong in a virtual reader.
///
/// The same faults and seed give the same run.
public struct Faults: Sendable, Equatable {
    /// The faults, applied in this order.
    public var list: [Fault]
    /// Where the random choices start.
    public var seed: UInt64

    /// These faults.
    public init(_ list: Fault..., seed: UInt64 = 1) {
        self.list = list
        self.seed = seed
    }

    /// Nothing goes wrong.
    public static let none = Faults()
    /// The chip has no power: total silence.
    public static let silence = Faults(Fault(.swallow))
    /// A half-open chip: Diagnose works, GetFirmwareVersion gets no answer.
    ///
    /// libnfc 1.8.0 opens it all the same and aborts the process at the next select
    /// (facts/libnfc.md, 2).
    public static let halfOpen = Faults(Fault(.acknowledgeOnly, command: 0x02))
    /// Like `halfOpen`, but GetFirmwareVersion is answered by the error frame.
    public static let halfOpenWithError = Faults(Fault(.errorFrame, command: 0x02))

    /// A share of all frames is spoiled, on the wire in both ways and on air.
    public static func noise(wire: Double = 0, radio: Double = 0, seed: UInt64 = 1) -> Faults {
        Faults(
            Fault(.spoiledFrameToChip, .fraction(wire)),
            Fault(.spoiledFrameToHost, .fraction(wire)),
            Fault(.spoiledRadioFrame, .fraction(radio)),
            seed: seed
        )
    }
}
