import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One exchange as a log may show it: passwords, keys and signatures are replaced by their length.
public struct ExchangeRecord: Sendable, Hashable {
    /// The command in lower-case hexadecimal digits, fields apart.
    public let command: String
    /// The answer's data and status word, or nil when none came.
    public let response: String?
    /// The time from sending the command to its answer or failure.
    public let duration: Duration

    /// Makes the record of an exchange; `response` is nil when the exchange failed.
    public init(_ command: CommandAPDU, _ response: ResponseAPDU?, duration: Duration) {
        let fields = [
            Data([command.cla, command.ins, command.p1, command.p2]).hex,
            Self.text(of: command),
            command.expectedLength.map { "Le=\($0)" } ?? "",
        ]
        self.command = Self.joined(fields)
        self.response = response.map { response in
            let data = Self.answerIsSecret(command) ? hidden(response.data) : response.data.hex
            return Self.joined([data, "\(response.statusWord)"])
        }
        self.duration = duration
    }

    private static func joined(_ fields: [String]) -> String {
        fields.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The data field without its secrets (facts/nbt.md, 3.5 row 11).
    private static func text(of command: CommandAPDU) -> String {
        if secretInstructions.contains(command.ins) { return hidden(command.data) }
        guard selectsWithPassword(command) else { return command.data.hex }
        // The file id is no secret, the password objects 52 and 54 behind it are.
        return joined([command.data.prefix(2).hex, hidden(command.data.dropFirst(2))])
    }

    /// Instructions whose data field holds a password or a key.
    ///
    /// Of ISO 7816-4: VERIFY (20, 21; with CLA 20 it is SET CONFIGURATION), CHANGE REFERENCE DATA
    /// (24, 25) and RESET RETRY COUNTER (2C, 2D). Of the NBT: CREATE and DELETE PASSWORD (E1, E4)
    /// and PERSONALIZE DATA (E2).
    private static let secretInstructions: Set<UInt8> = [
        0x20, 0x21, 0x24, 0x25, 0x2C, 0x2D, 0xE1, 0xE2, 0xE4,
    ]

    /// SELECT by file id that carries more than the id: the NBT takes passwords there
    /// (facts/nbt.md, 2.2).
    private static func selectsWithPassword(_ command: CommandAPDU) -> Bool {
        command.ins == 0xA4 && command.p1 == 0 && command.data.count > 2
    }

    /// AUTHENTICATE (88) answers with a signature, SELECT with a password by that password's
    /// response, and GET RESPONSE (C0) with the rest of what another command would not show.
    private static func answerIsSecret(_ command: CommandAPDU) -> Bool {
        command.ins == 0x88 || command.ins == 0xC0 || selectsWithPassword(command)
    }
}

private func hidden(_ secret: Data) -> String {
    secret.isEmpty ? "" : "(\(secret.count) bytes hidden)"
}

extension ExchangeRecord: CustomStringConvertible {
    /// The exchange on one line: command, answer, milliseconds.
    public var description: String {
        let milliseconds = duration / .milliseconds(1)
        let tenths = Int((milliseconds * 10).rounded())
        return "\(command) -> \(response ?? "no answer") (\(tenths / 10).\(tenths % 10) ms)"
    }
}
