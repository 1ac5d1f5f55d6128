import NFCReader

/// pcscd claims the ACR122U, and its socket starts it anew whenever a program asks for smart cards.
struct SmartCardDaemonCheck: Check {
    let name = "pcscd"

    func findings(in examination: Examination) -> [Finding] {
        let readers = examination.usbReaders.filter {
            if case .reader(_, "acr122_usb")? = $0.usb?.model { true } else { false }
        }
        guard let reader = readers.first else { return [] }
        let machine = examination.machine
        let stop = Remedy.mend("systemctl", "disable", "--now", "pcscd.socket", "pcscd.service")
        if let daemon = examination.process(named: "pcscd") {
            return [
                finding(
                    .trouble,
                    reader.connectionString,
                    "\(daemon) runs, and claims every \(reader.description)",
                    stop
                )
            ]
        }
        let socket = "/etc/systemd/system/sockets.target.wants/pcscd.socket"
        // A socket that is masked says so with a link to /dev/null.
        let isMasked = machine.target(of: "/etc/systemd/system/pcscd.socket") == "/dev/null"
        let isEnabled = machine.target(of: socket) != nil || machine.exists("/run/pcscd/pcscd.comm")
        guard isEnabled, !isMasked else {
            return [finding(.ok, reader.connectionString, "pcscd does not run")]
        }
        return [
            finding(
                .trouble,
                reader.connectionString,
                "pcscd.socket starts pcscd, which claims the reader, as soon as a program asks for "
                    + "smart cards",
                stop
            )
        ]
    }
}
