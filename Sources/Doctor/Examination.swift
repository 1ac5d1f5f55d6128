package import NFCReader

/// A machine, and what several checks need to know about it, read once.
package struct Examination: Sendable {
    let machine: Machine
    /// The user who runs the program; nil for a machine that is not running.
    let user: User?
    /// The readers and ports there are, with who may and who does use them.
    let candidates: [ReaderCandidate]
    /// The readers and serial adapters on USB, with those that libnfc does not know.
    let usbDevices: [USBDevice]
    let processes: [RunningProcess]
    /// "Raspberry Pi 4 Model B Rev 1.4"; nil on other machines.
    let raspberryPi: String?
    let configuration: LibNFCConfiguration

    /// Looks at a machine; nothing is opened or changed.
    package init(_ machine: Machine) {
        self.machine = machine
        user = machine.user
        candidates = machine.withUsers(machine.readerCandidates)
        usbDevices = machine.knownUSBDevices
        processes = machine.processes
        raspberryPi = machine.raspberryPiModel
        configuration = LibNFCConfiguration(machine)
    }

    /// Whether there is something to look at: a reader, an adapter, a port that may have one, or a configured one.
    package var hasAnything: Bool {
        !candidates.isEmpty || !usbDevices.isEmpty || !configuration.devices.isEmpty
    }

    /// The readers that are no serial port.
    var usbReaders: [ReaderCandidate] { candidates.filter { $0.source == .usb } }

    /// The serial ports on adapters that boards are sold with.
    var adapterPorts: [ReaderCandidate] {
        candidates.filter { $0.source == .serial && $0.mayBeAsked }
    }

    /// The first process of this name.
    func process(named name: String) -> RunningProcess? { processes.first { $0.name == name } }

    /// Whether brltty is installed, or runs from elsewhere.
    var hasBrltty: Bool {
        ["/usr/bin/brltty", "/bin/brltty"].contains { machine.exists($0) }
            || process(named: "brltty") != nil
    }

    /// Whether the udev rules of this package are installed.
    var hasRules: Bool {
        !machine.files(in: UdevFolders.rules, ending: "60-nfc-session.rules").isEmpty
    }
}

/// Where udev looks for rules, the first hiding the later ones (udev(7)).
enum UdevFolders {
    static let rules = [
        "/etc/udev/rules.d", "/run/udev/rules.d", "/usr/local/lib/udev/rules.d",
        "/usr/lib/udev/rules.d", "/lib/udev/rules.d",
    ]
}
