import NFCReader

/// Whether the serial port on a Raspberry Pi's header is switched on, and which kind it is.
struct UARTCheck: Check {
    let name = "uart"

    func findings(in examination: Examination) -> [Finding] {
        guard let uart = RaspberryPiUART(examination) else { return [] }
        let restart = "restart with 'sudo reboot'"
        let setting = uart.isModel5 ? "dtparam=uart0=on" : "enable_uart=1"
        switch uart.name {
        case nil:
            return [
                finding(
                    uart.severity,
                    nil,
                    "the serial port on the header is switched off: there is no /dev/serial0",
                    .write(setting, to: uart.configuration, appending: true, then: restart)
                )
            ]
        case "ttyAMA10":
            return [
                finding(
                    uart.severity,
                    nil,
                    "/dev/serial0 is the Raspberry Pi 5's debug socket, not GPIO 14 and 15",
                    .write(
                        setting,
                        to: uart.configuration,
                        appending: true,
                        then: "\(restart) and use pn532_uart:/dev/ttyAMA0"
                    )
                )
            ]
        case "ttyS0":
            return [
                finding(
                    .note,
                    "/dev/serial0",
                    "Bluetooth has the better port; this one keeps its speed only with enable_uart=1",
                    .write(
                        "dtoverlay=disable-bt",
                        to: uart.configuration,
                        appending: true,
                        then: restart
                    )
                )
            ]
        case let name?:
            return [finding(.ok, "/dev/serial0", "the port on the header is /dev/\(name)")]
        }
    }
}
