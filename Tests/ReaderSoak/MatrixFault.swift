import Dispatch
import VirtualReader

/// A fault of the matrix, and how it is mended.
struct MatrixFault: Sendable {
    let name: String
    /// Whether it stays until it is mended.
    var isLasting = false
    /// Whether the short run has it.
    var isQuick = false
    let strike: @Sendable (VirtualReader) -> Void
    var mend: @Sendable (VirtualReader) -> Void = { $0.faults = .none }

    static func once(_ name: String, _ effect: Fault.Effect, isQuick: Bool = false) -> MatrixFault {
        MatrixFault(name: name, isQuick: isQuick) {
            $0.faults = Faults(Fault(effect, .nth(1)))
        }
    }

    static func lasting(_ name: String, _ faults: Faults, isQuick: Bool = false) -> MatrixFault {
        MatrixFault(name: name, isLasting: true, isQuick: isQuick) { $0.faults = faults }
    }

    static let all: [MatrixFault] = [
        .once("no fault", .delay(.zero), isQuick: true),
        .once("command swallowed", .swallow),
        .once("ACK, no answer", .acknowledgeOnly, isQuick: true),
        .once("wrong checksum", .wrongChecksum),
        .once("truncated answer", .truncate(7)),
        .once("another command's answer", .answerCode(0x05)),
        .once("error frame", .errorFrame),
        .once("answer 400 ms late", .delay(.milliseconds(400))),
        .once("status byte missing", .noStatus),
        .once("status 80h (abort)", .status(0x80), isQuick: true),
        .once("status 01h (time-out)", .status(0x01)),
        .once("ATS of length 0", .zeroATSLength),
        .once("garbled tag answer", .garbledResponse),
        .once("chip falls asleep", .sleep),
        .once("brown-out", .brownOut, isQuick: true),
        .once("chip at 921600 baud", .baudRate(921_600)),
        .lasting("every answer 100 ms late", Faults(Fault(.delay(.milliseconds(100))))),
        .lasting("5 % of frames spoiled", .noise(wire: 0.05, radio: 0.05)),
        .lasting("half-open chip", .halfOpen),
        .lasting("every status 80h", Faults(Fault(.status(0x80)))),
        .lasting("every poll an error frame", Faults(Fault(.errorFrame, command: 0x4A))),
        .lasting("silence", .silence, isQuick: true),
        MatrixFault(name: "silence for 1.5 s") { reader in
            reader.faults = .silence
            DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) { reader.faults = .none }
        },
        MatrixFault(
            name: "unplugged",
            isLasting: true,
            isQuick: true,
            strike: { $0.hangUp() },
            mend: { try? $0.reconnect() }
        ),
        MatrixFault(name: "plugged in again", isQuick: true) { reader in
            reader.hangUp()
            try? reader.reconnect()
        },
        MatrixFault(name: "unplugged for 1.5 s") { reader in
            reader.hangUp()
            DispatchQueue.global().asyncAfter(deadline: .now() + 1.5) { try? reader.reconnect() }
        },
    ]
}
