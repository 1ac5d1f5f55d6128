#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Sends command APDUs over a channel, measures them and reports them to a log without their
/// secrets.
///
/// It keeps no state of its own. Exchanges that belong together are sent by one task, one after the
/// other.
public struct ApduChannel: Sendable {
    /// The way to the tag.
    public let channel: any Channel
    private let log: (@Sendable (ExchangeRecord) -> Void)?

    /// Wraps a channel.
    ///
    /// - Parameters:
    ///   - channel: the way to the tag.
    ///   - log: called after each exchange, on the task that sends; nil for none.
    public init(channel: any Channel, log: (@Sendable (ExchangeRecord) -> Void)? = nil) {
        self.channel = channel
        self.log = log
    }

    /// Whether the tag is connected.
    public var isConnected: Bool {
        get async { await channel.isConnected }
    }

    /// Connects to the tag.
    ///
    /// - Returns: the tag's ATS or ATR; empty where it is not known.
    /// - Throws: the channel's error.
    @discardableResult
    public func connect() async throws -> Data {
        try await channel.connect()
    }

    /// Ends the connection.
    public func disconnect() async {
        await channel.disconnect()
    }

    /// Sends a command and returns the response, whatever its status word.
    ///
    /// - Throws: `APDUError.commandTooLong` before anything is sent, `APDUError.responseTooShort`
    ///   for an answer without status word, and the channel's errors as they are.
    public func send(_ command: CommandAPDU) async throws -> ResponseAPDU {
        let bytes = command.encoded
        let limit = channel.maximumCommandLength
        guard bytes.count <= limit else {
            throw APDUError.commandTooLong(count: bytes.count, limit: limit)
        }
        let start = ContinuousClock.now
        do {
            let response = try ResponseAPDU(encoded: try await channel.transmit(bytes))
            report(command, response, since: start)
            return response
        } catch {
            report(command, nil, since: start)
            throw error
        }
    }

    private func report(
        _ command: CommandAPDU,
        _ response: ResponseAPDU?,
        since start: ContinuousClock.Instant
    ) {
        guard let log else { return }
        log(ExchangeRecord(command, response, duration: start.duration(to: .now)))
    }
}
