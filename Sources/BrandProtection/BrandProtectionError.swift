/// What stops a verification, or keeps trust anchors from being loaded.
public enum BrandProtectionError: Error, Equatable, Sendable {
    /// A step of the verification failed; `detail` says what exactly, as a sentence.
    case verificationFailed(BrandVerification.Reason, detail: String)
    /// The bytes are no X.509 certificate in DER; the text says why.
    case malformedCertificate(String)
    /// The bytes are no private key for a tag; the text says why. Pass an unencrypted P-256 key.
    case unusableKey(String)
    /// A file or PEM text gives no trust anchors; the text says which and why. Pass a PEM file with
    /// CA certificates.
    case unusableAnchors(String)
}

extension BrandProtectionError: CustomStringConvertible {
    /// The fault as a sentence.
    public var description: String {
        switch self {
        case .verificationFailed(_, let detail): detail
        case .malformedCertificate(let problem): "The certificate is malformed: \(problem)."
        case .unusableKey(let problem): "The private key cannot be used: \(problem)."
        case .unusableAnchors(let problem): problem
        }
    }
}
