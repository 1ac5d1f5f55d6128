public import Foundation

/// A tag's answer to a command APDU.
///
/// Apple's structure of the same name (facts/corenfc.md, 1.4).
public struct NFCISO7816ResponseAPDU: Sendable {
    /// SW1.
    public var statusWord1: UInt8
    /// SW2.
    public var statusWord2: UInt8
    /// The data before the status word; nil when there is none.
    public var payload: Data?

    /// An answer with these parts, for test doubles.
    public init(statusWord1: UInt8, statusWord2: UInt8, payload: Data?) {
        self.statusWord1 = statusWord1
        self.statusWord2 = statusWord2
        self.payload = payload
    }

    init(_ payload: Data, _ statusWord1: UInt8, _ statusWord2: UInt8) {
        self.init(
            statusWord1: statusWord1,
            statusWord2: statusWord2,
            payload: payload.isEmpty ? nil : payload
        )
    }
}
