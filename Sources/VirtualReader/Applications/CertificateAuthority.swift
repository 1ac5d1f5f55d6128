import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A certificate authority of one's own for virtual tags, made in memory with fresh keys.
///
/// It has the shape of the real one (facts/nbt.md, 3.3): a root and a manufacturing CA, both P-384, and device
/// certificates whose common name is the UID. It can also make every kind of wrong device certificate, so that a
/// verifier's reasons can be tested.
public struct CertificateAuthority: Sendable {
    /// The self-signed root, DER.
    public let rootCertificate: Data
    /// The manufacturing CA that signs devices, DER.
    ///
    /// Signed by the root.
    public let manufacturingCertificate: Data
    private let manufacturingKey: SigningKey
    private let now: Date

    private static let day: TimeInterval = 86_400
    private static let year = 365 * day

    /// Makes root and manufacturing CA, valid from ten years before `now` to thirty years after.
    public init(now: Date = Date()) throws(CardError) {
        let validity = now - 10 * Self.year...now + 30 * Self.year
        let rootKey = try SigningKey(.p384)
        let root = try X509Certificate(
            CertificateTemplate(
                subject: "nfc-session virtual root CA",
                validity: validity,
                basicConstraints: "critical,CA:TRUE",
                keyUsage: "critical,keyCertSign"
            ),
            for: rootKey
        )
        manufacturingKey = try SigningKey(.p384)
        let manufacturing = try X509Certificate(
            CertificateTemplate(
                subject: "nfc-session virtual manufacturing CA",
                validity: validity,
                basicConstraints: "critical,CA:TRUE,pathlen:0",
                keyUsage: "critical,keyCertSign"
            ),
            for: manufacturingKey,
            signedBy: (root, rootKey)
        )
        rootCertificate = try root.der()
        manufacturingCertificate = try manufacturing.der()
        self.now = now
    }

    /// The root as PEM text, to be given as a trust anchor.
    public var rootPEM: String { PEM.encode(rootCertificate, label: "CERTIFICATE") }

    /// The manufacturing CA as PEM text, to be given as a trust anchor.
    public var manufacturingPEM: String {
        PEM.encode(manufacturingCertificate, label: "CERTIFICATE")
    }

    /// What is said in a device certificate.
    ///
    /// Every field has the value of a genuine device by default.
    public struct DeviceProfile: Sendable {
        /// The common name; nil for the UID in upper-case hex.
        public var subject: String?
        /// When it is valid; nil for one day before the authority's `now` to twenty years after.
        public var validity: ClosedRange<Date>?
        /// The kind of key; a genuine device has P-256.
        public var keyKind: SigningKey.Kind = .p256
        /// Whether the certificate says CA:TRUE, and so could sign others.
        public var isCertificateAuthority = false
        /// Whether the key usage is digitalSignature; otherwise it is keyAgreement.
        public var allowsDigitalSignature = true

        /// A genuine device.
        public init() {}
    }

    /// Makes a key and a certificate for the device with this UID.
    public func identity(
        uid: Data,
        profile: DeviceProfile = DeviceProfile()
    ) throws(CardError) -> DeviceIdentity {
        let key = try SigningKey(profile.keyKind)
        let validity = profile.validity ?? now - Self.day...now + 20 * Self.year
        let certificate = try X509Certificate(
            CertificateTemplate(
                subject: profile.subject ?? uid.hex.uppercased(),
                validity: validity,
                basicConstraints: profile.isCertificateAuthority
                    ? "critical,CA:TRUE" : "critical,CA:FALSE",
                keyUsage: profile.allowsDigitalSignature
                    ? "critical,digitalSignature" : "critical,keyAgreement"
            ),
            for: key,
            signedBy: (try X509Certificate(manufacturingCertificate), manufacturingKey)
        )
        return DeviceIdentity(certificate: try certificate.der(), key: key)
    }

    /// One thing that is wrong with a device.
    public enum Deviation: Sendable, CaseIterable {
        /// The certificate ended yesterday.
        case expired
        /// The certificate begins tomorrow.
        case notYetValid
        /// The key is P-384; the signature fits it.
        case p384Key
        /// The key is RSA; the signature fits it.
        case rsaKey
        /// The certificate says CA:TRUE.
        case certificateAuthority
        /// The key usage does not contain digitalSignature.
        case noDigitalSignature
        /// A genuine certificate, but the tag signs with another P-256 key.
        case foreignKey
        /// The certificate comes from another authority of the same name.
        case foreignAuthority
        /// The certificate names the UID of another chip.
        case foreignSubject
    }

    /// Makes a device that is genuine but for one thing.
    public func identity(uid: Data, deviation: Deviation) throws(CardError) -> DeviceIdentity {
        var profile = DeviceProfile()
        switch deviation {
        case .expired: profile.validity = now - 2 * Self.year...now - Self.day
        case .notYetValid: profile.validity = now + Self.day...now + 2 * Self.year
        case .p384Key: profile.keyKind = .p384
        case .rsaKey: profile.keyKind = .rsa2048
        case .certificateAuthority: profile.isCertificateAuthority = true
        case .noDigitalSignature: profile.allowsDigitalSignature = false
        case .foreignSubject:
            // Another last byte is another chip of the same maker.
            profile.subject = (uid.dropLast() + uid.suffix(1).map { ~$0 }).hex.uppercased()
        case .foreignKey:
            let genuine = try identity(uid: uid)
            return DeviceIdentity(certificate: genuine.certificate, key: try SigningKey(.p256))
        case .foreignAuthority:
            return try CertificateAuthority(now: now).identity(uid: uid)
        }
        return try identity(uid: uid, profile: profile)
    }
}
