/// Decides which faults strike, by counting occasions.
final class FaultScript {
    /// What is counted.
    enum Event { case command, exchange, frameToChip, frameToHost, radioFrame }

    private let faults: Faults
    private var counts: [Int]
    private var generator: SplitMix64

    init(_ faults: Faults) {
        self.faults = faults
        counts = faults.list.map { _ in 0 }
        generator = SplitMix64(state: faults.seed)
    }

    /// Counts one event and returns the effects that strike it.
    func effects(of event: Event, command: UInt8? = nil) -> [Fault.Effect] {
        var effects: [Fault.Effect] = []
        for (index, fault) in faults.list.enumerated() where fault.effect.event == event {
            if let wanted = fault.command, wanted != command { continue }
            counts[index] += 1
            if strikes(fault.occasion, count: counts[index]) { effects.append(fault.effect) }
        }
        return effects
    }

    /// A random number below `bound`, from the same seed as everything else.
    func number(below bound: Int) -> Int {
        bound > 0 ? Int.random(in: 0..<bound, using: &generator) : 0
    }

    private func strikes(_ occasion: Fault.Occasion, count: Int) -> Bool {
        switch occasion {
        case .always: true
        case .nth(let n): count == n
        case .from(let n): count >= n
        case .every(let n): n > 0 && count % n == 0
        case .fraction(let share): Double.random(in: 0..<1, using: &generator) < share
        }
    }
}

extension Fault.Effect {
    /// What this effect's occasions are counted in.
    fileprivate var event: FaultScript.Event {
        switch self {
        case .swallow, .acknowledgeOnly, .delay, .wrongChecksum, .truncate, .answerCode,
            .errorFrame,
            .zeroATSLength, .hangUp:
            .command
        case .status, .noStatus, .tagLost, .garbledResponse, .response: .exchange
        case .spoiledFrameToChip: .frameToChip
        case .spoiledFrameToHost: .frameToHost
        case .spoiledRadioFrame: .radioFrame
        }
    }
}

/// A small generator with a seed (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", 2014), so that a run with faults can be repeated.
///
/// Not for secrets.
private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
