import NFCReader

/// ModemManager writes modem commands to new serial ports, unless udev marks them.
struct ModemManagerCheck: Check {
    let name = "modem-manager"

    func findings(in examination: Examination) -> [Finding] {
        guard let daemon = examination.process(named: "ModemManager") else { return [] }
        return examination.adapterPorts.map { port in
            guard !isMarked(port, on: examination.machine) else {
                return finding(
                    .ok,
                    port.connectionString,
                    "\(daemon) runs, but udev marks the port as none of its business"
                )
            }
            return finding(
                .trouble,
                port.connectionString,
                "\(daemon) runs, and nothing keeps it from writing to \(port.node ?? "")",
                examination.hasRules
                    ? .mend("udevadm", "trigger", "--action=add", "--subsystem-match=tty")
                    : .mend("systemctl", "disable", "--now", "ModemManager.service")
            )
        }
    }

    /// Whether udev's record of the port has `ID_MM_DEVICE_IGNORE`.
    private func isMarked(_ port: ReaderCandidate, on machine: Machine) -> Bool {
        guard let name = port.node?.split(separator: "/").last,
            let numbers = machine.text(of: "/sys/class/tty/\(name)/dev")
        else { return false }
        return machine.lines(of: "/run/udev/data/c\(numbers)").contains("E:ID_MM_DEVICE_IGNORE=1")
    }
}
