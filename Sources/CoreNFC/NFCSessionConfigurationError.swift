public import Foundation

/// Why a session's configuration cannot be used.
///
/// The text says what to write instead.
public enum NFCSessionConfigurationError: Error, Equatable, Sendable {
    /// An environment variable holds a value that makes no sense: its name, its value, and what to write.
    case invalidEnvironment(name: String, value: String, expected: String)
    /// The property list beside the program cannot be read: its path and what is wrong.
    case unreadableInfoPlist(path: String, reason: String)
    /// An entry of the property list has the wrong type: its key, and what to write.
    case invalidInfoPlistEntry(key: String, expected: String)
}

extension NFCSessionConfigurationError: LocalizedError {
    /// What is wrong, where, and what to write instead.
    public var errorDescription: String? {
        switch self {
        case .invalidEnvironment(let name, let value, let expected):
            "\(name)=\(value) is not valid: write \(expected)"
        case .unreadableInfoPlist(let path, let reason):
            "\(path) cannot be read: \(reason)"
        case .invalidInfoPlistEntry(let key, let expected):
            "\(key) in Info.plist is not valid: write \(expected)"
        }
    }
}
