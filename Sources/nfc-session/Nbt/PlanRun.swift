import NBT

/// Shows a plan, asks, and carries it out.
struct PlanRun {
    let plan: PersonalisationPlan
    /// What the plan does to a tag, as a phrase: "prepare it for adt".
    let deed: String
    let isDryRun: Bool
    private let consent: Consent
    private let output: Output

    /// - Throws: `Failure.needsConsent` where nobody can be asked later on.
    init(
        _ plan: PersonalisationPlan,
        deed: String,
        _ arguments: Arguments,
        _ output: Output
    ) throws(Failure) {
        self.plan = plan
        self.deed = deed
        isDryRun = arguments.has(.dryRun)
        consent = Consent(arguments)
        self.output = output
        if !isDryRun { try consent.check("this is to \(deed)" + warning) }
    }

    /// What cannot be undone, as the end of a sentence.
    private var warning: String {
        plan.consequences.isEmpty
            ? "" : "; for good: " + plan.consequences.joined(separator: "; ")
    }

    /// Carries the plan out on a tag, or shows it only.
    func run(
        on tag: NbtConnection.Tag,
        keyProof: PersonalisationManager.KeyProof? = nil
    ) async throws -> Exit {
        let manager = PersonalisationManager(commandSet: tag.commandSet, keyProof: keyProof)
        do {
            let view = PlanView(plan, try await manager.inspect(plan))
            guard !isDryRun else { return try show(view, tag) }
            output.notice(([tag.uid] + view.lines.map(\.text)).joined(separator: "\n"))
            try await consent.ask("This is to \(deed)" + warning)
            try await manager.execute(plan, irrevocably: true) { [output] progress in
                guard progress.wasPerformed else { return }
                // Nobody reading on is no reason to leave a tag half done.
                try? output.result(
                    .object(["action": .string(progress.step.action), "state": .string("done")]),
                    text: "done   \(progress.step.action)"
                )
            }
        } catch {
            if Exit(error) == .tag {
                output.notice(
                    "the tag may be half done: the same command once more goes on from there"
                )
            }
            throw error
        }
        output.notice("\(tag.uid): done")
        return .done
    }

    private func show(_ view: PlanView, _ tag: NbtConnection.Tag) throws -> Exit {
        output.notice("\(tag.uid): nothing is written")
        for line in view.lines { try output.result(line.json, text: line.text) }
        for consequence in plan.consequences { output.notice("for good: \(consequence)") }
        return .done
    }
}
