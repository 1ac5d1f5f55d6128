import Foundation
import Synchronization
import VirtualReader

/// A card application for tests of the block protocol: answers each command with the command itself, 9000 behind it,
/// or with what `respond` makes of it.
final class EchoApplication: CardApplication {
    private let time: Duration
    private let make: @Sendable (Data) -> Data
    private let log = Mutex<[Data]>([])
    private let resets = Mutex(0)

    init(
        workingTime: Duration = .zero,
        respond: @escaping @Sendable (Data) -> Data = { $0 + [0x90, 0x00] }
    ) {
        time = workingTime
        make = respond
    }

    /// The commands received, in order.
    var commands: [Data] { log.withLock { $0 } }
    /// How often the card was reset.
    var resetCount: Int { resets.withLock { $0 } }

    func respond(to command: Data) -> Data {
        log.withLock { $0.append(command) }
        return make(command)
    }

    func workingTime(of command: Data) -> Duration { time }

    func reset() { resets.withLock { $0 += 1 } }
}
