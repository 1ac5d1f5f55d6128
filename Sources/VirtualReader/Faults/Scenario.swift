/// What happens at a virtual reader, written down: which tags come and go, what goes wrong, and when.
///
/// A text with one thing a line (docs/simulation.md has all words):
///
/// ```
/// # A card is held to the reader for a second, on a wire that loses one frame in twenty.
/// seed 7
/// at 1s do place ntag213
/// at 2s do remove ntag213
/// at frame-to-host 5% do spoil
/// ```
///
/// The same scenario and the same host commands give the same run, as long as steps wait for commands and not for
/// times.
public struct Scenario: Sendable, Equatable {
    /// One line: something that happens, and when.
    public struct Step: Sendable, Equatable {
        /// The number of its line, from 1 on.
        public let line: Int
        /// What happens, in the words of the line.
        public let text: String
        let moment: Moment
        let action: Action

        /// The tags it names, as `TagCatalog` and `VirtualReader.play(_:tags:report:)` take them.
        public var tagNames: [String] {
            switch action {
            case .effect: []
            case .place(let name), .remove(let name): [name]
            case .swap(let old, let new): [old, new]
            }
        }
    }

    /// When a step happens.
    struct Moment: Equatable {
        var occasion: Fault.Occasion
        var command: UInt8?
        var phase: Fault.Phase?
    }

    /// What a step does.
    enum Action: Equatable {
        case effect(Fault.Effect)
        case place(String)
        case remove(String)
        case swap(String, String)
    }

    /// The steps, in the order of the lines.
    public let steps: [Step]
    /// Where the random choices start.
    public let seed: UInt64

    /// Reads a scenario.
    ///
    /// - Throws: the first line that cannot be understood, and why.
    public init(_ text: String) throws(ScenarioError) {
        var steps: [Step] = []
        var seed: UInt64 = 1
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            switch try ScenarioLine(String(line), number: index + 1).parse() {
            case .step(let step): steps.append(step)
            case .seed(let number): seed = number
            case nil: break
            }
        }
        self.steps = steps
        self.seed = seed
    }

    /// The scenario as a virtual reader carries it out.
    func program(
        tags: [String: any VirtualTag],
        report: (@Sendable (Step) -> Void)?
    ) throws(ScenarioError) -> FaultProgram {
        var rules: [FaultRule] = []
        for step in steps { rules.append(try step.rule(tags)) }
        let steps = steps
        return FaultProgram(rules: rules, seed: seed) { report?(steps[$0]) }
    }
}

extension Scenario.Step {
    fileprivate func rule(_ tags: [String: any VirtualTag]) throws(ScenarioError) -> FaultRule {
        func tag(_ name: String) throws(ScenarioError) -> any VirtualTag {
            guard let tag = tags[name] else { throw .missingTag(line: line, name) }
            return tag
        }
        let action: FaultRule.Action =
            switch self.action {
            case .effect(let effect): .effect(effect)
            case .place(let name): .place(try tag(name))
            case .remove(let name): .remove(try tag(name))
            case .swap(let old, let new): .swap(try tag(old), for: try tag(new))
            }
        return FaultRule(
            action: action,
            occasion: moment.occasion,
            command: moment.command,
            phase: moment.phase
        )
    }
}
