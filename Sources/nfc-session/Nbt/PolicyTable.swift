import NBT

/// Access policies as a table, a file a line.
enum PolicyTable {
    static let header = row("FILE", "NFC READ", "NFC WRITE", "I2C READ", "I2C WRITE")

    static func row(_ file: NbtFile, _ policy: FileAccessPolicy) -> String {
        row(
            file.word,
            policy.nfcRead.word,
            policy.nfcWrite.word,
            policy.i2cRead.word,
            policy.i2cWrite.word
        )
    }

    static func json(_ file: NbtFile, _ policy: FileAccessPolicy) -> JSON {
        .object([
            "file": .string(file.word),
            "nfcRead": .string(policy.nfcRead.word),
            "nfcWrite": .string(policy.nfcWrite.word),
            "i2cRead": .string(policy.i2cRead.word),
            "i2cWrite": .string(policy.i2cWrite.word),
        ])
    }

    private static func row(_ words: String...) -> String {
        let cells = words.dropLast().enumerated().map { $1.padded(to: $0 == 0 ? 7 : 13) }
        return cells.joined() + (words.last ?? "")
    }
}
