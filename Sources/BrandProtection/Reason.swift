extension BrandVerification {
    /// Why a tag is not genuine or could not be read; raw values are the words of `verify --json`.
    public enum Reason: String, Sendable, CaseIterable {
        /// No trust anchor signed the certificate, or it was changed after signing.
        case untrusted
        /// The certificate's validity, or its anchor's, has ended.
        case expired
        /// The certificate's validity, or its anchor's, has not begun.
        case notYetValid
        /// The NDEF message has no record with a certificate.
        case noCertificate
        /// The NDEF message has more than one record with a certificate.
        case severalCertificates
        /// The record holds no well-formed X.509 certificate.
        case malformedCertificate
        /// The certificate is trusted, but not one for a tag: not P-256, a CA, or not for signing.
        case unsuitableCertificate
        /// The tag's signature was not made with the certificate's key.
        case signatureMismatch
        /// The tag refused a command.
        case refused
        /// The tag left the field or stopped answering.
        case tagLost
        /// The tag is empty, has no private key, or is no NBT at all.
        case notPersonalised
        /// This computer's clock cannot be right, so dates cannot be judged.
        case clockNotSet
        /// Answers were garbled or impossible.
        case protocolError
        /// The reader failed.
        case readerFailed

        /// The verdict that follows from the reason.
        public var verdict: Verdict {
            switch self {
            case .refused, .tagLost, .clockNotSet, .protocolError, .readerFailed: .unreadable
            case .untrusted, .expired, .notYetValid, .noCertificate, .severalCertificates,
                .malformedCertificate, .unsuitableCertificate, .signatureMismatch,
                .notPersonalised:
                .notGenuine
            }
        }

        /// What happened and what to do about it, in plain sentences.
        public var explanation: String {
            switch self {
            case .untrusted:
                "No trust anchor signed the tag's certificate. Check that the right anchors are given."
            case .expired:
                "The certificate has expired. If that cannot be, check this computer's clock."
            case .notYetValid:
                "The certificate is not valid yet. If that cannot be, check this computer's clock."
            case .noCertificate:
                "The tag carries no certificate."
            case .severalCertificates:
                "The tag carries more than one certificate, so it is not clear which one counts."
            case .malformedCertificate:
                "What the tag carries in place of its certificate is none."
            case .unsuitableCertificate:
                "The tag's certificate was not made for a tag."
            case .signatureMismatch:
                "The tag does not hold the private key of its certificate: it is a copy."
            case .refused:
                "The tag refused a command. It may be protected or of another kind."
            case .tagLost:
                "The tag left the field too early. Hold it still on the reader and try again."
            case .notPersonalised:
                "The tag is not personalised for brand protection."
            case .clockNotSet:
                "This computer's clock is not set. Set it and try again."
            case .protocolError:
                "The tag's answers make no sense. Hold it still on the reader and try again."
            case .readerFailed:
                "The reader failed. Check the reader and its cable and try again."
            }
        }
    }
}
