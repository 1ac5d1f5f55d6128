#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A configuration tag with a value.
public struct ConfigurationItem: Sendable, Hashable {
    /// What is configured.
    public let tag: ConfigurationTag
    /// The value's bytes.
    public let value: Data

    /// Takes a tag and the bytes of a value; whether the tag takes them shows when they are used.
    public init(tag: ConfigurationTag, value: Data) {
        self.tag = tag
        self.value = Data(value)
    }

    /// Takes a value of a known type.
    public init<Value: ConfigurationValue>(_ value: Value) {
        self.init(tag: Value.tag, value: value.encoded)
    }
}

extension ConfigurationItem: CustomStringConvertible {
    /// "gpio-function (C030) = pass-through".
    public var description: String { "\(tag) = \(tag.text(of: value))" }
}
