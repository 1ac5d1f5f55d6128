/// The identifier of a password in the chip, 1 to 31 (facts/nbt.md, 1.4 and 2.5).
public struct PasswordId: Sendable, Hashable, Comparable {
    /// The identifier, 1 to 31.
    public let number: UInt8

    /// Every identifier that there is; at most 28 of them hold a password at a time.
    public static let all: [PasswordId] = (1...0x1F).map(PasswordId.init(unchecked:))

    /// Takes an identifier.
    ///
    /// - Throws: `NbtError.invalidPasswordId` below 1 or above 31; it is never cut to five bits.
    public init(_ number: Int) throws(NbtError) {
        guard (1...Int(NbtConstants.idMaskBits)).contains(number) else {
            throw .invalidPasswordId(number)
        }
        self.number = UInt8(number)
    }

    init(unchecked number: UInt8) { self.number = number }

    /// The order of the numbers.
    public static func < (left: PasswordId, right: PasswordId) -> Bool {
        left.number < right.number
    }
}

extension PasswordId: CustomStringConvertible {
    /// The number in decimal digits.
    public var description: String { "\(number)" }
}
