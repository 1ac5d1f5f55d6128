#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Decides whether a tag's certificate is trusted, in an order in which each reason is true.
///
/// First the signature: nothing that unsigned bytes say about dates or purposes counts. Then what
/// no clock can change. Last the dates, and only if the clock can be right.
package struct ChainPolicy: Sendable {
    private let anchors: TrustAnchors

    /// Trusts these anchors.
    package init(anchors: TrustAnchors) { self.anchors = anchors }

    /// Finds the anchor that makes the certificate trusted.
    ///
    /// - Throws: `BrandProtectionError.verificationFailed` with one of `untrusted`,
    ///   `unsuitableCertificate`, `clockNotSet`, `notYetValid`, `expired`.
    package func anchor(
        for certificate: Certificate,
        at now: Date
    ) throws(BrandProtectionError) -> TrustAnchor {
        let vouching = try vouchingAnchors(for: certificate)
        for policy in LeafPolicy.all {
            if let violation = policy.violation(certificate) {
                throw .verificationFailed(
                    .unsuitableCertificate,
                    detail: "The certificate \(violation)."
                )
            }
        }
        guard Validity.isPlausible(now) else {
            throw .verificationFailed(
                .clockNotSet,
                detail: "The clock shows \(day(now)), which cannot be right."
            )
        }
        if let reason = Validity.problem(certificate, at: now) {
            throw failure(reason, "The certificate", certificate, now)
        }
        // The same CA may be there twice, once renewed.
        if let anchor = vouching.first(where: { Validity.problem($0.certificate, at: now) == nil })
        {
            return anchor
        }
        for anchor in vouching {
            if let reason = Validity.problem(anchor.certificate, at: now) {
                throw failure(reason, "The trust anchor \(anchor.name)", anchor.certificate, now)
            }
        }
        throw .verificationFailed(.untrusted, detail: "No trust anchor signed the certificate.")
    }

    private func vouchingAnchors(
        for certificate: Certificate
    ) throws(BrandProtectionError) -> [TrustAnchor] {
        var problems: Set<String> = []
        var vouching: [TrustAnchor] = []
        for anchor in anchors.anchors {
            if let problem = certificate.problem(issuedBy: anchor.certificate) {
                problems.insert(problem)
            } else {
                vouching.append(anchor)
            }
        }
        guard !vouching.isEmpty else {
            let words = problems.sorted().joined(separator: "; ")
            throw .verificationFailed(
                .untrusted,
                detail: "No trust anchor signed the certificate (\(words))."
            )
        }
        return vouching
    }

    private func failure(
        _ reason: BrandVerification.Reason,
        _ what: String,
        _ certificate: Certificate,
        _ now: Date
    ) -> BrandProtectionError {
        let validity =
            reason == .expired
            ? "was valid until \(day(certificate.notAfter))"
            : "is valid from \(day(certificate.notBefore))"
        return .verificationFailed(reason, detail: "\(what) \(validity); today is \(day(now)).")
    }

    /// Year, month and day in UTC.
    private func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
