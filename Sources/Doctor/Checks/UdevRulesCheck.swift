import NFCReader

/// Whether the udev rules of this package are installed: they open readers to the seat, keep ModemManager away
/// and make FTDI adapters quick.
struct UdevRulesCheck: Check {
    let name = "udev-rules"

    func findings(in examination: Examination) -> [Finding] {
        guard !examination.usbDevices.isEmpty else { return [] }
        guard !examination.hasRules else {
            return [finding(.ok, nil, "the udev rules are installed")]
        }
        return [
            finding(
                .note,
                nil,
                "the udev rules of nfc-session are not installed",
                .type("make", "install", then: "unplug the reader and plug it in again")
            )
        ]
    }
}
