import APDU
import Bytes
import Foundation
import NBT
import Synchronization
import TestSupport
import Testing

/// A channel that expects these commands in this order and gives these answers, all in hex.
final class ScriptedChannel: Channel {
    /// A command came that the script does not have at this place.
    struct Unexpected: Error {}
    /// What the script says with the answer "lost".
    struct Lost: TransportError, Equatable {
        var fault: TransportFault { .tagLost }
    }

    let name = "script"
    let maximumCommandLength: Int
    let maximumAnswerLength: Int
    let isConnected = true
    private let rest: Mutex<[(command: String, answer: String)]>

    init(
        _ script: [(command: String, answer: String)],
        maximumCommandLength: Int,
        maximumAnswerLength: Int
    ) {
        self.maximumCommandLength = maximumCommandLength
        self.maximumAnswerLength = maximumAnswerLength
        rest = Mutex(script)
    }

    func connect() async throws -> Data { Data() }
    func disconnect() async {}

    func transmit(_ command: Data) async throws -> Data {
        let next = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        let step = try #require(next, "nothing more was expected, but \(command.hex) came")
        guard hex(step.command) == command else {
            Issue.record("expected \(hex(step.command).hex), but \(command.hex) came")
            throw Unexpected()
        }
        guard step.answer != "lost" else { throw Lost() }
        return hex(step.answer)
    }

    /// The commands that did not come.
    var missing: [String] { rest.withLock { $0.map(\.command) } }
}

/// Runs `body` with a command set that follows the script, and checks that all of it was used.
func withScript(
    _ script: [(command: String, answer: String)],
    maximumCommandLength: Int = 262,
    maximumAnswerLength: Int = 263,
    selectedApplication: Data? = nil,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: (NbtCommandSet) async throws -> Void
) async throws {
    let channel = ScriptedChannel(
        script,
        maximumCommandLength: maximumCommandLength,
        maximumAnswerLength: maximumAnswerLength
    )
    let commandSet = NbtCommandSet(
        channel: ApduChannel(channel: channel),
        selectedApplication: selectedApplication
    )
    try await body(commandSet)
    #expect(channel.missing.isEmpty, sourceLocation: sourceLocation)
}
