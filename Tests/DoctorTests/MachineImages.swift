import TestSupport

/// A machine, and the trouble that doctor has to find on it.
struct TroubledMachine: Sendable, CustomStringConvertible {
    let description: String
    let image: MachineImage
    /// The checks that find trouble, each with the command that mends it; the order does not matter.
    let trouble: [String]

    /// Describes the machine by changes to one that is in order.
    init(
        _ description: String,
        _ image: MachineImage,
        _ trouble: [String] = [],
        change: (inout MachineImage) -> Void = { _ in }
    ) {
        var image = image
        change(&image)
        (self.description, self.image, self.trouble) = (description, image, trouble)
    }
}

/// Machines that the reports of facts/users.md 3a and facts/libnfc.md 11 describe.
enum MachineImages {
    static let healthy: [TroubledMachine] = [
        TroubledMachine("CH340 board on a PC", .debian()) { $0.ch340() },
        TroubledMachine("ACR122U on a PC", .debian(group: "plugdev")) {
            $0.usb("072f:2200", at: "1-3", driver: "usbfs")
        },
        TroubledMachine("ACR122U beside a pcscd.socket that is masked", .debian()) {
            $0.usb("072f:2200", at: "1-3")
            $0.link("/etc/systemd/system/pcscd.socket", to: "/dev/null")
            $0.link("/etc/systemd/system/sockets.target.wants/pcscd.socket", to: "/lib/p")
        },
        TroubledMachine("FTDI adapter whose latency timer the rules have set", .debian()) {
            $0.usb("0403:6001", at: "1-1.4", serial: "A50285BI")
            $0.port("ttyUSB3", on: "1-1.4", driver: "ftdi_sio", latency: 1)
        },
        TroubledMachine("PN532Killer, and ModemManager that leaves it alone", .debian()) {
            $0.usb("1a86:55d3", at: "1-2")
            $0.port("ttyACM0", on: "1-2", driver: "cdc_acm")
            $0.process(700, "/usr/sbin/ModemManager")
        },
        TroubledMachine("board on the header of a Raspberry Pi 4", .raspberryPi()),
        TroubledMachine("board on I2C of a Raspberry Pi 3", .raspberryPi(group: "i2c")) {
            $0.node("/dev/i2c-1")
        },
        TroubledMachine(
            "CH340 board on a Raspberry Pi 5 that does not use its header",
            .pi5(uart: nil)
        ) {
            $0.ch340()
        },
        TroubledMachine("a modem's port that is in use is nobody's business", .debian()) {
            $0.ch340()
            $0.usb("12d1:1001", at: "1-4", address: 9)
            $0.port("ttyUSB1", on: "1-4", driver: "option1", mode: 0o600)
            $0.process(701, "/usr/sbin/ModemManager", open: ["/dev/ttyUSB1"])
            $0.file("/run/udev/data/c188:0", "E:ID_MM_DEVICE_IGNORE=1\n")
        },
    ]

