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
    /// Whether 61xx and 6Cxx are followed up, as `init` says.
    public let followsUp: Bool
    private let log: (@Sendable (ExchangeRecord) -> Void)?

    /// Wraps a channel.
    ///
    /// - Parameters:
    ///   - channel: the way to the tag.
    ///   - followsUp: whether `send` fetches the rest of an answer after 61xx (GET RESPONSE) and
    ///     repeats a command with the right Le after 6Cxx, as ISO 7816-4 has it. The NBT answers
    ///     neither (facts/nbt.md, 2.9); other tags do.
    ///   - log: called after each exchange, on the task that sends; nil for none.
    public init(
        channel: any Channel,
        followsUp: Bool = false,
        log: (@Sendable (ExchangeRecord) -> Void)? = nil
    ) {
        self.channel = channel
        self.followsUp = followsUp
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
    ///   for an answer without status word, `APDUError.endlessAnswer`, and the channel's errors as
    ///   they are.
    public func send(_ command: CommandAPDU) async throws -> ResponseAPDU {
        let response = try await exchange(command)
        guard followsUp else { return response }
        return try await followUp(response, to: command)
    }

    private func followUp(
        _ first: ResponseAPDU,
        to command: CommandAPDU
    ) async throws -> ResponseAPDU {
        var response = first
        if let exact = response.statusWord.exactLength {
            // Once only: a tag that refuses its own length would be asked for ever.
            response = try await exchange(try command.with(expectedLength: exact))
        }
        while let remaining = response.statusWord.remainingBytes {
            let rest = try await exchange(try command.getResponse(remaining))
            let hasProgress = !rest.data.isEmpty || rest.statusWord.remainingBytes == nil
            let whole = response.appending(rest)
            // 65536 bytes are the most that a command can expect.
            guard hasProgress, whole.data.count <= 65_536 else {
                throw APDUError.endlessAnswer(count: whole.data.count)
            }
            response = whole
        }
        return response
    }

    private func exchange(_ command: CommandAPDU) async throws -> ResponseAPDU {
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

extension CommandAPDU {
    /// The same command with another Ne.
    fileprivate func with(expectedLength: Int) throws(APDUError) -> CommandAPDU {
        try CommandAPDU(
            cla: cla,
            ins: ins,
            p1: p1,
            p2: p2,
            data: data,
            expectedLength: expectedLength,
            extended: isExtended
        )
    }

    /// GET RESPONSE on the logical channel of this command (ISO 7816-4, 5.1.1 and 7.6.1).
    fileprivate func getResponse(_ length: Int) throws(APDUError) -> CommandAPDU {
        // b7 tells the two ways apart in which an interindustry class codes the channel.
        let channelMask: UInt8 = cla & 0x40 == 0 ? 0x03 : 0x4F
        return try CommandAPDU(
            cla: cla & 0x80 == 0 ? cla & channelMask : 0x00,
            ins: 0xC0,
            p1: 0,
            p2: 0,
            expectedLength: length
        )
    }
}
