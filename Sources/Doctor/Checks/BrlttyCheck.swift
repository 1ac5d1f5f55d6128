import NFCReader

/// brltty takes serial adapters for braille displays: their port vanishes a moment after it came.
struct BrlttyCheck: Check {
    let name = "brltty"

    func findings(in examination: Examination) -> [Finding] {
        let machine = examination.machine
        guard examination.hasBrltty else { return [] }
        let adapters = examination.usbDevices.filter {
            if case .adapter? = $0.model { true } else { false }
        }
        let removal = Remedy.mend(
            "apt-get",
            "remove",
            "-y",
            "brltty",
            then: "unplug the adapter and plug it in again"
        )
        return adapters.compactMap { device in
            let hasPort = examination.adapterPorts.contains { $0.usb == device }
            if !hasPort {
                return finding(
                    .trouble,
                    device.readerName,
                    "brltty is installed, and the adapter (\(device.identifier)) has no serial port: "
                        + "brltty takes it for a braille display",
                    removal
                )
            }
            guard claims(device, on: machine) else { return nil }
            return finding(
                .note,
                device.readerName,
                "brltty's rules name the adapter (\(device.identifier)); it has its port now, "
                    + "but may lose it",
                removal
            )
        }
    }

    /// Whether brltty's udev rules have a line for the device that is not a comment.
    private func claims(_ device: USBDevice, on machine: Machine) -> Bool {
        let product = device.identifier.description.split(separator: ":")
            // udev writes numbers without leading zeros.
            .map { String($0.drop { $0 == "0" }) }.joined(separator: "/")
        return machine.files(in: UdevFolders.rules, ending: "-brltty.rules").contains { file in
            machine.lines(of: file).contains {
                !$0.hasPrefix("#") && $0.lowercased().contains("\"\(product)/")
            }
        }
    }
}
