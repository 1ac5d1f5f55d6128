package import Foundation

/// A Linux machine as a folder: what `/sys`, `/proc`, `/dev` and `/etc` of one would hold.
///
/// The tree is described by the methods below and then written. Nodes are plain files; their owner is whoever runs
/// the tests, so `/etc/passwd` and `/etc/group` of the machine call that user root and give that group a name.
package struct MachineImage: Sendable {
    private var files: [String: String] = [:]
    private var links: [String: String] = [:]
    private var modes: [String: Int] = [:]
    private var processes = 1

    /// A machine with nothing in it, as a memory card looks that is mounted elsewhere.
    package init() {}

    // MARK: Files

    /// A file with this text.
    package mutating func file(_ path: String, _ text: String = "") { files[path] = text }

    /// A symbolic link.
    package mutating func link(_ path: String, to target: String) { links[path] = target }

    /// A device node that the group may use, unless another mode is given.
    package mutating func node(_ path: String, mode: Int = 0o660) {
        files[path] = ""
        modes[path] = mode
    }

    /// Takes away what an earlier call put there.
    package mutating func remove(_ path: String) {
        files[path] = nil
        links[path] = nil
    }

    // MARK: Parts of a machine

    /// A user of whom the machine knows three things.
    package enum Membership: Sendable {
        /// In the nodes' group.
        case member
        /// By /etc/group only: the session is older.
        case since
        /// Not in the group.
        case none
    }

    /// Who runs the program: `pi`, and what `pi` has to do with the group that owns all nodes.
    package mutating func user(_ membership: Membership, group: String = "dialout") {
        let (owner, owningGroup) = (geteuid(), getegid())
        // Never the owner of the nodes, who may do everything.
        let user = owner == 1000 ? 1001 : 1000
        file(
            "/etc/passwd",
            "root:x:\(owner):\(owningGroup):root:/root:/bin/sh\npi:x:\(user):99:,,,:/home/pi:/bin/sh\n"
        )
        let members = membership == .none ? "" : "pi"
        file("/etc/group", "pi:x:99:\n\(group):x:\(owningGroup):\(members)\n")
        let groups = membership == .member ? "99 \(owningGroup)" : "99"
        file(
            "/proc/self/status",
            "Name:\tnfc-session\nUid:\t\(user)\t\(user)\t\(user)\t\(user)\nGid:\t99\t99\t99\t99\nGroups:\t\(groups) \n"
        )
    }

    /// A process and the nodes it has open.
    package mutating func process(_ identifier: Int, _ words: String, open nodes: [String] = []) {
        let arguments = words.split(separator: " ")
        let name = arguments.first?.split(separator: "/").last.map(String.init) ?? ""
        file("/proc/\(identifier)/comm", String(name.prefix(15)) + "\n")
        file("/proc/\(identifier)/cmdline", arguments.joined(separator: "\0") + "\0")
        for (index, node) in (["/dev/null"] + nodes).enumerated() {
            link("/proc/\(identifier)/fd/\(index)", to: node)
        }
    }

    /// A USB device in a socket of bus 1, `1-2` or `1-1.2`, with one interface.
    package mutating func usb(
        _ id: String,
        at path: String,
        address: Int = 5,
        driver: String? = nil,
        serial: String? = nil,
        mode: Int = 0o660
    ) {
        let numbers = id.split(separator: ":").map(String.init)
        let folder = Self.usbFolder(path)
        file(folder + "/idVendor", numbers[0] + "\n")
        file(folder + "/idProduct", numbers[1] + "\n")
        file(folder + "/busnum", "1\n")
        file(folder + "/devnum", "\(address)\n")
        if let serial { file(folder + "/serial", serial + "\n") }
        let interface = "\(path):1.0"
        file("\(folder)/\(interface)/bInterfaceNumber", "00\n")
        if let driver {
            link("\(folder)/\(interface)/driver", to: "../../../../bus/usb/drivers/\(driver)")
        }
        let devices = "../../../devices/pci0000:00/usb1/\(path)"
        link("/sys/bus/usb/devices/\(path)", to: devices)
        link("/sys/bus/usb/devices/\(interface)", to: "\(devices)/\(interface)")
        let digits = String(repeating: "0", count: 3 - "\(address)".count) + "\(address)"
        node("/dev/bus/usb/001/\(digits)", mode: mode)
    }

    /// The serial port of an adapter: a `ttyUSB` below its own port, a `ttyACM` at the interface.
    package mutating func port(
        _ name: String,
        on path: String,
        driver: String = "ch341-uart",
        isMarked: Bool = true,
        latency: Int? = nil,
        mode: Int = 0o660
    ) {
        let interface = "\(Self.usbFolder(path))/\(path):1.0"
        let isUSBSerial = name.hasPrefix("ttyUSB")
        let device = isUSBSerial ? "\(interface)/\(name)" : interface
        let tty = "\(device)/tty/\(name)"
        file(tty + "/dev", "188:0\n")
        link(tty + "/device", to: "../../../" + (device.split(separator: "/").last ?? ""))
        link(device + "/driver", to: "../../bus/drivers/\(driver)")
        link("/sys/class/tty/\(name)", to: "../.." + tty.dropFirst("/sys".count))
        if isUSBSerial {
            link(
                "/sys/bus/usb-serial/devices/\(name)",
                to: "../../.." + device.dropFirst("/sys".count)
            )
        }
        if let latency { file(device + "/latency_timer", "\(latency)\n") }
        file("/run/udev/data/c188:0", isMarked ? "S:nfc/usb\nE:ID_MM_DEVICE_IGNORE=1\n" : "I:1\n")
        node("/dev/\(name)", mode: mode)
    }

    private static func usbFolder(_ path: String) -> String {
        "/sys/devices/pci0000:00/usb1/\(path)"
    }

    // MARK: Writing

    /// Writes the machine into a new folder, hands it to `body`, and removes it.
    package func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let manager = FileManager.default
        let root = manager.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try manager.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? manager.removeItem(at: root) }
        for (path, text) in files {
            let url = try place(path, in: root)
            try Data(text.utf8).write(to: url)
            if let mode = modes[path] {
                try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
            }
        }
        for (path, target) in links {
            let url = try place(path, in: root)
            try manager.createSymbolicLink(atPath: url.path, withDestinationPath: target)
        }
        return try await body(root)
    }

    private func place(_ path: String, in root: URL) throws -> URL {
        let url = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        return url
    }
}

