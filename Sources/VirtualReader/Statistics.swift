/// What a virtual reader has counted since it was made or `VirtualReader.resetStatistics()` was called.
public struct Statistics: Sendable, Equatable {
    /// How often each chip command was received whole, by command code (`0x4A` is InListPassiveTarget).
    public internal(set) var commands: [UInt8: Int] = [:]
    /// Exchanges with a tag: InDataExchange commands that complete a message, and InCommunicateThru commands.
    public internal(set) var tagExchanges = 0
    /// Frames that the chip sent on air, anticollision included.
    public internal(set) var radioFrames = 0
    /// Frames received from the host: commands, ACK and NACK.
    public internal(set) var framesFromHost = 0
    /// Frames sent to the host: answers, error frames and ACK.
    public internal(set) var framesToHost = 0

    /// All commands together: what a polling loop costs on the wire.
    public var totalCommands: Int { commands.values.reduce(0, +) }
}
