import Bytes
import CoreNFC
import Synchronization
import VirtualReader

/// Writes down the polls (InListPassiveTarget) that reach the chip.
final class Polls: Sendable {
    private let commands = Mutex<[String]>([])

    /// The commands with their parameters, in hexadecimal.
    var all: [String] { commands.withLock { $0 } }

    var note: @Sendable (TraceEvent) -> Void {
        { event in
            // 00 00 FF LEN LCS D4 4A .. DCS 00 (facts/pn532.md, 1).
            let frame = event.bytes
            guard event.direction == .toChip, frame.count > 8 else { return }
            let body = Data(frame.dropFirst(5).dropLast(2))
            guard body.starts(with: [0xD4, 0x4A]) else { return }
            self.commands.withLock { $0.append(Data(body.dropFirst()).hex) }
        }
    }
}
