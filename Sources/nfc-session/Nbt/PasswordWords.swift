import NBT

extension Option {
    static let tries = Option(
        "tries",
        value: "N",
        help: "Block the password after N wrong tries, 1 to 127, or unlimited; 10 unless given"
    )
}

extension Arguments {
    /// `--tries`: how many wrong tries block a password.
    func tryLimit() throws(UsageError) -> TryLimit {
        let limit = try value(
            of: .tries,
            expected: "a number from 1 to 127, or unlimited"
        ) { text -> TryLimit? in
            if text == "unlimited" { return .unlimited }
            return UInt8(text).flatMap { (1...127).contains($0) ? .tries($0) : nil }
        }
        return limit ?? .tries(10)
    }
}

extension PasswordId {
    /// What SELECT answers to this password unless another response is chosen: 9001 for password 1.
    ///
    /// Always the same, so that an interrupted plan finds its own password again.
    var usualResponse: UInt16 { 0x9000 | UInt16(number) }
}
