import APDU
import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A command APDU and its answer, as `apdu` prints them.
struct ApduLine {
    let command: Data
    let response: ResponseAPDU
    let duration: Duration

    /// Whether the tag did what it was asked to: 9000, or 61xx, which is that with more to fetch.
    var isSuccess: Bool {
        response.statusWord == .ok || response.statusWord.remainingBytes != nil
    }

    /// The exchange as one JSON object; `milliseconds` is the whole round trip.
    var json: JSON {
        .object([
            "command": .string(command.hex),
            "data": .string(response.data.hex),
            "status": .string(response.statusWord.rawValue.hex),
            "meaning": .string(response.statusWord.meaning),
            "milliseconds": .number(duration.milliseconds),
        ])
    }

    /// Two lines: what was sent, and what came back.
    var text: String {
        let data = response.data.isEmpty ? "" : response.data.hex + " "
        return """
            > \(command.hex)
            < \(data)\(response.statusWord.rawValue.hex)  \(response.statusWord.meaning)
            """
    }
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
