#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Asynchronous data transfer: a mailbox between the reader and the host behind the chip
/// (facts/nbt.md, 4.1).
///
/// The reader writes proprietary file 1 and reads proprietary file 2, the host the other way round.
/// The host works only while no field is there: take the tag away between question and answer.
public struct AdtUseCaseManager: Sendable {
    /// The file that the reader writes.
    public static let toHost = NbtFile.proprietary1
    /// The file that the host writes.
    public static let fromHost = NbtFile.proprietary2

    private let commandSet: NbtCommandSet

    /// Uses the tag of a command set.
    public init(commandSet: NbtCommandSet) { self.commandSet = commandSet }

    /// Writes bytes for the host.
    ///
    /// - Parameters:
    ///   - data: the bytes.
    ///   - position: where the first one goes, 0 to 1023.
    /// - Throws: `NbtError.status`, with 6982 on a tag that is not prepared for this, 6A86 beyond
    ///   the file's end.
    public func send(_ data: Data, at position: Int = 0) async throws {
        try await commandSet.selectApplicationIfNeeded()
        try await commandSet.writeFile(Self.toHost, data: data, at: position)
    }

    /// Reads bytes that the host has written.
    ///
    /// - Parameter range: which bytes of the file's 1024.
    /// - Returns: exactly these bytes.
    /// - Throws: `NbtError.status`, with 6982 on a tag that is not prepared for this, 6700 beyond
    ///   the file's end.
    public func receive(_ range: Range<Int>) async throws -> Data {
        try await commandSet.selectApplicationIfNeeded()
        return try await commandSet.readFile(Self.fromHost, range: range)
    }

    /// Asks the demonstration's host to switch its LED.
    ///
    /// - Throws: as `send(_:at:)`.
    public func setLed(on isOn: Bool) async throws {
        try await send(Data([isOn ? 0x01 : 0x00]))
    }

    /// Whether the demonstration's host says that its LED is on.
    ///
    /// - Throws: as `receive(_:)`.
    public func isLedOn() async throws -> Bool { try await receive(0..<1).first != 0 }
}
