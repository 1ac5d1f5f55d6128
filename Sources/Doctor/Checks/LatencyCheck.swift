import NFCReader

/// An FTDI adapter hands over what it received every 16 ms unless told otherwise (facts/libnfc.md, 11).
struct LatencyCheck: Check {
    let name = "latency"

    func findings(in examination: Examination) -> [Finding] {
        examination.adapterPorts.compactMap { port in
            guard let node = port.node?.split(separator: "/").last else { return nil }
            let file = "/sys/bus/usb-serial/devices/\(node)/latency_timer"
            // Only FTDI adapters have such a file.
            guard let text = examination.machine.text(of: file), let milliseconds = Int(text) else {
                return nil
            }
            guard milliseconds > 1 else {
                return finding(.ok, port.connectionString, "the latency timer is at 1 ms")
            }
            return finding(
                .trouble,
                port.connectionString,
                "the adapter's latency timer is at \(milliseconds) ms, which every command pays twice",
                .write("1", to: file)
            )
        }
    }
}