extension MachineImage {
    /// A PC with Debian 12, libnfc and this package as Debian and `make install` set them up, and nothing plugged in.
    package static func debian(_ membership: Membership = .member, group: String = "dialout")
        -> MachineImage
    {
        var image = MachineImage()
        image.user(membership, group: group)
        image.file("/etc/os-release", "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n")
        image.file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
        image.file("/proc/modules", "ext4 1 0 - Live 0x0\n")
        image.file("/proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1 ro\n")
        image.file("/sys/class/tty/tty0/dev", "4:0\n")
        image.process(1, "/sbin/init")
        image.file(
            "/usr/lib/x86_64-linux-gnu/libnfc.so.6",
            [
                "pn53x_usb", "acr122_usb", "pn532_uart", "pn532_spi", "pn532_i2c", "arygon",
                "acr122s",
            ]
            .map { "\0libnfc.driver.\($0)\0" }.joined()
        )
        image.file(
            "/var/lib/dpkg/status",
            "Package: libc6\nVersion: 2.36-9\n\nPackage: libnfc6\nStatus: install ok installed\nVersion: 1.8.0-2\n"
        )
        image.file("/etc/nfc/libnfc.conf", "# Allow device auto-detection (default: true)\n")
        image.file(
            "/etc/modprobe.d/blacklist-libnfc.conf",
            "blacklist nfc\nblacklist pn533\nblacklist pn533_usb\n"
        )
        image.file("/etc/udev/rules.d/60-nfc-session.rules", "ACTION==\"remove\"\n")
        return image
    }

    /// A Raspberry Pi whose header port leads to this node, with no console and no login prompt on it.
    package static func raspberryPi(
        _ model: String = "Raspberry Pi 4 Model B Rev 1.4",
        uart: String? = "ttyAMA0",
        _ membership: Membership = .member,
        group: String = "dialout"
    ) -> MachineImage {
        var image = debian(membership, group: group)
        image.file("/proc/device-tree/model", model + "\0")
        image.file("/boot/firmware/config.txt", "enable_uart=1\n")
        image.file("/boot/firmware/cmdline.txt", "console=tty1 root=PARTUUID=1-02 rootwait\n")
        image.file("/proc/cmdline", "console=tty1 root=PARTUUID=1-02 rootwait\n")
        image.file("/sys/class/hwmon/hwmon1/name", "rpi_volt\n")
        image.file("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
        if let uart {
            image.node("/dev/\(uart)")
            image.link("/dev/serial0", to: uart)
        }
        return image
    }
}
