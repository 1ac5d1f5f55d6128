import BrandProtection
import Foundation
import Testing

@Suite struct ChainPolicyTests {
    static let authority = Result { try TestAuthority(name: "Maker") }

    private func reason(
        _ certificate: Certificate,
        _ anchors: [Certificate],
        at now: Date = Date()
    ) throws -> BrandVerification.Reason? {
        ChainPolicy(anchors: try TrustAnchors(anchors)).failure(for: certificate, at: now)?.reason
    }

    @Test("the anchor that signed is found among others")
    func found() throws {
        let authority = try Self.authority.get()
        let other = try TestAuthority(name: "Other").identity.certificate
        let policy = ChainPolicy(
            anchors: try TrustAnchors([other, authority.identity.certificate])
        )
        let anchor = try policy.anchor(for: try authority.issue().certificate, at: Date())
        #expect(anchor.name == "Maker")
        #expect(!anchor.isSample)
    }

    @Test("an intermediate is trusted without its root, the root does not do instead")
    func partialChain() throws {
        let root = try TestAuthority(name: "Root")
        let intermediate = try TestAuthority(name: "Intermediate", issuer: root)
        let certificate = try intermediate.issue().certificate
        #expect(try reason(certificate, [intermediate.identity.certificate]) == nil)
        #expect(try reason(certificate, [root.identity.certificate]) == .untrusted)
    }

    @Test("a CA of the same name with another key is not trusted")
    func sameName() throws {
        let impostor = try TestAuthority(name: "Maker")
        let certificate = try impostor.issue().certificate
        #expect(
            try reason(certificate, [try Self.authority.get().identity.certificate]) == .untrusted
        )
    }

    @Test("a tag's certificate cannot vouch for another one")
    func notAnAuthority() throws {
        let tag = try Self.authority.get().issue(subject: "Tag")
        let forger = try Self.authority.get().issue(subject: "Forger")
        let forged = try TestAuthority.certificate(subject: "05A1B2C3D4E5F6", signedBy: forger)
        #expect(try reason(forged, [try forger.certificate]) == .untrusted)
        #expect(try reason(forged, [try tag.certificate]) == .untrusted)
    }

    @Test("what is trusted but unsuitable is called so, whatever the clock shows")
    func unsuitable() throws {
        let authority = try Self.authority.get()
        let anchor = try authority.identity.certificate
        let certificate = try authority.issue(curve: "P-384").certificate
        #expect(try reason(certificate, [anchor]) == .unsuitableCertificate)
        #expect(
            try reason(certificate, [anchor], at: .distantFuture) == .unsuitableCertificate
        )
        // The anchor itself is trusted, and a CA.
        #expect(try reason(anchor, [anchor]) == .unsuitableCertificate)
        // Of a stranger's certificate nothing is believed, not even that it is unsuitable.
        let stranger = try TestAuthority(name: "Stranger").issue(curve: "P-384").certificate
        #expect(try reason(stranger, [anchor]) == .untrusted)
    }

    @Test("dates are judged after trust, and only by a clock that can be right")
    func dates() throws {
        let authority = try Self.authority.get()
        let anchor = try authority.identity.certificate
        let certificate = try authority.issue(days: 30).certificate
        let day = 86_400.0
        #expect(try reason(certificate, [anchor], at: certificate.notBefore) == nil)
        #expect(
            try reason(certificate, [anchor], at: certificate.notBefore - day) == .notYetValid
        )
        #expect(try reason(certificate, [anchor], at: certificate.notAfter + day) == .expired)
        #expect(
            try reason(certificate, [anchor], at: Date(timeIntervalSince1970: 0)) == .clockNotSet
        )
        let stranger = try TestAuthority(name: "Stranger").issue(days: 30).certificate
        for now in [Date(timeIntervalSince1970: 0), stranger.notAfter + day] {
            #expect(try reason(stranger, [anchor], at: now) == .untrusted)
        }
    }

    @Test("an anchor's dates count, and a renewed anchor replaces the expired one")
    func anchorDates() throws {
        let authority = try Self.authority.get()
        let certificate = try authority.issue(days: 3650).certificate
        let old = try authority.renewed(days: 10).identity.certificate
        let new = try authority.renewed(days: 1000).identity.certificate
        let later = old.notAfter + 86_400
        #expect(try reason(certificate, [old], at: later) == .expired)
        #expect(try reason(certificate, [old, new], at: later) == nil)
        #expect(try reason(certificate, [new, old], at: later) == nil)
        #expect(try reason(certificate, [old, new], at: new.notAfter + 86_400) == .expired)
    }

    @Test("the detail says who, and shows the clock")
    func detail() throws {
        let authority = try Self.authority.get()
        let certificate = try authority.issue(days: 30).certificate
        let policy = ChainPolicy(anchors: try authority.anchors)
        let clock = policy.failure(for: certificate, at: Date(timeIntervalSince1970: 0))
        #expect(clock?.detail == "The clock shows 1970-01-01, which cannot be right.")
        let old = try authority.renewed(days: 10).identity.certificate
        let expired = ChainPolicy(anchors: try TrustAnchors([old]))
            .failure(for: certificate, at: old.notAfter + 86_400)
        #expect(expired?.detail.hasPrefix("The trust anchor Maker was valid until ") == true)
    }

    @Test(
        "the sample device is trusted by the sample CA only",
        .needsSampleFiles,
        arguments: [
            ("2026-11-30T12:00:00Z", nil), ("2042-07-30T23:59:59Z", nil),
            ("2042-07-31T12:00:00Z", .expired), ("2047-07-31T12:00:00Z", .expired),
            ("2022-07-31T12:00:00Z", .clockNotSet), ("1970-01-01T00:00:00Z", .clockNotSet),
        ] as [(String, BrandVerification.Reason?)]
    )
    func sample(time: String, expected: BrandVerification.Reason?) throws {
        let device = try SharedFiles.sampleDevice
        let sample = try SharedFiles.sampleCA
        let production = try SharedFiles.productionCA
        #expect(try reason(device, [sample], at: moment(time)) == expected)
        #expect(try reason(device, [production, sample], at: moment(time)) == expected)
        #expect(try reason(device, [production], at: moment(time)) == .untrusted)
    }
}

extension ChainPolicy {
    /// Why a certificate is not trusted; nil if it is.
    func failure(
        for certificate: Certificate,
        at now: Date
    ) -> (reason: BrandVerification.Reason, detail: String)? {
        do throws(BrandProtectionError) {
            _ = try anchor(for: certificate, at: now)
            return nil
        } catch {
            guard case .verificationFailed(let reason, let detail) = error else {
                Issue.record("unexpected error: \(error)")
                return nil
            }
            return (reason, detail)
        }
    }
}
