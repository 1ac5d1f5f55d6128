#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Carries out personalisation plans.
///
///     let plan = try PersonalisationPlan(content)
///     for step in plan.steps { print(step) }
///     try await PersonalisationManager(commandSet: commandSet).execute(plan) { print($0) }
///
/// When the tag is lost on the way, do the same with the tag found again: what is done is found
/// done, and the rest follows.
public struct PersonalisationManager: Sendable {
    /// Tells whether a signature over a challenge was made with the plan's private key.
    ///
    /// With it the key is found stored; without it the key is stored once more.
    public typealias KeyProof = @Sendable (_ challenge: Data, _ signature: Data) -> Bool

    /// How far a step is.
    public enum StepState: Sendable, Hashable {
        /// The tag is as the step leaves it.
        case done
        /// The step is still to be done.
        case toDo
        /// Nothing on the tag tells; the step can be repeated.
        case unknown
    }

    /// A step that was carried out.
    public struct Progress: Sendable, Hashable {
        /// The step's place in the plan, from 0 on.
        public let index: Int
        /// The step.
        public let step: PersonalisationStep
        /// Whether something was written; false if the step was found done.
        public let wasPerformed: Bool
    }

    let commandSet: NbtCommandSet
    let keyProof: KeyProof?

    /// Uses the tag of a command set.
    ///
    /// - Parameters:
    ///   - commandSet: the commands to the tag.
    ///   - keyProof: tells whether the tag signs with the plan's private key.
    public init(commandSet: NbtCommandSet, keyProof: KeyProof? = nil) {
        self.commandSet = commandSet
        self.keyProof = keyProof
    }

    /// Looks how far a plan is, without writing.
    ///
    /// The plan's passwords are presented where policies name them.
    ///
    /// - Returns: the state of each step.
    /// - Throws: `NbtError.wrongState` if the plan does not start from the tag's state; errors of
    ///   the commands and of the channel.
    public func inspect(_ plan: PersonalisationPlan) async throws -> [StepState] {
        let run = try await PersonalisationRun(plan, self)
        var states: [StepState] = []
        for step in plan.steps { states.append(try await run.state(of: step)) }
        return states
    }

    /// Carries out what is not done of a plan.
    ///
    /// - Parameters:
    ///   - plan: the plan.
    ///   - irrevocably: must be true for a plan with `consequences`.
    ///   - progress: called after each step.
    /// - Throws: `NbtError.needsConsent` or `wrongState` before anything is written; errors of the
    ///   commands and of the channel, after which the plan can be carried out again.
    public func execute(
        _ plan: PersonalisationPlan,
        irrevocably: Bool = false,
        progress: @Sendable (Progress) -> Void = { _ in }
    ) async throws {
        if !irrevocably, !plan.consequences.isEmpty {
            throw NbtError.needsConsent(
                .personalizeData,
                plan.consequences.joined(separator: "; ")
            )
        }
        var run = try await PersonalisationRun(plan, self)
        for (index, step) in plan.steps.enumerated() {
            let state = try await run.state(of: step)
            let isPerformed = state == .done ? false : try await run.perform(step, after: state)
            progress(Progress(index: index, step: step, wasPerformed: isPerformed))
        }
    }
}
