import CoreNFC
import Testing

@Suite struct NFCSessionConfigurationTests {
    private static let nowhere = URL(fileURLWithPath: "/nonexistent/Info.plist")

    private func load(_ environment: [String: String]) throws -> NFCSessionConfiguration {
        try NFCSessionConfiguration.load(infoPlist: Self.nowhere, environment: environment)
    }

    /// Writes `text` as a property list and loads it, with `environment`.
    private func load(
        infoPlist text: String,
        _ environment: [String: String] = [:]
    ) throws -> NFCSessionConfiguration {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            UUID().uuidString
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Info.plist")
        try Data(text.utf8).write(to: file)
        return try NFCSessionConfiguration.load(infoPlist: file, environment: environment)
    }

    private func plist(_ entries: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0"><dict>\(entries)</dict></plist>
        """
    }

    @Test("Info.plist is looked for in the folder of the program")
    func placeOfInfoPlist() throws {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(fileURLWithPath: program).deletingLastPathComponent()
        let expected = folder.appendingPathComponent("Info.plist")
        #expect(NFCSessionConfiguration.infoPlistBesideProgram.path == expected.path)
    }

    @Test("With nothing said, Apple's limits hold and nothing is listed")
    func defaults() throws {
        let configuration = try load([:])
        #expect(configuration.reader == nil)
        #expect(configuration.iso7816SelectIdentifiers.isEmpty)
        #expect(configuration.feliCaSystemCodes.isEmpty)
        #expect(configuration.sessionTimeLimit == .seconds(60))
        #expect(configuration.tagTimeLimit == .seconds(20))
        #expect(configuration.pollPeriod == .milliseconds(100))
        #expect(!configuration.allowsUnlistedApplications)
        #expect(!configuration.allowsOtherSessions)
    }

    @Test("The environment says reader, lists, limits and period")
    func environment() throws {
        let configuration = try load([
            "NFC_SESSION_READER": "pn532_uart:/dev/ttyUSB0",
            "NFC_SESSION_AIDS": "D2760000850101, A0000002471001",
            "NFC_SESSION_FELICA_SYSTEM_CODES": "0003,8008",
            "NFC_SESSION_TIME_LIMIT": "90",
            "NFC_SESSION_TAG_TIME_LIMIT": "none",
            "NFC_SESSION_POLL_PERIOD": "50",
            "NFC_SESSION_ALERTS": "none",
        ])
        #expect(configuration.reader == "pn532_uart:/dev/ttyUSB0")
        #expect(configuration.iso7816SelectIdentifiers == ["D2760000850101", "A0000002471001"])
        #expect(configuration.feliCaSystemCodes == ["0003", "8008"])
        #expect(configuration.sessionTimeLimit == .seconds(90))
        #expect(configuration.tagTimeLimit == nil)
        #expect(configuration.pollPeriod == .milliseconds(50))
        #expect(configuration.presenter is NFCSilentPresenter)
    }

    @Test(
        "A value that makes no sense is refused with what to write",
        arguments: [
            ("NFC_SESSION_TIME_LIMIT", "soon"), ("NFC_SESSION_TIME_LIMIT", "0"),
            ("NFC_SESSION_TIME_LIMIT", "-3"), ("NFC_SESSION_TIME_LIMIT", "nan"),
            ("NFC_SESSION_TAG_TIME_LIMIT", "1e300"), ("NFC_SESSION_POLL_PERIOD", "0"),
            ("NFC_SESSION_POLL_PERIOD", "99999999999999999999"), ("NFC_SESSION_ALERTS", "window"),
        ]
    )
    func refusesNonsense(name: String, value: String) {
        #expect {
            try load([name: value])
        } throws: { error in
            guard
                case .invalidEnvironment(let itsName, let itsValue, _)? =
                    error as? NFCSessionConfigurationError
            else { return false }
            return itsName == name && itsValue == value
        }
    }

    @Test("An empty variable counts as not set")
    func emptyVariable() throws {
        #expect(try load(["NFC_SESSION_TIME_LIMIT": ""]).sessionTimeLimit == .seconds(60))
        #expect(try load(["NFC_SESSION_READER": ""]).reader == nil)
    }

    // Fact 2.8: com.apple.developer.nfc.readersession.iso7816.select-identifiers
    // Fact 2.8: com.apple.developer.nfc.readersession.felica.systemcodes
    @Test("The lists of an app's Info.plist are taken over, and win over the environment")
    func infoPlist() throws {
        let text = plist(
            """
            <key>NFCReaderUsageDescription</key><string>reads tags</string>
            <key>com.apple.developer.nfc.readersession.iso7816.select-identifiers</key>
            <array><string>D2760000850101</string><string>A00000006510</string></array>
            <key>com.apple.developer.nfc.readersession.felica.systemcodes</key>
            <array><string>0003</string></array>
            """
        )
        let configuration = try load(
            infoPlist: text,
            ["NFC_SESSION_AIDS": "A0000002471001", "NFC_SESSION_READER": "pn532_uart:/dev/ttyS1"]
        )
        #expect(configuration.iso7816SelectIdentifiers == ["D2760000850101", "A00000006510"])
        #expect(configuration.feliCaSystemCodes == ["0003"])
        #expect(configuration.reader == "pn532_uart:/dev/ttyS1")
    }

    // Fact 2.8: com.apple.developer.nfc.readersession.formats
    // Fact 2.8: NFCReaderUsageDescription
    // Fact 2.8: com.apple.developer.nfc.readersession.iso15693.tag-identifiers
    @Test("What else an app says of NFC is not needed, and does no harm, whatever its type")
    func otherKeys() throws {
        let prefix = "com.apple.developer.nfc.readersession."
        let configuration = try load(
            infoPlist: plist(
                """
                <key>NFCReaderUsageDescription</key><string></string>
                <key>\(prefix)formats</key><array><string>TAG</string></array>
                <key>\(prefix)iso15693.tag-identifiers</key><integer>7</integer>
                """
            )
        )
        #expect(configuration.iso7816SelectIdentifiers.isEmpty)
        #expect(configuration.feliCaSystemCodes.isEmpty)
    }

    @Test("An Info.plist that is none, or has a list of another type, is refused")
    func brokenInfoPlist() {
        #expect(throws: NFCSessionConfigurationError.self) { try load(infoPlist: "<plist") }
        let text = plist(
            """
            <key>com.apple.developer.nfc.readersession.iso7816.select-identifiers</key>
            <string>D2760000850101</string>
            """
        )
        #expect(
            throws: NFCSessionConfigurationError.invalidInfoPlistEntry(
                key: "com.apple.developer.nfc.readersession.iso7816.select-identifiers",
                expected: "an array of hexadecimal strings"
            )
        ) { try load(infoPlist: text) }
    }

    // Fact 2.8: AID strings: plain hex
    @Test("Of the application identifiers those of 5 to 16 bytes count")
    func validIdentifiers() {
        var configuration = NFCSessionConfiguration()
        configuration.iso7816SelectIdentifiers = [
            "D2760000850101", "A0000000", "A00000000", "x", "", "A000000001",
            "00112233445566778899AABBCCDDEEFF", "00112233445566778899AABBCCDDEEFF00",
        ]
        #expect(
            configuration.validSelectIdentifiers
                == ["D2760000850101", "A000000001", "00112233445566778899AABBCCDDEEFF"]
        )
    }

    /// No wildcard bytes: facts/corenfc.md, 2.8.
    @Test("Of the system codes those of four digits without a byte FF count")
    func validSystemCodes() {
        var configuration = NFCSessionConfiguration()
        configuration.feliCaSystemCodes = [
            "0003", "8008", "FFFF", "FF03", "03FF", "3", "+003", "12345",
        ]
        #expect(configuration.validSystemCodes == [0x0003, 0x8008])
    }

    // Fact 2.8: 26.4: Configuration.iso7816SelectIdentifiers
    @Test("A run-time configuration chooses from the list, in its own order, without duplicates")
    func chosenIdentifiers() {
        var configuration = NFCSessionConfiguration()
        configuration.iso7816SelectIdentifiers = ["D2760000850101", "a000000001", "A000000002"]
        configuration.feliCaSystemCodes = ["0003", "8008"]
        func chosen(_ identifiers: [String]) -> [String] {
            NFCTagReaderSession.Configuration(
                pollingOption: .iso14443,
                iso7816SelectIdentifiers: identifiers
            ).chosenSelectIdentifiers(from: configuration)
        }
        #expect(chosen([]) == ["D2760000850101", "a000000001", "A000000002"])
        #expect(
            chosen(["A000000001", "d2760000850101", "A000000001", "A000000009"])
                == ["a000000001", "D2760000850101"]
        )
        let systems = NFCTagReaderSession.Configuration(
            pollingOption: .iso18092,
            feliCaSystemCodes: ["8008", "FE00"]
        )
        #expect(systems.chosenSystemCodes(from: configuration) == [0x8008])
    }
}
