#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What makes a tag the device it says it is: a certificate, and the private key the tag signs with.
///
/// The two need not match: a real tag does not check it either (facts/nbt.md, 2.7), and a counterfeit is just
/// that.
public struct DeviceIdentity: Sendable {
    /// The certificate that the tag shows, X.509 DER.
    ///
    /// Never parsed by the tag, so it may be garbage.
    public let certificate: Data
    /// The key of AUTHENTICATE TAG.
    public let key: SigningKey

    /// Puts a certificate (DER) and a key together.
    public init(certificate: Data, key: SigningKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Reads a certificate and an unencrypted private key from files, each PEM or DER.
    public init(certificateFile: String, keyFile: String) throws(CardError) {
        certificate = try X509Certificate(try Self.contents(of: certificateFile)).der()
        key = try SigningKey(try Self.contents(of: keyFile))
    }

    /// The certificate as PEM text.
    public var certificatePEM: String { PEM.encode(certificate, label: "CERTIFICATE") }

    private static func contents(of path: String) throws(CardError) -> Data {
        do {
            return try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw .unreadableFile(path: path, reason: String(describing: error))
        }
    }
}
