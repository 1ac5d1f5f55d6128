#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A status word other than 9000 by which a card ends a command (ISO 7816-4, 5.6; facts/nbt.md, 2.9).
struct Refusal: Error, Equatable {
    let statusWord: UInt16

    /// 6700: Lc or Le is wrong.
    static let wrongLength = Refusal(statusWord: 0x6700)
    /// 6982: an access condition is not satisfied.
    static let securityStatus = Refusal(statusWord: 0x6982)
    /// 6983: the password or PIN is blocked.
    static let blocked = Refusal(statusWord: 0x6983)
    /// 6985: conditions of use not satisfied.
    static let conditionsOfUse = Refusal(statusWord: 0x6985)
    /// 6986: no elementary file is selected.
    static let noFileSelected = Refusal(statusWord: 0x6986)
    /// 6A80: the data field is wrong.
    static let wrongData = Refusal(statusWord: 0x6A80)
    /// 6A82: no such application or file.
    static let notFound = Refusal(statusWord: 0x6A82)
    /// 6A84: the file is too short for the data.
    static let noSpace = Refusal(statusWord: 0x6A84)
    /// 6A86: P1 or P2 is wrong.
    static let wrongParameters = Refusal(statusWord: 0x6A86)
    /// 6A88: what P1, P2 or the data refer to does not exist.
    static let referencedDataNotFound = Refusal(statusWord: 0x6A88)
    /// 6B00: the offset is outside the file.
    static let wrongOffset = Refusal(statusWord: 0x6B00)
    /// 6D00: the instruction is not known.
    static let unknownInstruction = Refusal(statusWord: 0x6D00)
    /// 6E00: the class is not known.
    static let unknownClass = Refusal(statusWord: 0x6E00)
    /// 6F00: the card failed and cannot say why.
    static let noDiagnosis = Refusal(statusWord: 0x6F00)

    /// 63Cx: the PIN was wrong, x tries are left.
    static func wrongPIN(triesLeft: Int) -> Refusal {
        Refusal(statusWord: 0x63C0 | UInt16(min(max(triesLeft, 0), 15)))
    }
}

/// A card's state that works on commands one by one.
protocol CommandProcessor: Sendable {
    /// Carries out one command.
    ///
    /// - Returns: the response data, without status word.
    mutating func process(_ command: CardCommand) throws(Refusal) -> Data
}

extension CommandProcessor {
    /// Decodes a command, carries it out and gives the whole response APDU.
    mutating func respond(to bytes: Data) -> Data {
        do throws(Refusal) {
            return Self.response(try process(try CardCommand(bytes)), statusWord: 0x9000)
        } catch {
            return Self.response(Data(), statusWord: error.statusWord)
        }
    }

    private static func response(_ data: Data, statusWord: UInt16) -> Data {
        data + [UInt8(statusWord >> 8), UInt8(statusWord & 0xFF)]
    }
}
