import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A CA certificate that is trusted because the user said so.
public struct TrustAnchor: Sendable {
    /// The certificate.
    public let certificate: Certificate

    /// The common name, made safe to print, or the fingerprint if it has none.
    public var name: String {
        certificate.subjectCommonName.map(printable) ?? certificate.fingerprint.hex
    }

    /// Whether this is Infineon's sample CA (facts/nbt.md, 3.3).
    ///
    /// The private key of its sample device is published, so anybody can imitate a tag that it
    /// vouches for.
    public var isSample: Bool { certificate.fingerprint == Self.sampleFingerprint }

    private static let sampleFingerprint = Data(
        hex: "A1D058DBB4C61700F7C56C17841E5935FB405668714DEB1CEDC6F3EAF4A34221"
    )
}

/// The anchors that a verification trusts; none is built in.
///
/// An anchor need not be a root: the manufacturing CAs of the NBT are intermediates whose roots
/// ship nowhere.
public struct TrustAnchors: Sendable {
    /// The largest PEM file that is read, in bytes.
    public static let maximumFileSize = 1 << 20

    /// The anchors, at least one.
    public let anchors: [TrustAnchor]

    /// Trusts these certificates.
    ///
    /// - Throws: `BrandProtectionError.unusableAnchors` if there is none.
    public init(_ certificates: [Certificate]) throws(BrandProtectionError) {
        guard !certificates.isEmpty else {
            throw .unusableAnchors(
                "No trust anchor is given; pass a PEM file with CA certificates."
            )
        }
        anchors = certificates.map(TrustAnchor.init)
    }

    /// Trusts the certificates of a PEM text, which may hold several; blocks of other kinds are
    /// passed over.
    ///
    /// - Throws: `BrandProtectionError.unusableAnchors`.
    public init(pem: Data) throws(BrandProtectionError) {
        try self.init(Self.certificates(pem: pem, source: "The PEM text"))
    }

    /// Trusts the certificates of PEM files.
    ///
    /// - Throws: `BrandProtectionError.unusableAnchors`, with the path of the file at fault.
    public init(pemFiles paths: [String]) throws(BrandProtectionError) {
        var certificates: [Certificate] = []
        for path in paths {
            certificates += try Self.certificates(pem: try Self.read(path), source: path)
        }
        try self.init(certificates)
    }

    private static func certificates(
        pem: Data,
        source: String
    ) throws(BrandProtectionError) -> [Certificate] {
        let certificates: [Certificate]
        do throws(BrandProtectionError) {
            certificates = try Certificate.certificates(pem: pem)
        } catch {
            throw .unusableAnchors("\(source) is not usable. \(error)")
        }
        guard !certificates.isEmpty else {
            throw .unusableAnchors("\(source) holds no certificate in PEM form.")
        }
        return certificates
    }

    private static func read(_ path: String) throws(BrandProtectionError) -> Data {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .unusableAnchors("\(path) cannot be read; check the path and its permissions.")
        }
        guard data.count <= maximumFileSize else {
            throw .unusableAnchors("\(path) has \(data.count) bytes, too many for a PEM file.")
        }
        return data
    }
}
