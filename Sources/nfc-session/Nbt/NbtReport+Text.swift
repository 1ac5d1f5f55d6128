import NBT

/// The report in words.
extension NbtReport {
    var text: String {
        (facts.map { $0.name.padded(to: 16) + $0.text } + policyLines + messageLines
            + configurationLines).joined(separator: "\n")
    }

    private var facts: [(name: String, text: String)] {
        [
            ("UID", uid + (hasRandomUID ? " (random, another one each time)" : "")),
            ("State", stateText),
            (
                "Private key",
                hasKey.text { $0 ? "stored; 'verify' tells whose" : "none" }
            ),
            ("Application", version.text { "version \($0)" }),
            ("Free memory", memory.text(Self.memoryText)),
            ("CC", capabilities.text(Self.capabilitiesText)),
        ]
    }

    private var stateText: String {
        switch state {
        // What no reset can take away (facts/nbt.md, 2.7).
        case .delivery: "as delivered" + (hasKey.value == true ? ", but with a private key" : "")
        case .prepared(let useCases, let hasPasswords):
            "prepared for " + useCases.map(\.rawValue).joined(separator: " or ")
                + (hasPasswords ? ", with passwords" : "")
        case .own: "with access policies of somebody's own"
        case nil: "unknown"
        }
    }

    private static func memoryText(_ memory: AvailableMemory) -> String {
        "\(memory.nvm) bytes; transient \(memory.transientCor) (until reset), "
            + "\(memory.transientCod) (until deselected)"
    }

    private static func capabilitiesText(_ container: CapabilityContainer) -> String {
        let version = container.mappingVersion
        return "mapping version \(version >> 4).\(version & 0x0F), answers up to "
            + "\(container.maximumAnswerData) bytes, takes \(container.maximumCommandData)"
    }

    private var policyLines: [String] {
        guard let policies = policies.value else {
            return ["", "Access policies " + policies.text { _ in "" }]
        }
        return ["", PolicyTable.header + "    SIZE"]
            + NbtFile.allCases.map { file in
                PolicyTable.row(file, policies[file]).padded(to: 59) + "\(size(of: file))"
            }
    }

    private var messageLines: [String] {
        switch (message, records) {
        case (.refused(let text), _): ["", "Message: refused: \(text)"]
        case (.known(let bytes), nil):
            ["", "Message: \(bytes.count) bytes that are no NDEF message"]
        case (.known(let bytes), let records?):
            ["", bytes.isEmpty ? "Message: none" : "Message: \(bytes.count) bytes"]
                + records.map { "  " + $0.text }
        }
    }

    private var configurationLines: [String] {
        switch configuration {
        case .refused(let text): ["", "Configuration: refused: \(text)"]
        case .known(let lines): ["", "Configuration"] + lines.map { "  " + $0.text }
        }
    }
}
