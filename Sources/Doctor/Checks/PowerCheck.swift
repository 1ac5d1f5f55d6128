import NFCReader

/// A Raspberry Pi that gets too little voltage; a PN532 then fails when its field goes on.
struct PowerCheck: Check {
    let name = "power"

    func findings(in examination: Examination) -> [Finding] {
        guard examination.raspberryPi != nil else { return [] }
        let machine = examination.machine
        let folder = "/sys/class/hwmon"
        let sensor = machine.names(in: folder).map { "\(folder)/\($0)" }
            .first { machine.text(of: $0 + "/name") == "rpi_volt" }
        guard let sensor, let alarm = machine.text(of: sensor + "/in0_lcrit_alarm") else {
            return []
        }
        guard alarm != "0" else { return [finding(.ok, nil, "no undervoltage since boot")] }
        return [
            finding(
                .trouble,
                nil,
                "the Raspberry Pi has had too little voltage since it was switched on",
                .type(
                    "vcgencmd",
                    "get_throttled",
                    then: "use a stronger power supply, and a supply of its own for the board"
                )
            )
        ]
    }
}
