import Bytes

/// Who may read or write a file through one interface (facts/nbt.md, 1.4).
public enum AccessCondition: Sendable, Hashable {
    /// Everybody: 40.
    case always
    /// Nobody: 00.
    case never
    /// Whoever knows the password with this identifier: 80 + identifier.
    case password(PasswordId)

    /// Reads a condition byte.
    ///
    /// - Throws: `NbtError.malformedPolicy` for a byte that is not defined; it is never rounded to
    ///   one that is.
    public init(byte: UInt8) throws(NbtError) {
        switch byte {
        case 0x40: self = .always
        case 0x00: self = .never
        case 0x81...0x9F: self = .password(try PasswordId(Int(byte & NbtConstants.idMaskBits)))
        default: throw .malformedPolicy("\(byte.hex.uppercased()) is no access condition")
        }
    }

    /// The byte that stands for the condition.
    public var byte: UInt8 {
        switch self {
        case .always: 0x40
        case .never: 0x00
        case .password(let id): 0x80 | id.number
        }
    }

    /// The identifier of the password that is needed; nil where none is.
    public var passwordId: PasswordId? {
        if case .password(let id) = self { id } else { nil }
    }
}

extension AccessCondition: CustomStringConvertible {
    /// "always", "never" or "password 3".
    public var description: String {
        switch self {
        case .always: "always"
        case .never: "never"
        case .password(let id): "password \(id)"
        }
    }
}
