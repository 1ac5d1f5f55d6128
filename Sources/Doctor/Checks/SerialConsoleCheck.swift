import NFCReader

/// Whether the kernel prints its messages on the port that the board is wired to.
struct SerialConsoleCheck: Check {
    let name = "serial-console"

    func findings(in examination: Examination) -> [Finding] {
        guard let uart = RaspberryPiUART(examination), let name = uart.name else { return [] }
        let words = examination.machine.text(of: "/proc/cmdline")?.split(separator: " ") ?? []
        let console = words.first { word in
            word.hasPrefix("console=\(name),") || word == "console=\(name)"
                || word.hasPrefix("console=serial0")
        }
        guard let console else {
            return [finding(.ok, "/dev/serial0", "no console is on the port")]
        }
        return [
            finding(
                uart.severity,
                "/dev/serial0",
                "the kernel's console is on the port (\(console))",
                .mend(
                    "sed",
                    "-i",
                    "-E",
                    "s/console=(serial0|\(name))(,[0-9]+)? ?//g",
                    uart.commandLine,
                    then: "restart with 'sudo reboot'"
                )
            )
        ]
    }
}
