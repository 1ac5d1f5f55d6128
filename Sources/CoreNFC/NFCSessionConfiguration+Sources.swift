public import Foundation

extension NFCSessionConfiguration {
    /// `Info.plist` in the folder of the running program: the counterpart of an app bundle's property list.
    public static var infoPlistBesideProgram: URL {
        let program =
            Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "")
        return program.resolvingSymlinksInPath().deletingLastPathComponent()
            .appendingPathComponent("Info.plist")
    }

    /// What the property list and the environment say, and Apple's defaults for the rest.
    ///
    /// Keys of the property list, those of iOS; a list that is there wins over the environment:
    ///
    /// - `com.apple.developer.nfc.readersession.iso7816.select-identifiers`: array of hexadecimal strings
    /// - `com.apple.developer.nfc.readersession.felica.systemcodes`: array of hexadecimal strings
    ///
    /// Environment variables; an empty one counts as not set:
    ///
    /// - `NFC_SESSION_READER`: the reader's connection string
    /// - `NFC_SESSION_AIDS`: application identifiers, separated by commas
    /// - `NFC_SESSION_FELICA_SYSTEM_CODES`: system codes, separated by commas
    /// - `NFC_SESSION_TIME_LIMIT`: seconds a session may last, or `none`
    /// - `NFC_SESSION_TAG_TIME_LIMIT`: seconds a tag may stay connected, or `none`
    /// - `NFC_SESSION_POLL_PERIOD`: milliseconds from one look for tags to the next
    /// - `NFC_SESSION_ALERTS`: `terminal` or `none`
    ///
    /// - Parameters:
    ///   - infoPlist: the property list; one that does not exist is left out.
    ///   - environment: the environment variables.
    /// - Returns: the configuration that a session uses when nothing is said in code.
    /// - Throws: what is wrong with the file or a variable, and what to write instead.
    public static func load(
        infoPlist: URL = infoPlistBesideProgram,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NFCSessionConfigurationError) -> NFCSessionConfiguration {
        var configuration = NFCSessionConfiguration()
        try configuration.read(Environment(variables: environment))
        try configuration.read(InfoPlist(contentsOf: infoPlist))
        return configuration
    }

    private mutating func read(
        _ environment: Environment
    ) throws(NFCSessionConfigurationError) {
        reader = environment["NFC_SESSION_READER"]
        iso7816SelectIdentifiers = environment.list("NFC_SESSION_AIDS")
        feliCaSystemCodes = environment.list("NFC_SESSION_FELICA_SYSTEM_CODES")
        sessionTimeLimit =
            try environment.limit("NFC_SESSION_TIME_LIMIT", otherwise: sessionTimeLimit)
        tagTimeLimit = try environment.limit("NFC_SESSION_TAG_TIME_LIMIT", otherwise: tagTimeLimit)
        pollPeriod =
            try environment.milliseconds("NFC_SESSION_POLL_PERIOD", otherwise: pollPeriod)
        if try environment.choice("NFC_SESSION_ALERTS", of: ["terminal", "none"]) == "none" {
            presenter = .none
        }
    }

    private mutating func read(_ infoPlist: InfoPlist) throws(NFCSessionConfigurationError) {
        let prefix = "com.apple.developer.nfc.readersession."
        if let list = try infoPlist.strings(prefix + "iso7816.select-identifiers") {
            iso7816SelectIdentifiers = list
        }
        if let list = try infoPlist.strings(prefix + "felica.systemcodes") {
            feliCaSystemCodes = list
        }
    }
}

/// Environment variables, with empty ones left out.
private struct Environment {
    let variables: [String: String]

    subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }

    func list(_ name: String) -> [String] {
        guard let value = self[name] else { return [] }
        return value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// A number of seconds, or nil for `none`.
    func limit(
        _ name: String,
        otherwise usual: Duration?
    ) throws(NFCSessionConfigurationError) -> Duration? {
        guard let value = self[name] else { return usual }
        if value == "none" { return nil }
        guard let seconds = Double(value), seconds > 0, seconds < 1e9 else {
            throw .invalidEnvironment(
                name: name,
                value: value,
                expected: "a number of seconds above 0, or none"
            )
        }
        return .seconds(seconds)
    }

    func milliseconds(
        _ name: String,
        otherwise usual: Duration
    ) throws(NFCSessionConfigurationError) -> Duration {
        guard let value = self[name] else { return usual }
        guard let number = Int(value), (10...60_000).contains(number) else {
            throw .invalidEnvironment(
                name: name,
                value: value,
                expected: "a number of milliseconds from 10 to 60000"
            )
        }
        return .milliseconds(number)
    }

    func choice(
        _ name: String,
        of choices: [String]
    ) throws(NFCSessionConfigurationError) -> String? {
        guard let value = self[name] else { return nil }
        guard choices.contains(value) else {
            throw .invalidEnvironment(
                name: name,
                value: value,
                expected: choices.joined(separator: " or ")
            )
        }
        return value
    }
}

/// The entries of a property list, none if there is no file.
private struct InfoPlist {
    private let entries: [String: Any]

    init(contentsOf url: URL) throws(NFCSessionConfigurationError) {
        guard FileManager.default.fileExists(atPath: url.path) else {
            entries = [:]
            return
        }
        do {
            let data = try Data(contentsOf: url)
            let list = try PropertyListSerialization.propertyList(from: data, format: nil)
            entries = list as? [String: Any] ?? [:]
        } catch {
            throw .unreadableInfoPlist(path: url.path, reason: error.localizedDescription)
        }
    }

    func strings(_ key: String) throws(NFCSessionConfigurationError) -> [String]? {
        guard let entry = entries[key] else { return nil }
        guard let strings = entry as? [String] else {
            throw .invalidInfoPlistEntry(key: key, expected: "an array of hexadecimal strings")
        }
        return strings
    }
}
