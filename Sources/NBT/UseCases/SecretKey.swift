#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A key for the chip, which is never printed.
public struct SecretKey: Sendable, Hashable {
    /// The key's bytes.
    public let bytes: Data

    /// Takes a key's bytes.
    public init(_ bytes: Data) { self.bytes = Data(bytes) }
}

extension SecretKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key's length alone.
    public var description: String { "(\(bytes.count) bytes hidden)" }

    /// As `description`.
    public var debugDescription: String { description }

    /// Shows `dump` no more than `description` does.
    public var customMirror: Mirror { Mirror(self, children: ["count": bytes.count]) }
}
