/// Whether a tag holds NDEF data, with Apple's values.
public enum NFCNDEFStatus: UInt, Sendable {
    /// The tag is not formatted for NDEF, or not in a way that this reader knows.
    case notSupported = 1
    /// The message can be read and written.
    case readWrite = 2
    /// The message can be read.
    case readOnly = 3
}
