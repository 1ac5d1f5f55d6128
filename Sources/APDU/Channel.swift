#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The way to one tag: bytes of a command APDU go out, bytes of a response APDU come back.
///
/// It is the contract of `IChannel` (facts/nbt.md, 5.3) in the form of Swift 6. What fails on the
/// way is thrown as the channel's own error, which should conform to `TransportError`. A cancelled
/// task makes `transmit` throw, soon.
public protocol Channel: Sendable {
    /// What the channel leads to, for people: "NBT 05a1b2c3d4e5f6 on pn532_uart:/dev/ttyUSB0".
    var name: String { get }
    /// The longest command APDU that reader and tag carry, in bytes.
    var maximumCommandLength: Int { get }
    /// The longest response APDU that reader and tag carry, in bytes, status word included.
    var maximumAnswerLength: Int { get }
    /// Whether the tag is connected and was there at the last exchange.
    var isConnected: Bool { get async }

    /// Connects to the tag, and does nothing if it is connected.
    ///
    /// - Returns: the tag's ATS or ATR; empty where it is not known.
    @discardableResult
    func connect() async throws -> Data
    /// Ends the connection, and does nothing if there is none.
    func disconnect() async
    /// Sends one command APDU.
    ///
    /// - Parameter command: the encoded command, at most `maximumCommandLength` bytes.
    /// - Returns: the response with its status word.
    /// - Throws: the channel's own error, best a `TransportError`.
    func transmit(_ command: Data) async throws -> Data
}

/// An error of a channel that says who is at fault, so that a use case can tell a lost tag from a
/// broken reader.
public protocol TransportError: Error {
    /// Who is at fault.
    var fault: TransportFault { get }
}

/// Who is at fault when an exchange fails.
public enum TransportFault: Sendable, Hashable {
    /// The tag left the field or does not answer. Hold it still and try again.
    case tagLost
    /// The tag or the reader answered what its protocol does not allow. Try again.
    case protocolError
    /// The reader failed. See to the reader and its cable.
    case readerFailed
    /// Nobody: the exchange was stopped on purpose.
    case cancelled
}
