/// The version of Connection Handover that a record follows, one digit each.
public struct HandoverVersion: Sendable, Hashable, CustomStringConvertible {
    /// The byte in the record: the major number in its upper half, the minor in its lower.
    public let rawValue: UInt8

    /// The version that a byte says.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Version 1.5, what Infineon's library writes if it is not told otherwise (facts/nbt.md, 6.3).
    public static let v1_5 = HandoverVersion(rawValue: 0x15)
    /// Version 1.3.
    public static let v1_3 = HandoverVersion(rawValue: 0x13)
    /// Version 1.2.
    public static let v1_2 = HandoverVersion(rawValue: 0x12)

    /// A reader of another major version cannot read the record.
    public var major: Int { Int(rawValue >> 4) }
    /// Versions that differ in this only can be read.
    public var minor: Int { Int(rawValue & 0x0F) }

    /// The version as "1.5".
    public var description: String { "\(major).\(minor)" }
}
