public import APDU

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Pass-through: commands straight to an application in the host behind the chip (facts/nbt.md,
/// 4.2).
///
/// The chip's GPIO function must be pass-through. The host takes its time, and the chip asks the
/// reader to wait (S(WTX)); give the channel at least two seconds. When the field is off, or another
/// application is selected, pass-through ends.
public struct PtUseCaseManager: Sendable {
    private let commandSet: NbtCommandSet
    private let aid: Data

    /// Uses the tag of a command set.
    ///
    /// - Parameters:
    ///   - commandSet: the commands to the tag.
    ///   - aid: the host's application, 5 to 16 bytes; the demonstration's if nothing else is said.
    public init(commandSet: NbtCommandSet, aid: Data = NbtConstants.demonstrationHostAid) {
        self.commandSet = commandSet
        self.aid = aid
    }

    /// Selects the host's application, which switches the chip to pass-through.
    ///
    /// - Throws: `NbtError.status`, with 6A82 if neither chip nor host has it; `invalidArgument`
    ///   for an identifier of another length, or one of the chip's own.
    public func select() async throws {
        guard aid != NbtConstants.aid, aid != NbtConstants.configuratorAid else {
            throw NbtError.invalidArgument(
                .selectHostApplication,
                "this is an application of the chip, not of its host"
            )
        }
        try await commandSet.select(
            .selectHostApplication,
            aid: aid,
            try NbtCommandBuilder().selectHostApplication(aid: aid)
        )
    }

    /// Sends a command to the host's application, which is selected first if need be.
    ///
    /// - Returns: the host's answer, whatever its status word.
    /// - Throws: as `select()`, and the channel's errors.
    public func send(_ command: CommandAPDU) async throws -> ResponseAPDU {
        if await commandSet.selectedApplication != aid { try await select() }
        return try await commandSet.exchange(command)
    }

    /// Asks the demonstration's host to switch its LED.
    ///
    /// - Throws: `NbtError.status` with the host's status word; as `send(_:)`.
    public func setLed(on isOn: Bool) async throws {
        let response = try await send(
            try command(.hostCommand, ins: 0x00, p2: isOn ? 0x01 : 0x00)
        )
        guard response.statusWord == .ok else {
            throw NbtError.status(.hostCommand, response.statusWord)
        }
    }
}
