import BrandProtection
import Foundation
import Testing

/// Vector 132 of facts/nbt.md, 8.9, and the ends of the sample certificate's validity (3.3).
@Suite struct ValidityTests {
    @Test(
        "the clock decides",
        .needsSampleFiles,
        arguments: [
            ("1970-01-01T00:00:00Z", .notYetValid),
            ("2022-07-31T12:00:00Z", .notYetValid),
            ("2022-07-31T23:59:59Z", .notYetValid),
            ("2022-08-01T00:00:00Z", nil),
            ("2026-11-30T12:00:00Z", nil),
            ("2042-07-30T23:59:59Z", nil),
            ("2042-07-31T00:00:00Z", .expired),
            ("2042-07-31T12:00:00Z", .expired),
        ] as [(String, BrandVerification.Reason?)]
    )
    func clock(time: String, reason: BrandVerification.Reason?) throws {
        #expect(Validity.problem(try SharedFiles.sampleDevice, at: moment(time)) == reason)
    }

    @Test(
        "a clock before this program was written cannot be right",
        arguments: [
            ("1970-01-01T00:00:00Z", false), ("2025-12-31T23:59:59Z", false),
            ("2026-01-01T00:00:00Z", true), ("2040-01-01T00:00:00Z", true),
        ]
    )
    func plausible(time: String, isPlausible: Bool) {
        #expect(Validity.isPlausible(moment(time)) == isPlausible)
    }
}
