import NFCReader

/// Whether a login prompt sits on the port that the board is wired to.
struct GettyCheck: Check {
    let name = "getty"

    func findings(in examination: Examination) -> [Finding] {
        guard let uart = RaspberryPiUART(examination), let name = uart.name else { return [] }
        let machine = examination.machine
        let unit = "serial-getty@\(name).service"
        let isMasked = machine.target(of: "/etc/systemd/system/\(unit)") == "/dev/null"
        let wanted = "/etc/systemd/system/getty.target.wants/\(unit)"
        let process = examination.processes.first {
            $0.name == "agetty" && machine.arguments(of: $0).contains(name)
        }
        guard process != nil || machine.target(of: wanted) != nil && !isMasked else {
            return [finding(.ok, "/dev/serial0", "no login prompt is on the port")]
        }
        return [
            finding(
                uart.severity,
                "/dev/serial0",
                process.map { "a login prompt is on the port: \($0)" }
                    ?? "a login prompt comes to the port at the next start",
                .mend("systemctl", "mask", "--now", unit)
            )
        ]
    }
}
