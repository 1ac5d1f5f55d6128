import NFCReader

/// The kernel's own NFC drivers claim PN533 sticks and the ACR122U before libnfc can.
struct KernelDriverCheck: Check {
    let name = "kernel-drivers"

    private static let modules = ["pn533_usb", "pn533", "nfc"]
    private static let folders = [
        "/etc/modprobe.d", "/run/modprobe.d", "/usr/local/lib/modprobe.d", "/usr/lib/modprobe.d",
        "/lib/modprobe.d",
    ]

    func findings(in examination: Examination) -> [Finding] {
        let readers = examination.usbReaders
        guard !readers.isEmpty else { return [] }
        let machine = examination.machine
        let loaded = machine.lines(of: "/proc/modules").compactMap {
            $0.split(separator: " ").first
        }
        .map(String.init).filter(Self.modules.contains)
        let held = readers.filter { $0.driver?.hasPrefix("pn533") == true }
        var findings: [Finding] = []
        if let reader = held.first {
            findings.append(
                finding(
                    .trouble,
                    reader.connectionString,
                    "the kernel's driver \(reader.driver ?? "") has claimed the reader",
                    unload
                )
            )
        } else if !loaded.isEmpty {
            findings.append(
                finding(
                    .trouble,
                    nil,
                    "the kernel modules \(loaded.joined(separator: ", ")) are loaded and claim the "
                        + "reader when it is plugged in",
                    unload
                )
            )
        }
        if !isBlacklisted(on: machine) {
            findings.append(
                finding(
                    findings.isEmpty ? .note : .trouble,
                    nil,
                    "the kernel module pn533_usb is not on the blacklist, so it comes with the next plug",
                    .write(
                        "blacklist pn533_usb",
                        to: "/etc/modprobe.d/nfc-session.conf"
                    )
                )
            )
        }
        return findings.isEmpty
            ? [finding(.ok, nil, "the kernel's NFC drivers are neither loaded nor allowed to")]
            : findings
    }

    private let unload = Remedy.mend(
        "modprobe",
        "-r",
        "pn533_usb",
        "pn533",
        "nfc",
        then: "unplug the reader and plug it in again"
    )

    private func isBlacklisted(on machine: Machine) -> Bool {
        machine.files(in: Self.folders, ending: ".conf").contains { file in
            machine.lines(of: file).contains {
                $0.split { $0 == " " || $0 == "\t" } == ["blacklist", "pn533_usb"]
            }
        }
    }
}
