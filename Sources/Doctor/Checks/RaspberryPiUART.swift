import NFCReader

/// The serial port on the header of a Raspberry Pi, GPIO 14 and 15.
struct RaspberryPiUART {
    /// The node that `/dev/serial0` leads to: `ttyS0`, `ttyAMA0`; nil when the port is switched off.
    let name: String?
    /// How bad trouble with it is: a machine with another reader may not need it.
    let severity: Finding.Verdict
    /// The firmware's settings: `/boot/firmware/config.txt`, before Debian 12 `/boot/config.txt`.
    let configuration: String
    /// The kernel's command line, beside them.
    let commandLine: String
    /// Whether this is a Raspberry Pi 5, whose ports are numbered otherwise.
    let isModel5: Bool

    /// nil on other machines.
    init?(_ examination: Examination) {
        guard let model = examination.raspberryPi else { return nil }
        let machine = examination.machine
        let node = machine.realPath(of: "/dev/serial0")
        name = node?.split(separator: "/").last.map(String.init)
        isModel5 = model.hasPrefix("Raspberry Pi 5")
        let isConfigured = examination.configuration.devices.contains { device in
            [node, "/dev/serial0"].contains { device.value.contains($0 ?? "/dev/serial0") }
        }
        let hasOther =
            !examination.usbReaders.isEmpty || !examination.adapterPorts.isEmpty
            || !examination.configuration.devices.isEmpty
        severity = isConfigured || !hasOther ? .trouble : .note
        let folder = machine.exists("/boot/firmware/config.txt") ? "/boot/firmware" : "/boot"
        configuration = folder + "/config.txt"
        commandLine = folder + "/cmdline.txt"
    }
}
