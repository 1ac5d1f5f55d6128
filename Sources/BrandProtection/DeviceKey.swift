import COpenSSL
public import NBT

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The private key that a tag gets when it is personalised for brand protection: NIST P-256
/// (facts/nbt.md, 2.4 and 2.7).
public struct DeviceKey: Sendable {
    /// The private number for DGI A002, 32 bytes.
    public let scalar: SecretKey
    /// The public key as SubjectPublicKeyInfo in DER.
    public let subjectPublicKeyInfo: Data

    /// Reads an unencrypted private key, PKCS#8 or SEC 1, as PEM text or DER.
    ///
    /// - Throws: `BrandProtectionError.unusableKey` for anything else, and for another curve.
    public init(_ bytes: Data) throws(BrandProtectionError) {
        defer { ERR_clear_error() }
        let der = try Self.der(of: bytes)
        let key = der.withUnsafeBytes { bytes in
            var position = bytes.bindMemory(to: UInt8.self).baseAddress
            return d2i_AutoPrivateKey(nil, &position, bytes.count)
        }
        guard let key else { throw .unusableKey("it is no unencrypted private key") }
        defer { EVP_PKEY_free(key) }
        guard isP256(key) else { throw .unusableKey("it is not on the curve P-256") }
        guard let number = Self.privateNumber(of: key),
            let info = encoding({ i2d_PUBKEY(key, $0) })
        else { throw .unusableKey("it has no private number") }
        scalar = SecretKey(number)
        subjectPublicKeyInfo = info
    }

    /// Whether the certificate is for this key, which the chip does not check.
    public func belongs(to certificate: Certificate) -> Bool {
        subjectPublicKeyInfo == certificate.subjectPublicKeyInfo
    }

    private static func der(of bytes: Data) throws(BrandProtectionError) -> Data {
        // A DER structure begins with the byte of SEQUENCE, which no PEM text does.
        guard bytes.first != 0x30 else { return bytes }
        let names: Set<String> = ["PRIVATE KEY", "EC PRIVATE KEY"]
        let blocks: [Data]
        do throws(BrandProtectionError) {
            blocks = try derBlocks(pem: bytes, named: names)
        } catch {
            throw .unusableKey("the PEM text is broken")
        }
        guard let first = blocks.first, blocks.count == 1 else {
            throw .unusableKey("the PEM text holds no unencrypted private key, or several")
        }
        return first
    }

    private static func privateNumber(of key: OpaquePointer) -> Data? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(key, "priv", &number) == 1, let number else { return nil }
        defer { BN_clear_free(number) }
        var bytes = Data(count: 32)
        let count = bytes.withUnsafeMutableBytes { bytes in
            BN_bn2binpad(number, bytes.bindMemory(to: UInt8.self).baseAddress, 32)
        }
        return count == 32 ? bytes : nil
    }
}

extension Certificate {
    /// Tells `PersonalisationManager` whether a tag signs with this certificate's key.
    public var keyProof: PersonalisationManager.KeyProof {
        { challenge, signature in
            guard let signature = ECDSASignature(der: signature) else { return false }
            return isSignature(signature, of: challenge)
        }
    }
}
