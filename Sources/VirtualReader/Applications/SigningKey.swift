import COpenSSL

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A private key with which a virtual card signs (OpenSSL's EVP_PKEY).
///
/// For tests and demonstrations: the key lies in ordinary memory.
public final class SigningKey: @unchecked Sendable {
    // Sendable: the handle is set once, freed once in deinit, and every function below only reads the key, which
    // OpenSSL 3 allows from several threads at once (openssl-threads(7): reading shared objects).
    private let handle: OpaquePointer

    /// What kind of key to make.
    public enum Kind: Sendable {
        /// Elliptic curve NIST P-256, the only kind a real NBT has.
        case p256
        /// Elliptic curve NIST P-384.
        case p384
        /// RSA with 2048 bits.
        case rsa2048
    }

    /// Makes a fresh random key.
    public init(_ kind: Kind = .p256) throws(CardError) {
        let algorithm = kind == .rsa2048 ? EVP_PKEY_RSA : EVP_PKEY_EC
        let context = EVP_PKEY_CTX_new_id(algorithm, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1,
            Self.choose(kind, in: context) == 1,
            EVP_PKEY_generate(context, &key) == 1,
            let key
        else { throw .openSSL(failedAt: "making a key") }
        handle = key
    }

    /// Reads an unencrypted private key: PKCS#8 or SEC 1, as PEM text or DER bytes.
    public init(_ bytes: Data) throws(CardError) {
        let der = try PEM.decode(bytes, labels: ["PRIVATE KEY", "EC PRIVATE KEY"])
        handle = try Self.parse(der)
    }

    /// The NIST P-256 key with this private number (32 bytes), as PERSONALIZE DATA brings it (facts/nbt.md, 2.7).
    ///
    /// A number of 0, or not below the order of the curve, is no key and refused.
    public init(p256Scalar scalar: Data) throws(CardError) {
        guard scalar.count == 32 else {
            throw .invalidArgument("a P-256 private number has 32 bytes")
        }
        // ECPrivateKey of RFC 5915: version 1, the number, the curve; OpenSSL computes the public key.
        let head: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
        let prime256v1: [UInt8] = [
            0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
        ]
        handle = try Self.parse(Data(head) + scalar + prime256v1)
        let context = EVP_PKEY_CTX_new(handle, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_private_check(context) == 1 else {
            throw .openSSL(failedAt: "checking a private number")
        }
    }

    deinit { EVP_PKEY_free(handle) }

    /// The private key as unencrypted PKCS#8 PEM text.
    public func pem() throws(CardError) -> String {
        guard let info = EVP_PKEY2PKCS8(handle) else {
            throw .openSSL(failedAt: "writing a key")
        }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        guard let der = Data(i2d: { i2d_PKCS8_PRIV_KEY_INFO(info, $0) }) else {
            throw .openSSL(failedAt: "writing a key")
        }
        return PEM.encode(der, label: "PRIVATE KEY")
    }

    /// Signs with SHA-256: ECDSA as DER SEQUENCE of r and s, or RSA PKCS#1 v1.5 (facts/nbt.md, 2.4).
    public func signature(over message: Data) throws(CardError) -> Data {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let input = [UInt8](message)
        var length = 0
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, handle) == 1,
            EVP_DigestSign(context, nil, &length, input, input.count) == 1
        else { throw .openSSL(failedAt: "signing") }
        var signature = [UInt8](repeating: 0, count: length)
        guard EVP_DigestSign(context, &signature, &length, input, input.count) == 1 else {
            throw .openSSL(failedAt: "signing")
        }
        return Data(signature.prefix(length))
    }

    /// Lends the EVP_PKEY, which must not be kept or freed.
    func withHandle<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(handle) }

    private static func choose(_ kind: Kind, in context: OpaquePointer?) -> Int32 {
        switch kind {
        case .p256: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1)
        case .p384: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_secp384r1)
        case .rsa2048: EVP_PKEY_CTX_set_rsa_keygen_bits(context, 2048)
        }
    }

    private static func parse(_ der: Data) throws(CardError) -> OpaquePointer {
        let bytes = [UInt8](der)
        let key = bytes.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var position = buffer.baseAddress
            return d2i_AutoPrivateKey(nil, &position, buffer.count)
        }
        guard let key else { throw .openSSL(failedAt: "reading a private key") }
        return key
    }
}

extension Data {
    /// What one of OpenSSL's `i2d_` functions writes; nil when it fails.
    init?(i2d write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32) {
        let length = write(nil)
        guard length > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(length))
        let written = bytes.withUnsafeMutableBufferPointer { buffer -> Int32 in
            var position = buffer.baseAddress
            return write(&position)
        }
        guard written == length else { return nil }
        self.init(bytes)
    }
}
