import APDU
public import Foundation

/// A command APDU of ISO 7816-4.
///
/// Apple's class of the same name (facts/corenfc.md, 1.4). It never changes after it is made.
open class NFCISO7816APDU: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because the class is open, as Apple's is; all it stores is constant and Sendable.

    /// Class byte, CLA.
    public let instructionClass: UInt8
    /// Instruction byte, INS.
    public let instructionCode: UInt8
    /// First parameter byte, P1.
    public let p1Parameter: UInt8
    /// Second parameter byte, P2.
    public let p2Parameter: UInt8
    /// The data field; nil when there is none, never empty.
    public let data: Data?
    /// The number of bytes the answer may have, 1 to 65,536; -1 when the command has no Le field.
    ///
    /// A short Le byte of 00 reads as 256, which is what it means. What Apple's class gives is not documented, and
    /// clients disagree: one expects 256, one asserts 0 (facts/corenfc.md, 1.4). 256 is what ISO 7816-4 says, and a
    /// client that builds a new command from the number gets the same Le byte again. A value of 0 or below -1 that was
    /// handed to the initialiser reads as it was handed in.
    public let expectedResponseLength: Int

    /// The bytes to send; nil when the fields do not fit into a command APDU.
    package let encoded: Data?

    /// A command with these fields.
    ///
    /// Lc and the form, short or extended, follow from the arguments.
    ///
    /// The extended form is used when `data` has more than 255 bytes or `expectedResponseLength` is above 256.
    ///
    /// - Parameters:
    ///   - instructionClass: CLA.
    ///   - instructionCode: INS.
    ///   - p1Parameter: P1.
    ///   - p2Parameter: P2.
    ///   - data: the data field, at most 65,535 bytes; empty for none.
    ///   - expectedResponseLength: 1 to 65,536; a negative number leaves Le out; 0 sends a Le of 00, which asks for as
    ///     much as there is, as clients expect (facts/corenfc.md, 1.4). Beyond these limits the command is not sent and
    ///     its sender gets `readerErrorInvalidParameter`.
    public init(
        instructionClass: UInt8,
        instructionCode: UInt8,
        p1Parameter: UInt8,
        p2Parameter: UInt8,
        data: Data,
        expectedResponseLength: Int
    ) {
        self.instructionClass = instructionClass
        self.instructionCode = instructionCode
        self.p1Parameter = p1Parameter
        self.p2Parameter = p2Parameter
        self.data = data.isEmpty ? nil : data
        self.expectedResponseLength = expectedResponseLength
        let expectedLength: Int? =
            switch expectedResponseLength {
            case ..<0: nil
            case 0: 256
            default: expectedResponseLength
            }
        let command = try? CommandAPDU(
            cla: instructionClass,
            ins: instructionCode,
            p1: p1Parameter,
            p2: p2Parameter,
            data: data,
            expectedLength: expectedLength
        )
        encoded = command?.encoded
    }

    /// The command that `data` spells, in any of the seven forms of ISO 7816-4; nil for anything else.
    ///
    /// - Parameter data: header, Lc and data field, Le. These bytes are sent as they are.
    public init?(data: Data) {
        guard let command = try? CommandAPDU(encoded: data) else { return nil }
        instructionClass = command.cla
        instructionCode = command.ins
        p1Parameter = command.p1
        p2Parameter = command.p2
        self.data = command.data.isEmpty ? nil : command.data
        expectedResponseLength = command.expectedLength ?? -1
        encoded = data
    }

    /// The same object: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The encoded bytes as a list, `[0x00, 0xA4, ...]`, which is what Apple's class prints.
    open override var description: String {
        let bytes = (encoded ?? Data()).map { byte in
            "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return "[" + bytes.joined(separator: ", ") + "]"
    }
}

extension NFCISO7816APDU {
    /// The DF name of a SELECT by name (INS A4, P1 04), empty when the command has none; nil for other commands.
    ///
    /// Proprietary classes and secure messaging are other commands: A4 means something else there, or the name is
    /// encrypted.
    package var selectedApplication: Data? {
        let isInterindustry = instructionClass & 0x80 == 0
        let secureMessaging: UInt8 = instructionClass & 0x40 == 0 ? 0x0C : 0x20
        guard isInterindustry, instructionClass & secureMessaging == 0,
            instructionCode == 0xA4, p1Parameter == 0x04
        else { return nil }
        return data ?? Data()
    }
}
