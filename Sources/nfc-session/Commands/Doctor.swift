import Doctor
import NFCReader

extension Command {
    /// Finds what keeps a reader from working.
    static let doctor = Command(
        "doctor",
        summary: "Find what keeps a reader from working, and the command that mends it",
        discussion: """
            One line a finding: its verdict, the check, what it is about, and what was seen;
            below it the command that mends it, or that comes next. Verdicts are 'ok',
            'note' (works, but worth knowing), 'trouble', and 'cannotTell', mostly for want
            of permission. Nothing is written to any port. --quiet shows trouble only.

            --fix shows the commands that doctor would run, and with --yes it runs them,
            with sudo where you are not root. What would end another program or needs a
            person's decision is left to you.

            --root looks at the files of another machine: a memory card that is mounted
            here, or a copy. A machine at rest has no processes and no user, so some checks
            cannot tell.

            Exit status: 0 when nothing is wrong, 1 when there is trouble (or some was not
            mended), 3 when there is no reader and no port that may have one.
            """,
        options: [.fix, .yes, .root],
        run: { arguments, output in try await examine(arguments, output) }
    )
}

extension Option {
    static let fix = Option("fix", help: "Show the commands that mend what was found")
    static let yes = Option("yes", help: "With --fix: run them")
    static let root = Option(
        "root",
        value: "FOLDER",
        help: "Look at the machine whose files are in this folder"
    )
}

private func examine(_ arguments: Arguments, _ output: Output) async throws -> Exit {
    for option in [Option.reader, .virtual, .timeout] where arguments.has(option) {
        throw UsageError.unexpectedOption(option)
    }
    if arguments.has(.yes), !arguments.has(.fix) { throw UsageError.missingOption(.fix) }
    let machine = try machine(arguments)
    // What is wrong there must not be mended here.
    if arguments.has(.yes), !machine.isThisOne { throw UsageError.conflict(.yes, .root) }
    let examination = Examination(machine)
    let findings = examination.findings
    guard arguments.has(.fix) else {
        for finding in findings where output.detail > .quiet || finding.verdict == .trouble {
            let line = FindingLine(finding)
            try output.result(line.json, text: line.text(output))
        }
        return status(of: findings, examination)
    }
    return try await fix(findings, examination, isRunning: arguments.has(.yes), output)
}

private func machine(_ arguments: Arguments) throws -> Machine {
    guard let root = arguments.value(of: .root) else { return .this }
    let machine = Machine(root: root)
    guard !machine.names(in: "/").isEmpty else {
        throw Failure.file(path: root, reason: "there is no such folder, or it is empty")
    }
    return machine
}

private func status(of findings: [Finding], _ examination: Examination) -> Exit {
    guard findings.contains(where: { $0.verdict == .trouble }) else { return .done }
    return examination.hasAnything ? .negative : .reader
}

/// Shows the remedies of what was found, each once, or runs them.
private func fix(
    _ findings: [Finding],
    _ examination: Examination,
    isRunning: Bool,
    _ output: Output
) async throws -> Exit {
    var seen: [Remedy] = []
    var isMended = true
    for finding in findings where finding.verdict == .trouble {
        guard let remedy = finding.remedy else {
            isMended = false
            continue
        }
        if seen.contains(remedy) { continue }
        seen.append(remedy)
        var outcome = RemedyLine.Outcome.leftToYou
        if remedy.isAutomatic {
            outcome = isRunning ? await RemedyRun(remedy).outcome() : .wouldRun
        }
        isMended = isMended && outcome == .done
        let line = RemedyLine(check: finding.check, remedy: remedy, outcome: outcome)
        try output.result(line.json, text: line.text)
        try Task.checkCancellation()
    }
    if seen.isEmpty { output.notice("there is nothing to mend") }
    if isMended { return .done }
    return examination.hasAnything ? .negative : .reader
}
