import Bytes
import COpenSSL

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An X.509 certificate, parsed from DER by OpenSSL.
///
/// All calls of OpenSSL stand in this file.
///
/// A certificate from a tag is unsigned bytes until `problem(issuedBy:)` finds none; nothing it
/// claims counts before.
public struct Certificate: Sendable {
    /// The longest certificate that is looked at, in bytes: what fits an NBT's NDEF file.
    public static let maximumLength = 4094

    /// The certificate in DER.
    public let der: Data
    /// The subject's common name, or nil if there is none that is text.
    public let subjectCommonName: String?
    /// The serial number in upper-case hexadecimal digits, with a minus sign if it is negative.
    public let serial: String
    /// The first second of validity.
    public let notBefore: Date
    /// The last second of validity.
    public let notAfter: Date
    /// The SubjectPublicKeyInfo in DER.
    public let subjectPublicKeyInfo: Data
    /// SHA-256 of `der`, 32 bytes.
    public let fingerprint: Data
    /// Whether the key is an elliptic curve key on P-256, named as such.
    public let hasP256Key: Bool
    /// Whether the certificate may issue others, by basic constraints or key usage.
    public let isCA: Bool
    /// Whether the key usage extension is there and allows digital signatures.
    public let allowsDigitalSignature: Bool

    private let x509: X509Owner

    /// Parses a certificate.
    ///
    /// All bytes must belong to it and be written as DER demands; key, extensions and dates must be
    /// readable.
    ///
    /// - Parameter der: 1 to 4094 bytes.
    /// - Throws: `BrandProtectionError.malformedCertificate`.
    public init(der: Data) throws(BrandProtectionError) {
        guard (1...Self.maximumLength).contains(der.count) else {
            throw .malformedCertificate("it has \(der.count) bytes, at most 4094 are possible")
        }
        let x509 = try X509Owner(der: der)
        let certificate = x509.pointer
        guard let notBefore = date(X509_get0_notBefore(certificate)),
            let notAfter = date(X509_get0_notAfter(certificate))
        else { throw .malformedCertificate("its validity is no date") }
        guard let keyInfo = encoding({ i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), $0) }),
            let key = X509_get0_pubkey(certificate),
            let fingerprint = sha256(der)
        else { throw .malformedCertificate("its key cannot be read") }

        self.der = Data(der)
        self.x509 = x509
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.fingerprint = fingerprint
        subjectPublicKeyInfo = keyInfo
        subjectCommonName = commonName(X509_get_subject_name(certificate))
        serial = hexadecimal(X509_get0_serialNumber(certificate))
        hasP256Key = isP256(key)
        // X509_check_ca says no to CA:TRUE whose key usage lacks keyCertSign; it calls itself a CA
        // all the same.
        isCA =
            X509_check_ca(certificate) != 0
            || X509_get_extension_flags(certificate) & UInt32(EXFLAG_CA) != 0
        // Without the extension, OpenSSL reports every bit as set.
        let usage = X509_get_key_usage(certificate)
        allowsDigitalSignature = usage != .max && usage & UInt32(KU_DIGITAL_SIGNATURE) != 0
    }

    /// Parses the certificates of a PEM text; blocks of other kinds are passed over.
    ///
    /// - Throws: `BrandProtectionError.malformedCertificate` for broken PEM or DER.
    package static func certificates(pem: Data) throws(BrandProtectionError) -> [Certificate] {
        var certificates: [Certificate] = []
        for der in try derBlocks(pem: pem, named: ["CERTIFICATE", "X509 CERTIFICATE"]) {
            certificates.append(try Certificate(der: der))
        }
        return certificates
    }

    /// Checks that `anchor` issued and signed this certificate and was allowed to; dates are not
    /// looked at.
    ///
    /// The anchor is trusted as it is, also without its own issuer (a partial chain). A certificate
    /// is vouched for by itself, too: whoever makes a tag's certificate an anchor trusts that tag.
    ///
    /// - Returns: nil if it holds, else OpenSSL's words for what does not.
    package func problem(issuedBy anchor: Certificate) -> String? {
        defer { ERR_clear_error() }
        guard let store = X509_STORE_new() else { return "out of memory" }
        defer { X509_STORE_free(store) }
        guard let context = X509_STORE_CTX_new() else { return "out of memory" }
        defer { X509_STORE_CTX_free(context) }
        let flags = X509_V_FLAG_PARTIAL_CHAIN | X509_V_FLAG_NO_CHECK_TIME
        guard X509_STORE_add_cert(store, anchor.x509.pointer) == 1,
            X509_STORE_set_flags(store, UInt(flags)) == 1,
            X509_STORE_CTX_init(context, store, x509.pointer, nil) == 1
        else { return "out of memory" }
        if X509_verify_cert(context) == 1 { return nil }
        let code = X509_STORE_CTX_get_error(context)
        return String(cString: X509_verify_cert_error_string(Int(code)))
    }

    /// Whether `signature` is the certificate's key's ECDSA signature over SHA-256 of `message`.
    package func isSignature(_ signature: ECDSASignature, of message: Data) -> Bool {
        defer { ERR_clear_error() }
        guard let key = X509_get0_pubkey(x509.pointer), let context = EVP_MD_CTX_new() else {
            return false
        }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key) == 1 else { return false }
        return signature.der.withUnsafeBytes { signature in
            message.withUnsafeBytes { message in
                EVP_DigestVerify(
                    context,
                    signature.bindMemory(to: UInt8.self).baseAddress,
                    signature.count,
                    message.bindMemory(to: UInt8.self).baseAddress,
                    message.count
                ) == 1
            }
        }
    }
}

