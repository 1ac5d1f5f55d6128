import APDU
import Foundation
import NBT
import Synchronization
import VirtualReader

/// A channel straight to a virtual card, without reader and wire, on which the tag can be lost.
final class InProcessChannel: Channel {
    /// When the tag is lost, counted in exchanges from 1 on.
    enum Loss: Sendable, Hashable {
        case never
        /// The tag does not see this command.
        case before(Int)
        /// The tag carries this command out, but its answer is lost.
        case after(Int)
    }

    struct Lost: TransportError, Equatable {
        var fault: TransportFault { .tagLost }
    }

    let name = "in process"
    let maximumCommandLength: Int
    let maximumAnswerLength: Int
    private let card: any CardApplication
    private let loss: Loss
    private let state = Mutex((commands: [Data](), isLost: false))

    /// A card in a fresh field.
    init(
        _ card: any CardApplication,
        loss: Loss = .never,
        maximumCommandLength: Int = 65_544,
        maximumAnswerLength: Int = 65_538
    ) {
        self.card = card
        self.loss = loss
        self.maximumCommandLength = maximumCommandLength
        self.maximumAnswerLength = maximumAnswerLength
        card.reset()
    }

    var isConnected: Bool { state.withLock { !$0.isLost } }
    /// The commands so far.
    var commands: [Data] { state.withLock { $0.commands } }

    func connect() async throws -> Data { Data() }
    func disconnect() async {}

    func transmit(_ command: Data) async throws -> Data {
        let (number, isLost) = state.withLock { state in
            state.commands.append(command)
            return (state.commands.count, state.isLost)
        }
        if isLost || loss == .before(number) { throw lose() }
        let answer = card.respond(to: command)
        if loss == .after(number) { throw lose() }
        return answer
    }

    private func lose() -> Lost {
        state.withLock { $0.isLost = true }
        card.reset()
        return Lost()
    }
}

/// A command set straight to a virtual card in a fresh field.
func commands(to card: any CardApplication) -> NbtCommandSet {
    NbtCommandSet(channel: ApduChannel(channel: InProcessChannel(card)))
}
