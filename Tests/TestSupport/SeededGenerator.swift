/// Random numbers that are the same in every run (xorshift64*, Vigna 2014).
///
/// For tests only.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    /// Numbers that follow from `seed`.
    package init(seed: UInt64) {
        state = seed == 0 ? 1 : seed
    }

    /// The next number.
    package mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }
}
