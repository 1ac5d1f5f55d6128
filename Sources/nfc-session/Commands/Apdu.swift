import APDU
import Bytes
import NFCReader

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// Sends APDUs.
    static let apdu = Command(
        "apdu",
        summary: "Send command APDUs to a tag that speaks ISO-DEP (type A or B)",
        discussion: """
            Each HEX is one command APDU, in hexadecimal; blanks and colons between bytes
            are skipped. '-' stands for the lines of standard input, so that a password need
            not stand in the process list. All commands are sent, whatever the tag answers;
            only when --aid is refused, none is.

            Exit status: 0 when every status word is 9000 or 61xx, 1 when not, 4 when no tag
            came within --timeout seconds, 5 when the tag speaks no ISO-DEP or was lost.

            Example: select application and NDEF file of a type 4 tag, and read its length.
              nfc-session apdu --aid d2760000850101 00a4000c02e104 00b0000002
            """,
        operands: .many("HEX"),
        options: [.aid],
        run: { arguments, output in try await Apdu(arguments, output).run() }
    )
}

extension Option {
    static let aid = Option("aid", value: "AID", help: "Select this application first (5-16 bytes)")
}

/// The work of `apdu`.
struct Apdu {
    private let select: CommandAPDU?
    private let words: [String]
    private let timeout: Int?
    private let reader: ReaderChoice
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
        select = try arguments.value(of: .aid, expected: "5 to 16 bytes in hexadecimal") { text in
            guard let aid = Data(hex: text), 5...16 ~= aid.count else { return nil }
            return try? CommandAPDU(
                cla: 0x00,
                ins: 0xA4,
                p1: 0x04,
                p2: 0x00,
                data: aid,
                expectedLength: 256
            )
        }
        words = arguments.operands
        // What is wrong on the command line is said before a reader is touched.
        for word in words where word != "-" { _ = try Self.command(word) }
        timeout = try arguments.timeout()
        reader = try ReaderChoice(arguments)
        self.output = output
    }

    /// The command APDU that `text` spells.
    static func command(_ text: String) throws(UsageError) -> CommandAPDU {
        guard let bytes = Data(hex: text) else {
            throw .invalidValue(text, of: "HEX", expected: "bytes in hexadecimal")
        }
        do throws(APDUError) {
            return try CommandAPDU(encoded: bytes)
        } catch {
            throw .invalidValue(text, of: "HEX", expected: "a command APDU (\(error))")
        }
    }

    func run() async throws -> Exit {
        try await reader.use(output) { reader in
            try await OpenReader.use(reader.connectionString) { reader in
                let target = try await reader.isoDepTarget(
                    [.iso14443a, .iso14443b],
                    within: timeout
                )
                let name = TagType.name(of: target)
                output.notice("\(target.identifier.hex)  \(name)")
                return try await exchange(with: target, on: reader)
            }
        }
    }

    private func exchange(with target: Target, on reader: Reader) async throws -> Exit {
        if let select {
            let line = try await send(select, to: target, on: reader)
            guard line.isSuccess else { return .negative }
        }
        var isSuccess = true
        for word in words {
            if word == "-" {
                for await line in StandardInput.lines() where !line.isEmpty {
                    let command = try Self.command(line)
                    isSuccess =
                        try await send(command, to: target, on: reader).isSuccess && isSuccess
                }
            } else {
                let command = try Self.command(word)
                isSuccess = try await send(command, to: target, on: reader).isSuccess && isSuccess
            }
        }
        return isSuccess ? .done : .negative
    }

    private func send(
        _ command: CommandAPDU,
        to target: Target,
        on reader: Reader
    ) async throws -> ApduLine {
        let start = ContinuousClock.now
        let answer = try await reader.exchange(command.encoded, with: target)
        let line = ApduLine(
            command: command.encoded,
            response: try ResponseAPDU(encoded: answer),
            duration: ContinuousClock.now - start
        )
        try output.result(line.json, text: line.text)
        return line
    }
}
