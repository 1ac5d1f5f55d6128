import Bytes
import NBT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Reads a file of the tag.
    static let nbtRead = Command(
        "read",
        summary: "Read a file of the tag",
        discussion: """
            Of ndef the message is read, without the two bytes of its length; of the others
            the whole file, or the part that --at and --count say.

            Example:
              nfc-session nbt read ndef --output message.ndef
            """,
        operands: .words("FILE"),
        options: [.position, .byteCount, .output, .passwordFile],
        run: { arguments, output in try await NbtRead(arguments, output).run() }
    )
}

extension Option {
    static let byteCount = Option("count", value: "N", help: "Read this many bytes")
    static let output = Option(
        "output",
        value: "FILE",
        help: "Write the bytes here as they are; '-': to standard output"
    )
}

/// The work of `nbt read`.
private struct NbtRead {
    private let file: NbtFile
    private let range: Range<Int>?
    private let destination: String?
    private let arguments: Arguments
    private let connection: NbtConnection
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
        file = try arguments.nbtFile(0)
        for option in [Option.position, .byteCount] where file == .ndef && arguments.has(option) {
            throw .unexpectedOption(option)
        }
        let start = try arguments.number(of: .position, in: 0...(file.size - 1))
        let count = try arguments.number(of: .byteCount, in: 1...(file.size - (start ?? 0)))
        if start != nil || count != nil {
            range = (start ?? 0)..<(count.map { (start ?? 0) + $0 } ?? file.size)
        } else {
            range = nil
        }
        destination = arguments.value(of: .output)
        if arguments.has(.output), arguments.has(.json) { throw .conflict(.output, .json) }
        self.arguments = arguments
        connection = try NbtConnection(arguments, output)
        self.output = output
    }

    func run() async throws -> Exit {
        let password = try await Secret.password.optional(arguments, output)
        let bytes = try await connection.use { tag in
            file == .ndef
                ? try await tag.commandSet.readNdefMessage(readPassword: password)
                : try await tag.commandSet.readFile(
                    file,
                    range: range,
                    readPassword: password
                )
        }
        switch destination {
        case nil:
            try output.result(
                .object([
                    "file": .string(file.word), "bytes": .number(bytes.count),
                    "data": .string(bytes.hex),
                ]),
                text: bytes.hex
            )
        case "-": try output.write(bytes)
        case let path?:
            try bytes.write(file: path)
            output.notice("\(path): \(bytes.count) bytes")
        }
        return .done
    }
}
