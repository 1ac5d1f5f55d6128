import BrandProtection
import Foundation
import TestSupport
import Testing

/// What happens to a genuine tag when any one byte of its certificate is changed.
///
/// Every byte but the outer wrapping is signed, so the reason is that nobody trusted signed *this*
/// certificate, or that it is no certificate any more. It is never what the changed byte claims: a
/// forged date is not "expired".
@Suite struct ChangedByteTests {
    /// A primitive field of the certificate, as `openssl asn1parse` sees it.
    struct Field {
        let type: String
        /// Where its value stands, without tag and length.
        let value: Range<Int>
    }

    /// Reads lines as "   43:d=5  hl=2 l=  53 prim: UTF8STRING        :NFC bridge ...".
    private func fields(of der: Data) throws -> [Field] {
        let text = try OpenSSLTool.run { openssl in
            try openssl(["asn1parse", "-inform", "DER", "-in", try openssl.file("der", der)])
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
            guard let match = line.firstMatch(of: /(\d+):d=\d+ +hl=(\d+) l= *(\d+) prim: (\w+)/),
                let offset = Int(match.1), let header = Int(match.2), let length = Int(match.3)
            else { return nil }
            let start = offset + header
            return Field(type: String(match.4), value: start..<(start + length))
        }
    }

    /// The reasons that are true when the byte at `index` is changed by `mask`.
    private func expected(
        _ index: Int,
        _ mask: UInt8,
        _ fields: [Field],
        _ signature: Range<Int>
    ) -> Set<BrandVerification.Reason> {
        guard let field = fields.first(where: { $0.value.contains(index) }) else {
            // A tag or a length: the structure breaks, or means another field of the signed part.
            return [.malformedCertificate, .untrusted]
        }
        // A bit string's first byte says how many of its bits are not used.
        let isUnusedBits = field.type == "BIT" && index == field.value.lowerBound
        switch field.type {
        case "BIT" where isUnusedBits:
            return [.malformedCertificate, .untrusted]
        case "BIT" where field.value == signature:
            return [.untrusted]
        case "BIT":
            // The point is not on its curve any more.
            return [.malformedCertificate]
        case "UTF8STRING" where mask & 0x80 == 0, "PRINTABLESTRING":
            return [.untrusted]
        case "UTF8STRING":
            return [.malformedCertificate]
        default:
            return [.malformedCertificate, .untrusted]
        }
    }

    @Test(
        "each of the 640 bytes is missed, with a true reason",
        .needsSampleFiles,
        arguments: [0x01, 0x80, 0xFF] as [UInt8]
    )
    func everyByte(mask: UInt8) async throws {
        let der = try SharedFiles.der("SampleDeviceCertificate.pem")
        let key = try SharedFiles.data("SampleDeviceKey.pem")
        let anchors = try TrustAnchors([SharedFiles.sampleCA])
        let fields = try fields(of: der)
        let signature = try #require(fields.last).value
        #expect(signature.upperBound == 640)

        for index in der.indices {
            var changed = der
            changed[index] ^= mask
            let tag = FakeTag(message: try TagMessage.personalised(changed), key: key)
            let manager = BpUseCaseManager(
                commandSet: tag.commandSet(),
                anchors: anchors,
                uid: hex("058C3FD9D4B200")
            )
            let result = try await manager.performBrandVerification()
            #expect(result.verdict == .notGenuine, "byte \(index)")
            let reason = try #require(result.reason)
            let allowed = expected(index, mask, fields, signature)
            #expect(allowed.contains(reason), "byte \(index): \(reason)")
            // Nothing that is not trusted gets a challenge.
            #expect(tag.commands.allSatisfy { $0[1] != 0x88 })
        }
    }

    @Test("a forged date is untrusted, not expired and not valid for longer")
    func forgedDate() throws {
        let authority = try TestAuthority()
        let issued = try authority.issue(days: 30)
        let original = try issued.certificate
        // The year of notAfter, as UTCTime: the second "17 0D" in the certificate.
        let marker = hex("170D")
        let first = try #require(issued.der.firstRange(of: marker))
        let second = try #require(issued.der[first.upperBound...].firstRange(of: marker))
        var forged = issued.der
        forged.replaceSubrange(second.upperBound..<(second.upperBound + 2), with: Data("49".utf8))
        let certificate = try Certificate(der: forged)
        #expect(certificate.notAfter > original.notAfter + 365 * 86_400)
        let policy = ChainPolicy(anchors: try authority.anchors)
        let later = original.notAfter + 86_400
        #expect(policy.failure(for: original, at: later)?.reason == .expired)
        #expect(policy.failure(for: certificate, at: later)?.reason == .untrusted)
    }

    @Test("random damage is refused and never trusted")
    func randomDamage() throws {
        let authority = try TestAuthority()
        let anchor = try authority.identity.certificate
        let der = try authority.issue().der
        var generator = SeededGenerator(seed: 509)
        for _ in 0..<2000 {
            var bytes = der
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(.random(in: 0...255, using: &generator), at: index)
                }
            }
            guard bytes != der, let certificate = try? Certificate(der: bytes) else { continue }
            #expect(certificate.problem(issuedBy: anchor) != nil)
        }
    }
}