    static let ill: [TroubledMachine] = [
        TroubledMachine("nothing is plugged in", .debian(), ["reader: lsusb"]),
        TroubledMachine(
            "the user is not in dialout",
            .debian(.none),
            ["permission: sudo usermod -aG dialout pi"]
        ) { $0.ch340() },
        TroubledMachine(
            "the user is in dialout since a moment ago",
            .debian(.since),
            ["permission: newgrp dialout"]
        ) { $0.ch340() },
        TroubledMachine(
            "an ACR122U that only root may open, without rules",
            .debian(group: "root"),
            ["permission: make install"]
        ) {
            $0.usb("072f:2200", at: "1-3", mode: 0o600)
            $0.remove("/etc/udev/rules.d/60-nfc-session.rules")
        },
        TroubledMachine(
            "rules that were installed after the reader was plugged in",
            .debian(group: "root"),
            ["permission: sudo udevadm trigger --action=add --subsystem-match=usb"]
        ) { $0.usb("072f:2214", at: "1-3", mode: 0o600) },
        TroubledMachine(
            "an SCL3711 that the kernel has claimed",
            .debian(),
            ["kernel-drivers: sudo modprobe -r pn533_usb pn533 nfc"]
        ) {
            $0.usb("04e6:5591", at: "1-2", driver: "pn533_usb")
            $0.file("/proc/modules", "pn533_usb 1 0 -\npn533 2 1 pn533_usb\nnfc 3 1 pn533\n")
        },
        TroubledMachine(
            "an ACR122U that the kernel will claim again after each plug",
            .debian(),
            [
                "kernel-drivers: sudo modprobe -r pn533_usb pn533 nfc",
                "kernel-drivers: echo 'blacklist pn533_usb' | sudo tee /etc/modprobe.d/nfc-session.conf",
            ]
        ) {
            $0.usb("072f:2200", at: "1-3", driver: "pn533_usb")
            $0.file("/proc/modules", "pn533_usb 1 0 -\npn533 2 1 pn533_usb\nnfc 3 1 pn533\n")
            $0.remove("/etc/modprobe.d/blacklist-libnfc.conf")
        },
        TroubledMachine(
            "pcscd has the ACR122U",
            .debian(),
            ["pcscd: sudo systemctl disable --now pcscd.socket pcscd.service"]
        ) {
            $0.usb("072f:2200", at: "1-3", driver: "usbfs")
            $0.process(812, "/usr/sbin/pcscd --foreground", open: ["/dev/bus/usb/001/005"])
        },
        TroubledMachine(
            "pcscd will come when somebody asks",
            .debian(),
            ["pcscd: sudo systemctl disable --now pcscd.socket pcscd.service"]
        ) {
            $0.usb("072f:90cc", at: "1-3")
            $0.link("/etc/systemd/system/sockets.target.wants/pcscd.socket", to: "/lib/p")
        },
        TroubledMachine(
            "ModemManager, without rules",
            .debian(),
            ["modem-manager: sudo systemctl disable --now ModemManager.service"]
        ) {
            $0.ch340(isMarked: false)
            $0.process(700, "/usr/sbin/ModemManager")
            $0.remove("/etc/udev/rules.d/60-nfc-session.rules")
        },
        TroubledMachine(
            "ModemManager, with rules that do not apply yet",
            .debian(),
            ["modem-manager: sudo udevadm trigger --action=add --subsystem-match=tty"]
        ) {
            $0.ch340(isMarked: false)
            $0.process(700, "/usr/sbin/ModemManager", open: ["/dev/ttyUSB0"])
        },
        TroubledMachine(
            "brltty has taken the adapter",
            .debian(),
            ["brltty: sudo apt-get remove -y brltty"]
        ) {
            $0.usb("1a86:7523", at: "1-2", driver: "usbfs")
            $0.file("/usr/bin/brltty")
        },
        TroubledMachine(
            "a kernel without the adapter's driver",
            .debian(),
            ["reader: sudo modprobe cp210x"]
        ) { $0.usb("10c4:ea60", at: "1-2") },
        TroubledMachine(
            "another program has the port open",
            .debian(),
            ["in-use: kill 4242"]
        ) {
            $0.ch340()
            $0.process(4242, "/usr/bin/screen /dev/ttyUSB0", open: ["/dev/ttyUSB0"])
        },
        TroubledMachine(
            "an FTDI adapter with its usual latency",
            .debian(),
            [
                "latency: echo 1 | sudo tee /sys/bus/usb-serial/devices/ttyUSB0/latency_timer"
            ]
        ) {
            $0.usb("0403:6001", at: "1-2")
            $0.port("ttyUSB0", on: "1-2", driver: "ftdi_sio", latency: 16)
        },
        TroubledMachine(
            "the kernel's console on the header of a Raspberry Pi 4",
            .raspberryPi(),
            [
                "serial-console: sudo sed -i -E 's/console=(serial0|ttyAMA0)(,[0-9]+)? ?//g' "
                    + "/boot/firmware/cmdline.txt"
            ]
        ) { $0.file("/proc/cmdline", "console=ttyAMA0,115200 console=tty1 rootwait\n") },
        TroubledMachine(
            "a login prompt on the mini UART of a Raspberry Pi 3",
            .raspberryPi("Raspberry Pi 3 Model B Plus Rev 1.3", uart: "ttyS0"),
            ["getty: sudo systemctl mask --now serial-getty@ttyS0.service"]
        ) { $0.process(633, "/sbin/agetty -o -- ttyS0 115200 vt220", open: ["/dev/ttyS0"]) },
        TroubledMachine(
            "a login prompt that comes with the next start",
            .raspberryPi(),
            ["getty: sudo systemctl mask --now serial-getty@ttyAMA0.service"]
        ) {
            $0.link(
                "/etc/systemd/system/getty.target.wants/serial-getty@ttyAMA0.service",
                to: "/lib/systemd/system/serial-getty@.service"
            )
        },
        TroubledMachine(
            "a Raspberry Pi whose serial port is off, with the old boot folder",
            .raspberryPi(uart: nil),
            ["reader: lsusb", "uart: echo enable_uart=1 | sudo tee -a /boot/config.txt"]
        ) {
            $0.remove("/boot/firmware/config.txt")
            $0.file("/boot/config.txt", "dtparam=audio=on\n")
        },
        TroubledMachine(
            "a Raspberry Pi 5 whose serial0 is the debug socket",
            .pi5(uart: "ttyAMA10"),
            ["uart: echo dtparam=uart0=on | sudo tee -a /boot/firmware/config.txt"]
        ),
        TroubledMachine(
            "a Raspberry Pi with too little voltage",
            .raspberryPi(),
            ["power: vcgencmd get_throttled"]
        ) { $0.file("/sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n") },
        TroubledMachine(
            "a configuration with lines that libnfc ignores",
            .debian(),
            [
                "configuration: sudoedit /etc/nfc/libnfc.conf",
                "configuration: sudoedit /etc/nfc/libnfc.conf",
                "configuration: sudoedit /etc/nfc/devices.d/pn532.conf",
            ]
        ) {
            $0.ch340()
            $0.file(
                "/etc/nfc/libnfc.conf",
                """
                allow_autoscan = true # as the manual says
                device.conn = "pn532_uart:/dev/ttyUSB0"
                """
            )
            // The sample for the Raspberry Pi 3 that libnfc ships has this line (facts/libnfc.md, 2.3).
            $0.file(
                "/etc/nfc/devices.d/pn532.conf",
                "name = \"PN532 board\"\nconnstring = pn532_uart:/dev/ttyUSB0\nallow_intrusive_scan = true\n"
            )
        },
        TroubledMachine(
            "a configuration that has libnfc search every port",
            .debian(),
            [
                "configuration: sudo sed -i 's/^[ \\t]*allow_intrusive_scan/#&/' /etc/nfc/libnfc.conf"
            ]
        ) {
            $0.ch340()
            $0.file("/etc/nfc/libnfc.conf", "allow_intrusive_scan = true\n")
        },
        TroubledMachine(
            "a configuration with devices that cannot be",
            .debian(),
            Array(repeating: "configuration: sudoedit /etc/nfc/libnfc.conf", count: 4)
        ) {
            $0.ch340()
            $0.file(
                "/etc/nfc/libnfc.conf",
                """
                device.connstring = "pn532_uart:/dev/ttyUSB7"
                device.connstring = "pn532_uart:/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0-port0"
                device.connstring = "pn71xx:/dev/i2c-1"
                device.connstring = "pn532_uart:/dev/ttyUSB0:115200"
                device.connstring = "pn532_uart:/dev/ttyUSB0"
                """
            )
        },
        TroubledMachine(
            "libnfc is not installed",
            .debian(),
            ["libnfc: sudo apt-get install -y libnfc6"]
        ) {
            $0.ch340()
            $0.remove("/usr/lib/x86_64-linux-gnu/libnfc.so.6")
        },
        TroubledMachine(
            "a reader that libnfc does not know",
            .debian(),
            ["reader: nfc-session readers"]
        ) { $0.usb("054c:06c3", at: "1-2") },
        TroubledMachine(
            "everything at once",
            .debian(.none),
            [
                "permission: sudo usermod -aG dialout pi",
                "permission: sudo usermod -aG dialout pi",
                "modem-manager: sudo udevadm trigger --action=add --subsystem-match=tty",
                "latency: echo 1 | sudo tee /sys/bus/usb-serial/devices/ttyUSB0/latency_timer",
                "in-use: kill 900",
                "pcscd: sudo systemctl disable --now pcscd.socket pcscd.service",
                "kernel-drivers: sudo modprobe -r pn533_usb pn533 nfc",
            ]
        ) {
            $0.usb("0403:6001", at: "1-2")
            $0.port("ttyUSB0", on: "1-2", driver: "ftdi_sio", isMarked: false, latency: 16)
            $0.usb("072f:2200", at: "1-3", address: 11, driver: "pn533_usb")
            $0.process(700, "/usr/sbin/ModemManager")
            $0.process(812, "/usr/sbin/pcscd")
            $0.process(900, "minicom", open: ["/dev/ttyUSB0"])
        },
    ]
}

extension MachineImage {
    /// A board behind the adapter that most are sold with.
    fileprivate mutating func ch340(isMarked: Bool = true) {
        usb("1a86:7523", at: "1-2")
        port("ttyUSB0", on: "1-2", isMarked: isMarked)
    }

    fileprivate static func pi5(uart: String?) -> MachineImage {
        raspberryPi("Raspberry Pi 5 Model B Rev 1.0", uart: uart)
    }
}
