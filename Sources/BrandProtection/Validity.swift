#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// What the clock says about a certificate.
package enum Validity {
    /// 2026-01-01 00:00:00 UTC: this program is younger, so a clock before it is wrong.
    ///
    /// A Raspberry Pi without a battery clock starts in 1970 or at its last shutdown.
    package static let earliestPlausibleDate = Date(timeIntervalSince1970: 1_767_225_600)

    /// Whether the clock can be right at all.
    package static func isPlausible(_ now: Date) -> Bool { now >= earliestPlausibleDate }

    /// Why a certificate is not valid at a time, or nil if it is; both ends belong to the validity.
    package static func problem(_ certificate: Certificate, at now: Date) -> BrandVerification
        .Reason?
    {
        if now < certificate.notBefore { return .notYetValid }
        return now > certificate.notAfter ? .expired : nil
    }
}
