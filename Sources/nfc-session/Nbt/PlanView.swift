import NBT

/// The steps of a plan as they are shown: what is alike and follows each other is one line.
struct PlanView {
    /// One line.
    struct Line: Equatable {
        let action: String
        let state: PersonalisationManager.StepState
    }

    let lines: [Line]

    init(_ plan: PersonalisationPlan, _ states: [PersonalisationManager.StepState]) {
        var lines: [Line] = []
        var hasDeletion = false
        for (step, state) in zip(plan.steps, states) {
            if case .deletePassword = step {
                if !hasDeletion { lines.append(Line(action: "delete all passwords", state: state)) }
                hasDeletion = true
            } else {
                lines.append(Line(action: step.action, state: state))
            }
        }
        self.lines = lines
    }
}

extension PlanView.Line {
    /// Whether the step is done, in a word that JSON has too.
    var word: String {
        switch state {
        case .done: "done"
        case .toDo: "toDo"
        case .unknown: "unknown"
        }
    }

    var text: String {
        switch state {
        case .done: "  done   \(action)"
        case .toDo: "  to do  \(action)"
        // The tag does not tell: the step is carried out, once more perhaps.
        case .unknown: "  do     \(action)"
        }
    }

    var json: JSON {
        .object(["action": .string(action), "state": .string(word)])
    }
}

extension PersonalisationStep {
    /// What the step does, short enough for a line of a terminal.
    var action: String {
        guard case .setPolicy(let policy) = self, let file = NbtFile(rawValue: policy.fileId) else {
            return description
        }
        return "policy of \(file.word): NFC read \(policy.nfcRead), write \(policy.nfcWrite); "
            + "I2C read \(policy.i2cRead), write \(policy.i2cWrite)"
    }
}
