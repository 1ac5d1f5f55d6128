import NFCReader

/// What the machine is: nothing can be wrong with it, but whoever helps will ask.
struct VersionsCheck: Check {
    let name = "versions"

    func findings(in examination: Examination) -> [Finding] {
        let machine = examination.machine
        let system = machine.lines(of: "/etc/os-release").first { $0.hasPrefix("PRETTY_NAME=") }
            .map { String($0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" }) }
        let kernel = machine.text(of: "/proc/sys/kernel/osrelease").map { "Linux \($0)" }
        let known = [system, kernel, examination.raspberryPi].compactMap { $0 }
        guard !known.isEmpty else {
            return [finding(.cannotTell, nil, "this is no root folder of a Linux system")]
        }
        return [finding(.ok, nil, known.joined(separator: ", "))]
    }
}
