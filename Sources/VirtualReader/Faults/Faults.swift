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
