import NFCReader

/// Which other programs have a reader open.
struct HolderCheck: Check {
    let name = "in-use"

    /// Programs that have a check of their own.
    private static let others: Set<String> = ["pcscd", "ModemManager", "brltty", "agetty"]

    func findings(in examination: Examination) -> [Finding] {
        examination.candidates.filter { $0.mayBeAsked || $0.usb == nil }.flatMap { candidate in
            guard let holders = candidate.holders else {
                return [
                    finding(
                        .cannotTell,
                        candidate.connectionString,
                        "a machine at rest has no processes"
                    )
                ]
            }
            let strangers = holders.processes.filter { !Self.others.contains($0.name) }
            guard strangers.isEmpty else {
                return strangers.map { process in
                    finding(
                        .trouble,
                        candidate.connectionString,
                        "\(process) has \(candidate.node ?? "") open",
                        .type(
                            "kill",
                            "\(process.identifier)",
                            then: "or end the program as it likes"
                        )
                    )
                }
            }
            if holders.isComplete {
                return [finding(.ok, candidate.connectionString, "no other program uses it")]
            }
            return [
                finding(
                    .cannotTell,
                    candidate.connectionString,
                    "none of your programs uses it; others can be seen by root only",
                    .type("nfc-session", "doctor", asRoot: true)
                )
            ]
        }
    }
}
