import NFCReader

/// libnfc's configuration files, read as libnfc 1.8.0 reads them (facts/libnfc.md, 2.3).
struct LibNFCConfiguration: Sendable, Equatable {
    /// A line that sets something.
    struct Setting: Sendable, Equatable {
        let file: String
        let line: Int
        let key: String
        let value: String
    }

    /// A line that libnfc cannot read.
    struct BadLine: Sendable, Equatable {
        let file: String
        let line: Int
    }

    private(set) var settings: [Setting] = []
    private(set) var badLines: [BadLine] = []

    static let mainFile = "/etc/nfc/libnfc.conf"
    static let deviceFolder = "/etc/nfc/devices.d"

    init(_ machine: Machine) {
        let devices = machine.names(in: Self.deviceFolder).filter { $0.hasSuffix(".conf") }
            .map { Self.deviceFolder + "/" + $0 }
        for file in [Self.mainFile] + devices {
            let lines = machine.text(of: file)?.split(
                separator: "\n",
                omittingEmptySubsequences: false
            )
            for (index, text) in (lines ?? []).enumerated() {
                read(String(text), file: file, line: index + 1)
            }
        }
    }

    /// The settings that name a device.
    var devices: [Setting] { settings.filter { $0.key == "device.connstring" } }

    private mutating func read(_ text: String, file: String, line: Int) {
        let content = text.drop { $0.isWhitespace }
        guard !content.isEmpty, content.first != "#" else { return }
        guard let (key, value) = Self.setting(content) else {
            badLines.append(BadLine(file: file, line: line))
            return
        }
        // In a file of devices.d the keys have no prefix.
        let prefix = file == Self.mainFile ? "" : "device."
        settings.append(Setting(file: file, line: line, key: prefix + key, value: value))
    }

    /// `key = value` or `key = "value with blanks"`, and nothing behind it.
    private static func setting(_ text: Substring) -> (String, String)? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let (key, value) = (trimmed(parts[0]), trimmed(parts[1]))
        guard !key.isEmpty, !key.contains(where: \.isWhitespace), !value.isEmpty else { return nil }
        if value.hasPrefix("\"") {
            guard value.count > 2, value.hasSuffix("\"") else { return nil }
            return (key, String(value.dropFirst().dropLast()))
        }
        return value.contains(where: \.isWhitespace) ? nil : (key, value)
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
