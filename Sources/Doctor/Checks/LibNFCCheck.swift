import NFCReader

/// Whether libnfc is there, which version, and with which drivers it was compiled.
struct LibNFCCheck: Check {
    let name = "libnfc"

    func findings(in examination: Examination) -> [Finding] {
        let machine = examination.machine
        guard let library = machine.libnfc else {
            return [
                finding(
                    .trouble,
                    nil,
                    "libnfc.so.6 is not installed",
                    .mend("apt-get", "install", "-y", "libnfc6")
                )
            ]
        }
        let drivers = machine.libnfcDrivers.sorted()
        let version = machine.libnfcPackageVersion
        let evidence =
            "\(library)" + (version.map { ", package version \($0)" } ?? "")
            + (drivers.isEmpty ? "" : ", drivers " + drivers.joined(separator: " "))
        // This package is written for 1.8.0, and knows its faults.
        let isExpected = version?.hasPrefix("1.8.0") ?? true
        return [
            finding(
                isExpected ? .ok : .note,
                nil,
                evidence + (isExpected ? "" : "; nfc-session was tested with 1.8.0 only")
            )
        ]
    }
}

extension Machine {
    /// The path of libnfc's library; nil where it is not installed.
    var libnfc: String? {
        let folders =
            ["/usr/local/lib", "/usr/lib"]
            + names(in: "/usr/lib").filter { $0.contains("-linux-") }.map { "/usr/lib/" + $0 }
        return folders.map { $0 + "/libnfc.so.6" }.first { exists($0) }
    }

    /// The names of the drivers compiled into libnfc, which its log messages spell.
    var libnfcDrivers: Set<String> {
        let mark = "libnfc.driver."
        guard let library = libnfc, let bytes = bytes(of: library) else { return [] }
        return Set(
            bytes.split(separator: 0)
                .filter { $0.starts(with: mark.utf8) }
                .map { String(decoding: $0.dropFirst(mark.utf8.count), as: UTF8.self) }
        )
    }

    /// The version of Debian's package; nil where libnfc comes from elsewhere.
    var libnfcPackageVersion: String? {
        lines(of: "/var/lib/dpkg/status").drop { $0 != "Package: libnfc6" }.dropFirst()
            .prefix { !$0.hasPrefix("Package: ") }
            .first { $0.hasPrefix("Version: ") }
            .map { String($0.dropFirst("Version: ".count)) }
    }
}
