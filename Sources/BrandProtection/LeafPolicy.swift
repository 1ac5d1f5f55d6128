/// One thing that a tag's certificate must fulfil to be used as one (facts/nbt.md, 3.5 row 6).
///
/// What a policy reads is believed, so policies are asked only after an anchor has signed the
/// certificate.
package struct LeafPolicy: Sendable {
    /// What the certificate does wrong, as the end of "The certificate ..."; nil if it fulfils the
    /// policy.
    package let violation: @Sendable (Certificate) -> String?

    /// The NBT signs with a key on P-256, and with no other.
    package static let p256 = LeafPolicy { $0.hasP256Key ? nil : "has no key on P-256" }

    /// A CA's certificate is not a tag's.
    package static let endEntity = LeafPolicy {
        $0.isCA ? "belongs to a certificate authority" : nil
    }

    /// The key must be meant for signatures.
    package static let digitalSignature = LeafPolicy {
        $0.allowsDigitalSignature ? nil : "is not for digital signatures"
    }

    /// All that count.
    package static let all = [p256, endEntity, digitalSignature]
}
