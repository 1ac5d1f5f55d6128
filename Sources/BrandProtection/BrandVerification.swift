#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The result of verifying a tag: a verdict, its reason, and what the tag showed.
public struct BrandVerification: Sendable, Hashable {
    /// The answer in three values: what could not be read is not called a fake.
    public enum Verdict: String, Sendable {
        /// The tag holds the private key of a certificate that a trust anchor signed.
        case genuine
        /// The tag was read and is not what it should be.
        case notGenuine
        /// The tag could not be read or judged. Try again.
        case unreadable
    }

    /// Genuine, not genuine, or unreadable.
    public var verdict: Verdict { reason?.verdict ?? .genuine }
    /// Why the tag is not genuine or not readable; nil when it is genuine.
    public let reason: Reason?
    /// What exactly went wrong, as a sentence; nil when the tag is genuine.
    public let detail: String?
    /// The tag's UID as the reader reported it.
    public let uid: Data
    /// The certificate's common name, made safe to print; nil when no certificate was read.
    ///
    /// It is the tag's own claim unless the certificate was trusted.
    public let subject: String?
    /// The certificate's serial number in upper-case hexadecimal digits; nil when no certificate
    /// was read.
    public let serial: String?
    /// The last second of the certificate's validity; nil when no certificate was read.
    public let notAfter: Date?
    /// The name of the trust anchor that signed the certificate; nil when none did.
    public let anchor: String?
    /// Whether that anchor is Infineon's sample CA, with whose published key anybody can imitate a
    /// tag.
    public let isSampleAnchor: Bool
    /// What a person should know beside the verdict, in sentences that are safe to print.
    public let notices: [String]
    /// How long the verification took, in milliseconds.
    public let milliseconds: Int
}

extension BrandVerification {
    /// The result of a tag that could not even be asked, such as one that does not speak ISO 7816-4.
    public init(uid: Data, reason: Reason) {
        self.init(
            reason: reason,
            detail: reason.explanation,
            uid: uid,
            subject: nil,
            serial: nil,
            notAfter: nil,
            anchor: nil,
            isSampleAnchor: false,
            notices: [],
            milliseconds: 0
        )
    }
}
