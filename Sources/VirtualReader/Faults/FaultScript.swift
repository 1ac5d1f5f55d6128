/// Something that happens in a virtual reader, and when: a fault, or a change of the field.
struct FaultRule: Sendable {
    enum Action: Sendable {
        case effect(Fault.Effect)
        case place(any VirtualTag)
        case remove(any VirtualTag)
        case swap(any VirtualTag, for: any VirtualTag)
    }

    let action: Action
    var occasion: Fault.Occasion
    var command: UInt8?
    var phase: Fault.Phase?
}

/// What happens in a virtual reader: the rules, and the random choices among them.
struct FaultProgram: Sendable {
    private(set) var rules: [FaultRule]
    let seed: UInt64
    /// Told the number of each rule that strikes.
    var report: (@Sendable (Int) -> Void)?

    init(_ faults: Faults) {
        rules = faults.list.map { fault in
            FaultRule(
                action: .effect(fault.effect),
                occasion: fault.occasion,
                command: fault.command,
                phase: fault.phase
            )
        }
        seed = faults.seed
    }

    init(rules: [FaultRule], seed: UInt64, report: (@Sendable (Int) -> Void)?) {
        self.rules = rules
        self.seed = seed
        self.report = report
    }

    /// Changes the field as far as that is to happen at once, so that it has when this returns.
    mutating func begin(on tray: TagTray) {
        for (index, rule) in rules.enumerated() where rule.occasion == .immediately {
            guard tray.perform(rule.action) else { continue }
            report?(index)
            // Counting starts at 1: never again.
            rules[index].occasion = .nth(0)
        }
    }
}

extension TagTray {
    /// Moves tags; false when the action is none that does.
    func perform(_ action: FaultRule.Action) -> Bool {
        switch action {
        case .place(let tag): place(tag)
        case .remove(let tag): remove(tag)
        case .swap(let old, let new): swap(old, for: new)
        case .effect: return false
        }
        return true
    }
}

/// Decides which rules strike, by counting occasions and looking at the clock.
final class FaultScript {
    /// What is counted.
    enum Event { case command, exchange, frameToChip, frameToHost, radioFrame }

    /// What the host was doing when it sent the last command.
    var phase = Fault.Phase.opening
    /// The time, kept by the serial link.
    var now: ContinuousClock.Instant

    private let program: FaultProgram
    private var counts: [Int]
    /// Rules that strike once, and have.
    private var isSpent: [Bool]
    private var start: ContinuousClock.Instant?
    private var generator: SplitMix64

    init(_ program: FaultProgram, now: ContinuousClock.Instant = .now) {
        self.program = program
        self.now = now
        counts = program.rules.map { _ in 0 }
        isSpent = program.rules.map { _ in false }
        generator = SplitMix64(state: program.seed)
    }

    /// A host has sent bytes: time starts with the first ones.
    func hostHasWritten() {
        if start == nil { start = now }
    }

    /// Counts one event and returns what strikes it.
    func actions(of event: Event, command: UInt8? = nil) -> [FaultRule.Action] {
        var actions: [FaultRule.Action] = []
        for (index, rule) in program.rules.enumerated() where rule.action.event == event {
            if let wanted = rule.command, wanted != command { continue }
            if let wanted = rule.phase, wanted != phase { continue }
            counts[index] += 1
            guard strikes(rule.occasion, index) else { continue }
            program.report?(index)
            actions.append(rule.action)
        }
        return actions
    }

    /// Counts one event and returns the effects that strike it.
    func effects(of event: Event, command: UInt8? = nil) -> [Fault.Effect] {
        actions(of: event, command: command).compactMap(\.effect)
    }

    /// What need not wait for an event and whose time has come.
    func dueActions() -> [FaultRule.Action] {
        var actions: [FaultRule.Action] = []
        for (index, rule) in program.rules.enumerated()
        where rule.action.needsNoEvent && isDue(rule.occasion, index) {
            isSpent[index] = true
            program.report?(index)
            actions.append(rule.action)
        }
        return actions
    }

    /// When `dueActions()` has something next.
    var nextDue: ContinuousClock.Instant? {
        program.rules.enumerated().compactMap { index, rule in
            rule.action.needsNoEvent && !isSpent[index] ? dueTime(of: rule.occasion) : nil
        }
        .min()
    }

    /// A random number below `bound`, from the same seed as everything else.
    func number(below bound: Int) -> Int {
        bound > 0 ? Int.random(in: 0..<bound, using: &generator) : 0
    }

    private func strikes(_ occasion: Fault.Occasion, _ index: Int) -> Bool {
        let count = counts[index]
        switch occasion {
        case .always: return true
        case .nth(let n): return count == n
        case .from(let n): return count >= n
        case .every(let n): return n > 0 && count % n == 0
        case .fraction(let share): return Double.random(in: 0..<1, using: &generator) < share
        case .immediately, .time:
            guard isDue(occasion, index) else { return false }
            isSpent[index] = true
            return true
        }
    }

    private func isDue(_ occasion: Fault.Occasion, _ index: Int) -> Bool {
        guard !isSpent[index], let due = dueTime(of: occasion) else { return false }
        return due <= now
    }

    private func dueTime(of occasion: Fault.Occasion) -> ContinuousClock.Instant? {
        switch occasion {
        case .immediately: now
        case .time(let duration): start.map { $0 + duration }
        default: nil
        }
    }
}

extension FaultRule.Action {
    /// The fault, where it is one.
    var effect: Fault.Effect? {
        if case .effect(let effect) = self { effect } else { nil }
    }

    /// What this action's occasions are counted in.
    fileprivate var event: FaultScript.Event { effect?.event ?? .command }

    /// Whether it happens to the reader as a whole, so that its time is enough.
    fileprivate var needsNoEvent: Bool { effect?.strikesReader ?? true }
}

extension Fault.Effect {
    /// What this effect's occasions are counted in.
    var event: FaultScript.Event {
        switch self {
        case .swallow, .acknowledgeOnly, .lateAcknowledge, .delay, .wrongChecksum, .truncate,
            .answerCode, .previousAnswer, .errorFrame, .zeroATSLength, .hangUp, .replug, .silence,
            .sleep, .brownOut, .baudRate:
            .command
        case .status, .noStatus, .tagLost, .garbledResponse, .response: .exchange
        case .spoiledFrameToChip: .frameToChip
        case .spoiledFrameToHost: .frameToHost
        case .spoiledRadioFrame: .radioFrame
        }
    }

    /// Whether it happens to the reader as a whole and not to one command, exchange or frame.
    var strikesReader: Bool {
        switch self {
        case .hangUp, .replug, .silence, .sleep, .brownOut, .baudRate: true
        default: false
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
