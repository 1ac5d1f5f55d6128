import NFCReader

/// Which readers there are, and ports that may have one.
struct ReaderCheck: Check {
    let name = "reader"

    func findings(in examination: Examination) -> [Finding] {
        let known = examination.candidates.map(candidate)
        let useless = examination.usbDevices.compactMap { unusable($0, in: examination) }
        // An adapter that brltty has taken, and what is configured, have checks of their own.
        guard !examination.hasAnything else { return known + useless }
        guard !examination.machine.names(in: "/sys").isEmpty else {
            return [finding(.cannotTell, nil, "a machine at rest shows no devices")]
        }
        return [
            finding(
                .trouble,
                nil,
                "no reader on USB, no serial adapter, and no port on a header was found",
                .type("lsusb", then: "plug the reader in, try another cable, and run doctor again")
            )
        ]
    }

    private func candidate(_ candidate: ReaderCandidate) -> Finding {
        let node = candidate.node ?? ""
        let driver = candidate.driver.map { ", driver \($0)" } ?? ""
        let evidence = "\(candidate.description) at \(node)\(driver)"
        let name = candidate.connectionString
        let next: Remedy =
            candidate.source == .usb
            ? .type("nfc-session", "scan", "--reader", name)
            : .type("nfc-session", "readers", "--probe", "--reader", name)
        // Anything may be behind a serial adapter that no board is sold with.
        return candidate.source == .usb || candidate.mayBeAsked || candidate.usb == nil
            ? finding(.ok, name, evidence, next)
            : finding(
                .note,
                name,
                evidence + ", an adapter that is not usual for PN532 boards",
                next
            )
    }

    private func unusable(_ device: USBDevice, in examination: Examination) -> Finding? {
        switch device.model {
        case .unsupported(let model):
            return finding(
                .trouble,
                device.readerName,
                "\(model) (\(device.identifier)) is no PN53x reader, and libnfc 1.8.0 has no driver for it",
                .type("nfc-session", "readers", then: "use a reader that the manual lists")
            )
        case .adapter(let model, let module)
        where !examination.hasBrltty && !examination.adapterPorts.contains { $0.usb == device }:
            return finding(
                .trouble,
                device.readerName,
                "the \(model) (\(device.identifier)) has no serial port: no driver has taken it",
                .mend("modprobe", module, then: "unplug the adapter and plug it in again")
            )
        case .adapter, .reader, nil: return nil
        }
    }
}