/// The one owner of an `X509`.
///
/// `@unchecked Sendable`: the pointer never changes, and after `init` OpenSSL only reads what it
/// points to. The one thing it would write later, the cache of parsed extensions, is filled in
/// `init`; reference counts are atomic.
private final class X509Owner: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Wraps `d2i_X509`.
    init(der: Data) throws(BrandProtectionError) {
        defer { ERR_clear_error() }
        var consumed = 0
        let parsed = der.withUnsafeBytes { bytes -> OpaquePointer? in
            let start = bytes.bindMemory(to: UInt8.self).baseAddress
            var position = start
            let parsed = d2i_X509(nil, &position, bytes.count)
            if let start, let position { consumed = position - start }
            return parsed
        }
        guard let parsed else { throw .malformedCertificate("it is no X.509 certificate in DER") }
        // From here on `deinit` frees it, also when this initialiser throws.
        pointer = parsed
        guard consumed == der.count else {
            throw .malformedCertificate("\(der.count - consumed) bytes follow it")
        }
        // OpenSSL reads BER as well: a length in more bytes than needed, for example.
        guard encoding({ i2d_X509(parsed, $0) }) == der else {
            throw .malformedCertificate("it is not in the one form that DER allows")
        }
        // Fills the extension cache; fails if an extension cannot be read.
        guard X509_check_purpose(parsed, -1, 0) == 1 else {
            throw .malformedCertificate("an extension cannot be read")
        }
    }

    deinit { X509_free(pointer) }
}

/// The bytes that an `i2d_` function allocates and writes.
func encoding(
    _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
) -> Data? {
    var buffer: UnsafeMutablePointer<UInt8>?
    let count = write(&buffer)
    guard count > 0, let buffer else { return nil }
    defer { CRYPTO_free(buffer, nil, 0) }
    return Data(bytes: buffer, count: Int(count))
}

private func sha256(_ data: Data) -> Data? {
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    let done = data.withUnsafeBytes { bytes in
        EVP_Digest(bytes.baseAddress, bytes.count, &digest, &count, EVP_sha256(), nil)
    }
    return done == 1 && count == 32 ? Data(digest) : nil
}

/// UTCTime and GeneralizedTime alike, by their distance from 1970.
private func date(_ time: UnsafePointer<ASN1_TIME>?) -> Date? {
    guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
    defer { ASN1_TIME_free(epoch) }
    var days: Int32 = 0
    var seconds: Int32 = 0
    guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
    return Date(timeIntervalSince1970: Double(days) * 86_400 + Double(seconds))
}

/// The first common name, found by its OID wherever it stands.
private func commonName(_ name: OpaquePointer?) -> String? {
    let index = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
    guard let entry = X509_NAME_get_entry(name, index) else { return nil }
    var buffer: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&buffer, X509_NAME_ENTRY_get_data(entry))
    guard count >= 0, let buffer else { return nil }
    defer { CRYPTO_free(buffer, nil, 0) }
    return String(validating: UnsafeBufferPointer(start: buffer, count: Int(count)), as: UTF8.self)
}

private func hexadecimal(_ number: UnsafePointer<ASN1_INTEGER>?) -> String {
    guard let number, let bytes = ASN1_STRING_get0_data(number) else { return "" }
    let digits = Data(bytes: bytes, count: Int(ASN1_STRING_length(number))).hex.uppercased()
    return ASN1_STRING_type(number) & V_ASN1_NEG != 0 ? "-" + digits : digits
}

func isP256(_ key: OpaquePointer) -> Bool {
    guard EVP_PKEY_is_a(key, "EC") == 1 else { return false }
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    guard EVP_PKEY_get_group_name(key, &name, name.count, &count) == 1 else { return false }
    return name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar(bitPattern: $0) })
}

/// The contents of the blocks of a PEM text that have one of these names.
///
/// Wraps `PEM_read_bio`, which asks for no password.
func derBlocks(pem: Data, named names: Set<String>) throws(BrandProtectionError) -> [Data] {
    guard let size = Int32(exactly: pem.count) else {
        throw .malformedCertificate("the PEM text is too long")
    }
    defer { ERR_clear_error() }
    var blocks: [Data] = []
    let isComplete = pem.withUnsafeBytes { bytes -> Bool in
        guard let bio = BIO_new_mem_buf(bytes.baseAddress, size) else { return false }
        defer { BIO_free(bio) }
        ERR_clear_error()
        while let (name, content) = nextBlock(bio) {
            if names.contains(name) { blocks.append(content) }
        }
        // The only good way to end: there is no further block.
        return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE
    }
    guard isComplete else { throw .malformedCertificate("the PEM text is broken") }
    return blocks
}

private func nextBlock(_ bio: OpaquePointer) -> (name: String, content: Data)? {
    var name: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
    var content: UnsafeMutablePointer<UInt8>?
    var count = 0
    guard PEM_read_bio(bio, &name, &header, &content, &count) == 1, let name, let content else {
        return nil
    }
    defer {
        CRYPTO_free(name, nil, 0)
        CRYPTO_free(header, nil, 0)
        // The block may be somebody's private key.
        CRYPTO_clear_free(content, count, nil, 0)
    }
    return (String(cString: name), Data(bytes: content, count: count))
}
