import NFCReader

/// libnfc's configuration files: lines that it ignores, and settings that do harm (facts/libnfc.md, 2.3 and 2.4).
struct ConfigurationCheck: Check {
    let name = "configuration"

    private static let keys: Set<String> = [
        "allow_autoscan", "allow_intrusive_scan", "log_level", "device.name", "device.connstring",
        "device.optional",
    ]

    func findings(in examination: Examination) -> [Finding] {
        let configuration = examination.configuration
        var findings = configuration.badLines.map {
            ignored(
                $0.file,
                $0.line,
                "is not 'key = value': a value with blanks needs quotation marks, and a comment a line of its own"
            )
        }
        findings += configuration.settings.compactMap(unknownKey)
        findings += configuration.settings.compactMap(intrusiveScan)
        findings += configuration.devices.compactMap { device($0, on: examination.machine) }
        if configuration.devices.count > 4, let fifth = configuration.devices.dropFirst(4).first {
            findings.append(
                ignored(fifth.file, fifth.line, "names a fifth device; libnfc takes four")
            )
        }
        guard findings.isEmpty else { return findings }
        let devices = configuration.devices.map(\.value).joined(separator: " ")
        return [
            finding(
                .ok,
                nil,
                devices.isEmpty
                    ? "libnfc's configuration names no device" : "libnfc is set to \(devices)"
            )
        ]
    }

    private func ignored(_ file: String, _ line: Int, _ why: String) -> Finding {
        finding(.trouble, file, "line \(line) \(why)", .type("sudoedit", file))
    }

    private func unknownKey(_ setting: LibNFCConfiguration.Setting) -> Finding? {
        let isInDeviceFile = setting.file != LibNFCConfiguration.mainFile
        let isLegal =
            Self.keys.contains(setting.key)
            && (!isInDeviceFile || setting.key.hasPrefix("device."))
        guard !isLegal else { return nil }
        let key = isInDeviceFile ? String(setting.key.dropFirst("device.".count)) : setting.key
        return ignored(setting.file, setting.line, "sets '\(key)', which libnfc does not know here")
    }

    private func intrusiveScan(_ setting: LibNFCConfiguration.Setting) -> Finding? {
        guard setting.key == "allow_intrusive_scan", ["yes", "true", "1"].contains(setting.value)
        else { return nil }
        return finding(
            .trouble,
            setting.file,
            "line \(setting.line) has libnfc's own tools write to every serial port, I2C and SPI bus",
            .mend("sed", "-i", "s/^[ \\t]*allow_intrusive_scan/#&/", setting.file)
        )
    }

    private func device(_ setting: LibNFCConfiguration.Setting, on machine: Machine) -> Finding? {
        let parts = setting.value.split(separator: ":", omittingEmptySubsequences: false)
        let driver = parts.first.map(String.init) ?? ""
        let drivers = machine.libnfcDrivers
        guard drivers.isEmpty || drivers.contains(driver.lowercased()) || driver == "usb" else {
            return ignored(
                setting.file,
                setting.line,
                "names the driver '\(driver)', which libnfc has not"
            )
        }
        guard let path = parts.dropFirst().first, path.hasPrefix("/") else { return nil }
        let rest = parts.dropFirst(2)
        guard rest.allSatisfy({ Int($0) != nil }), rest.count < 2 else {
            return ignored(
                setting.file,
                setting.line,
                "names a path with ':', where libnfc cuts it off"
            )
        }
        guard !machine.exists(String(path)) else { return nil }
        return ignored(setting.file, setting.line, "names \(path), which is not there")
    }
}
