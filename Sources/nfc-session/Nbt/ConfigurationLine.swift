import APDU
import Bytes
import NBT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One value of the configuration, as it is shown.
struct ConfigurationLine: Sendable {
    let tag: ConfigurationTag
    let value: Reading<Data>

    /// Reads all values that the reader can carry; what the tag refuses is said in its line.
    static func all(of commandSet: NbtCommandSet) async throws -> [ConfigurationLine] {
        let config = NbtCommandSetConfig(commandSet)
        try await config.selectConfiguratorApplication()
        // Tag, length and status word come with the value.
        let limit = commandSet.channel.channel.maximumAnswerLength - 7
        var lines: [ConfigurationLine] = []
        for tag in ConfigurationTag.allCases where tag.valueLength ?? 0 <= limit {
            let value = try await Reading { try await config.getConfigDataBytes(tag: tag) }
            lines.append(ConfigurationLine(tag: tag, value: value))
        }
        return lines
    }

    var json: JSON {
        .object([
            "name": .string(tag.name),
            "tag": .string(tag.rawValue.hex),
            "value": .optional(value.value.map(tag.text(of:))),
            "bytes": .optional(value.value?.hex),
            "refused": .optional(value.refusal),
        ])
    }

    var text: String {
        let words = value.text { bytes in
            let text = tag.text(of: bytes)
            return text == bytes.hex ? Self.shortened(text) : "\(text) (\(bytes.hex))"
        }
        return "\(tag.rawValue.hex.uppercased())  \(tag.name.padded(to: 22))\(words)"
    }

    /// The radio's settings have 624 digits, which nobody reads.
    private static func shortened(_ digits: String) -> String {
        digits.count <= 64 ? digits : "\(digits.prefix(64))... (\(digits.count / 2) bytes)"
    }
}
