import Bytes
import NBT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// The tag's configuration.
    static let nbtConfig = Command(
        "config",
        summary: "Show and set the tag's configuration",
        discussion: """
            NAME is a name or a number of this list, VALUE one of its words, or bytes in
            hexadecimal. What enables the flash loader is never sent: it can destroy a tag.

            \(ConfigurationTag.table)
            """,
        subcommands: [.nbtConfigList, .nbtConfigGet, .nbtConfigSet]
    )

    private static let nbtConfigList = Command(
        "list",
        summary: "Show all of the configuration",
        run: { arguments, output in
            let connection = try NbtConnection(arguments, output)
            return try await connection.use { tag in
                for line in try await ConfigurationLine.all(of: tag.commandSet) {
                    try output.result(line.json, text: line.text)
                }
                return .done
            }
        }
    )

    private static let nbtConfigGet = Command(
        "get",
        summary: "Show one value of the configuration",
        operands: .words("NAME"),
        run: { arguments, output in
            let name = try arguments.configurationTag(0)
            let connection = try NbtConnection(arguments, output)
            return try await connection.use { tag in
                let value = try await NbtCommandSetConfig(tag.commandSet)
                    .getConfigDataBytes(tag: name)
                let line = ConfigurationLine(tag: name, value: .known(value))
                try output.result(line.json, text: name.text(of: value))
                return .done
            }
        }
    )

    private static let nbtConfigSet = Command(
        "set",
        summary: "Set one value of the configuration",
        discussion: """
            A value that cannot be taken back is asked about, or needs --yes: a life cycle
            of operational, which locks the configuration; interfaces of i2c, which switches
            NFC off; the radio's settings; and those whose meaning is not published.
            What concerns I2C counts from the next start of the tag on.

            Example:
              nfc-session nbt config set gpio-function pass-through
            """,
        operands: .words("NAME", "VALUE"),
        options: [.consent],
        run: { arguments, output in
            let name = try arguments.configurationTag(0)
            let value = try arguments.configurationValue(1, of: name)
            let connection = try NbtConnection(arguments, output)
            if let consequence = name.consequence(of: value) {
                let deed = "\(name) is set to \(name.text(of: value)): \(consequence)"
                try await Consent(arguments).ask(deed)
            }
            return try await connection.use { tag in
                try await NbtCommandSetConfig(tag.commandSet)
                    .setConfigData(tag: name, data: value, irrevocably: true)
                let line = ConfigurationLine(tag: name, value: .known(value))
                try output.result(line.json, text: line.text)
                return .done
            }
        }
    )
}

extension Arguments {
    fileprivate func configurationTag(_ place: Int) throws(UsageError) -> ConfigurationTag {
        try operand(
            place,
            "NAME",
            expected: "a name of 'nfc-session nbt config --help'",
            parse: ConfigurationTag.init(word:)
        )
    }

    /// A word for one of the listed values, or the value's bytes.
    fileprivate func configurationValue(
        _ place: Int,
        of tag: ConfigurationTag
    ) throws -> Data {
        let choices = tag.choices.map(\.name)
        let bytes =
            tag.valueLength.map { "\($0) bytes in hexadecimal" } ?? "bytes in hexadecimal"
        let expected = (choices + [bytes]).joined(separator: ", ")
        let value = try operand(place, "VALUE", expected: expected) { text in
            tag.choices.first { $0.name == text.lowercased() }?.value ?? Data(hex: text)
        }
        if let problem = tag.problem(with: value) { throw Failure.impossible(problem) }
        return value
    }
}

extension ConfigurationTag {
    /// Each tag with its number and its words, for the help.
    fileprivate static var table: String {
        allCases.map { tag in
            let words =
                tag.choices.isEmpty
                ? tag.isReadOnly
                    ? "read only"
                    : tag.valueLength.map { $0 == 1 ? "1 byte" : "\($0) bytes" } ?? "bytes"
                : tag.choices.map(\.name).joined(separator: ", ")
            return "  \(tag.rawValue.hex.uppercased())  \(tag.name.padded(to: 22))\(words)"
        }.joined(separator: "\n")
    }
}
