import Bytes
import NBT
import NDEF

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Writes a file of the tag.
    static let nbtWrite = Command(
        "write",
        summary: "Write ndef or one of file1 to file4",
        discussion: """
            The bytes are written as they are, from --input, or from standard input. Into
            ndef goes an NDEF message, without the two bytes of its length; what is none is
            refused. cc and fap are set with 'nbt policy'.

            Example:
              nfc-session nbt write ndef --input message.ndef --password-file update
            """,
        operands: .words("FILE"),
        options: [.position, .input, .passwordFile],
        run: { arguments, output in try await NbtWrite(arguments, output).run() }
    )
}

extension Option {
    static let input = Option(
        "input",
        value: "FILE",
        help: "Take the bytes from here; '-', and without it: from standard input"
    )
}

/// The work of `nbt write`.
private struct NbtWrite {
    private let file: NbtFile
    private let position: Int
    private let source: String
    private let arguments: Arguments
    private let connection: NbtConnection
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
        file = try arguments.operand(
            0,
            "FILE",
            expected: "ndef or file1 to file4; cc and fap are set with 'nbt policy'"
        ) { word in
            NbtFile(word: word).flatMap {
                [.capabilityContainer, .fileAccessPolicy].contains($0) ? nil : $0
            }
        }
        if file == .ndef, arguments.has(.position) { throw .unexpectedOption(.position) }
        position = try arguments.number(of: .position, in: 0...(file.size - 1)) ?? 0
        source = arguments.value(of: .input) ?? "-"
        // Nobody types bytes as they are.
        if source == "-", StandardInput.isTerminal { throw .missingOption(.input) }
        if source == "-", arguments.value(of: .passwordFile) == "-" {
            throw .conflict(.input, .passwordFile)
        }
        self.arguments = arguments
        connection = try NbtConnection(arguments, output)
        self.output = output
    }

    func run() async throws -> Exit {
        let password = try await Secret.password.optional(arguments, output)
        let bytes = try await content()
        return try await connection.use { tag in
            if file == .ndef {
                try await tag.commandSet.updateNdefMessage(
                    dataBytes: bytes,
                    writePassword: password
                )
            } else {
                try await tag.commandSet.writeFile(
                    file,
                    data: bytes,
                    at: position,
                    writePassword: password
                )
            }
            try output.done("\(bytes.count) bytes written to \(file.word)", on: tag)
            return .done
        }
    }

    private func content() async throws -> Data {
        let limit = file == .ndef ? file.size - 2 : file.size - position
        let name = source == "-" ? "standard input" : source
        let bytes =
            source == "-"
            ? try await StandardInput.content(limit: limit) : try Data(file: source)
        guard bytes.count <= limit else {
            throw Failure.file(path: name, reason: "more than the \(limit) bytes that fit")
        }
        guard file == .ndef, !bytes.isEmpty else { return bytes }
        do throws(NDEFError) {
            _ = try NDEFMessage(encoded: bytes)
            return bytes
        } catch {
            throw Failure.file(path: name, reason: "it is no NDEF message: \(error)")
        }
    }
}
