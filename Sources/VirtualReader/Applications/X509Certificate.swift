import COpenSSL

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A certificate in OpenSSL's hands (X509).
final class X509Certificate {
    private let handle: OpaquePointer

    /// Reads a certificate, as PEM text or DER bytes.
    init(_ bytes: Data) throws(CardError) {
        let der = [UInt8](try PEM.decode(bytes, labels: ["CERTIFICATE"]))
        let certificate = der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var position = buffer.baseAddress
            return d2i_X509(nil, &position, buffer.count)
        }
        guard let certificate else { throw .openSSL(failedAt: "reading a certificate") }
        handle = certificate
    }

    /// Makes a certificate from a template for the public half of `key`.
    ///
    /// Without an issuer, `key` itself signs.
    init(
        _ template: CertificateTemplate,
        for key: SigningKey,
        signedBy issuer: (certificate: X509Certificate, key: SigningKey)? = nil
    ) throws(CardError) {
        guard let certificate = X509_new() else { throw .openSSL(failedAt: "making a certificate") }
        handle = certificate
        let issuerHandle = issuer?.certificate.handle ?? certificate
        let name = X509_get_subject_name(certificate)
        // Version 3 is coded as 2; the serial number is positive and random (RFC 5280, 4.1.2.2).
        guard X509_set_version(certificate, 2) == 1,
            ASN1_INTEGER_set_uint64(
                X509_get_serialNumber(certificate),
                UInt64.random(in: 1...UInt64(Int64.max))
            ) == 1,
            Self.add(template.subject, as: "CN", to: name),
            Self.add("nfc-session virtual tags", as: "O", to: name),
            X509_set_issuer_name(certificate, X509_get_subject_name(issuerHandle)) == 1,
            Self.set(template.validity.lowerBound, in: X509_getm_notBefore(certificate)),
            Self.set(template.validity.upperBound, in: X509_getm_notAfter(certificate)),
            key.withHandle({ X509_set_pubkey(certificate, $0) }) == 1,
            Self.addExtensions(of: template, to: certificate, issuer: issuerHandle),
            (issuer?.key ?? key).withHandle({ X509_sign(certificate, $0, EVP_sha256()) }) > 0
        else { throw .openSSL(failedAt: "making a certificate") }
    }

    deinit { X509_free(handle) }

    /// The certificate as DER bytes.
    func der() throws(CardError) -> Data {
        guard let der = Data(i2d: { i2d_X509(handle, $0) }) else {
            throw .openSSL(failedAt: "writing a certificate")
        }
        return der
    }

    private static func add(_ text: String, as field: String, to name: OpaquePointer?) -> Bool {
        let bytes = [UInt8](text.utf8)
        return X509_NAME_add_entry_by_txt(
            name,
            field,
            MBSTRING_UTF8,
            bytes,
            Int32(clamping: bytes.count),
            -1,
            0
        ) == 1
    }

    /// Writes a UTCTime up to 2049 and a GeneralizedTime after that (RFC 5280, 4.1.2.5).
    private static func set(_ date: Date, in time: UnsafeMutablePointer<ASN1_TIME>?) -> Bool {
        guard let seconds = Int(exactly: date.timeIntervalSince1970.rounded(.down)) else {
            return false
        }
        return ASN1_TIME_set(time, seconds) != nil
    }

    private static func addExtensions(
        of template: CertificateTemplate,
        to certificate: OpaquePointer,
        issuer: OpaquePointer
    ) -> Bool {
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        let extensions = [
            (NID_basic_constraints, template.basicConstraints),
            (NID_key_usage, template.keyUsage),
            (NID_subject_key_identifier, "hash"),
            // After the subject's, because a self-signed certificate takes it from there.
            (NID_authority_key_identifier, "keyid:always"),
        ]
        return extensions.allSatisfy { identifier, value in
            guard let item = X509V3_EXT_nconf_nid(nil, &context, identifier, value) else {
                return false
            }
            defer { X509_EXTENSION_free(item) }
            return X509_add_ext(certificate, item, -1) == 1
        }
    }
}

/// What a certificate says, apart from its key and its issuer.
struct CertificateTemplate {
    /// The common name (CN) of the subject.
    let subject: String
    let validity: ClosedRange<Date>
    /// In OpenSSL's words: "critical,CA:FALSE" (x509v3_config(5)).
    let basicConstraints: String
    /// In OpenSSL's words: "critical,digitalSignature".
    let keyUsage: String
}
