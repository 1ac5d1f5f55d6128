import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How many wrong tries a password allows before it is blocked (facts/nbt.md, 1.7 and 2.5).
public enum TryLimit: Sendable, Hashable {
    /// Blocked after this many wrong tries, 1 to 127.
    case tries(UInt8)
    /// Never blocked.
    case unlimited

    /// The two bytes as a number: 0001 to 007F, or FFFF.
    public var encoded: UInt16 {
        switch self {
        case .tries(let count): UInt16(count)
        case .unlimited: 0xFFFF
        }
    }
}

/// A password as CREATE PASSWORD and DGI A003 store it (facts/nbt.md, 2.5 and 2.7).
///
/// Printing it shows neither the password nor its response.
public struct PasswordDefinition: Sendable, Hashable {
    /// The identifier that access conditions name.
    public let id: PasswordId
    /// The password, 4 bytes.
    public let password: Data
    /// What SELECT answers to the right password, never 0000 or FFFF.
    ///
    /// A host that compares it recognises a tag that merely accepts every password.
    public let response: UInt16
    /// The wrong tries before it is blocked.
    public let limit: TryLimit

    /// Puts a password together.
    ///
    /// - Throws: `NbtError.invalidArgument` for a password that has not 4 bytes, a response of 0000
    ///   or FFFF, or a limit outside 1 to 127.
    public init(
        id: PasswordId,
        password: Data,
        response: UInt16,
        limit: TryLimit
    ) throws(NbtError) {
        try Self.check(password, for: .createPassword)
        guard response != 0x0000, response != 0xFFFF else {
            throw .invalidArgument(
                .createPassword,
                "the response must not be 0000 or FFFF, which mean wrong and blocked"
            )
        }
        if case .tries(let count) = limit, !(1...0x7F).contains(count) {
            throw .invalidArgument(
                .createPassword,
                "1 to 127 wrong tries or no limit can be set, not \(count)"
            )
        }
        self.id = id
        self.password = Data(password)
        self.response = response
        self.limit = limit
    }

    /// The 9 bytes: identifier, password, response, limit.
    public var encoded: Data {
        Data([id.number]) + password + response.bigEndianBytes + limit.encoded.bigEndianBytes
    }

    /// Every password has 4 bytes.
    static func check(_ password: Data, for command: NbtCommand) throws(NbtError) {
        guard password.count == NbtConstants.passwordLength else {
            throw .invalidArgument(
                command,
                "a password has 4 bytes, this one has \(password.count)"
            )
        }
    }
}

extension PasswordDefinition: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The identifier and the limit, without the secrets.
    public var description: String {
        switch limit {
        case .tries(let count): "password \(id), blocked after \(count) wrong tries"
        case .unlimited: "password \(id), never blocked"
        }
    }

    /// As `description`.
    public var debugDescription: String { description }

    /// Shows `dump` no more than `description` does.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "limit": limit]) }
}
