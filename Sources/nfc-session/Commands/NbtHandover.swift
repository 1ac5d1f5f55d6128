import BrandProtection
import Bytes
import NBT
import NDEF

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Connection handover.
    static let nbtHandover = Command(
        "handover",
        summary: "Show the ways to connect that the tag's message offers",
        discussion: """
            'nbt personalise handover --bluetooth ADDRESS' prepares a tag for it.

            Exit status 1 when the message offers none.
            """,
        run: { arguments, output in
            try await NbtConnection(arguments, output).use { tag in
                let handover = try await ChUseCaseManager(commandSet: tag.commandSet)
                    .readHandover()
                for carrier in handover.carriers {
                    let line = CarrierLine(carrier)
                    try output.result(line.json, text: line.text)
                }
                if let error = handover.error {
                    output.notice("the tag says that it cannot: reason \(error.errorReason)")
                }
                return handover.carriers.isEmpty ? .negative : .done
            }
        }
    )
}

/// One way to connect, as it is shown.
private struct CarrierLine {
    private let record: RecordLine
    private let powerState: String?

    init(_ carrier: ConnectionHandover.Carrier) {
        record = RecordLine(carrier.record)
        powerState = carrier.powerState.map { "\($0)" }
    }

    var json: JSON {
        .object(["carrier": record.json, "power": .optional(powerState)])
    }

    var text: String { record.text + (powerState.map { "  (\($0))" } ?? "") }
}
