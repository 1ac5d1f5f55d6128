public import NBT

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies that a tag is a genuine OPTIGA Authenticate NBT (facts/nbt.md, 3).
///
///     let anchors = try TrustAnchors(pemFiles: ["manufacturing-ca.pem"])
///     let manager = BpUseCaseManager(commandSet: commandSet, anchors: anchors, uid: uid)
///     let result = try await manager.performBrandVerification()
///
/// It reads the certificate, checks it against the anchors, lets the tag sign a fresh challenge and
/// checks the signature. One manager is for one tag in the field; verifications follow one another.
public struct BpUseCaseManager: Sendable {
    /// The step that reads and checks the certificate.
    public let certificateVerification: CertificateVerificationViewModel
    /// The step that lets the tag prove its key.
    public let authentication: AuthenticationViewModel
    private let uid: Data

    /// Makes a manager for a tag.
    ///
    /// - Parameters:
    ///   - commandSet: the commands, with the application that the session selected.
    ///   - anchors: the CAs that are trusted.
    ///   - uid: the UID that the reader reported.
    ///   - clock: what the time is; the system's clock if nothing else is said.
    public init(
        commandSet: NbtCommandSet,
        anchors: TrustAnchors,
        uid: Data,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        certificateVerification = CertificateVerificationViewModel(
            commandSet: commandSet,
            anchors: anchors,
            clock: clock
        )
        authentication = AuthenticationViewModel(commandSet: commandSet)
        self.uid = uid
    }

    /// Verifies the tag.
    ///
    /// What goes wrong is in the result, as its reason. A tag with a 793-byte message takes six
    /// exchanges once the application is selected.
    ///
    /// - Throws: only `CancellationError`, when the task was cancelled or the exchange stopped on
    ///   purpose.
    public func performBrandVerification() async throws(CancellationError) -> BrandVerification {
        let start = ContinuousClock.now
        var anchor: TrustAnchor?
        var failure: BrandProtectionError?
        do {
            let verified = try await certificateVerification.verifyCertificate()
            anchor = verified.anchor
            let signed = try await authentication.authenticate()
            try await authentication.verifySignature(signed, with: verified.certificate)
        } catch {
            failure = try BrandProtectionError(translating: error)
        }
        let certificate = await certificateVerification.certificate
        return BrandVerification(
            reason: failure?.reason,
            detail: failure.map { "\($0)" },
            uid: uid,
            subject: certificate?.subjectCommonName.map(printable),
            serial: certificate?.serial,
            notAfter: certificate?.notAfter,
            anchor: anchor?.name,
            isSampleAnchor: anchor?.isSample ?? false,
            notices: await notices(certificate, anchor),
            milliseconds: Int(start.duration(to: .now) / .milliseconds(1))
        )
    }

    /// The UID is compared only with a subject that somebody trusted vouches for.
    private func notices(_ certificate: Certificate?, _ anchor: TrustAnchor?) async -> [String] {
        var notices: [String?] = []
        if let anchor {
            notices.append(Notices.sample(anchor))
            notices.append(Notices.uid(uid, subject: certificate?.subjectCommonName))
        }
        notices.append(contentsOf: Notices.uris(await certificateVerification.uris))
        return notices.compactMap(\.self)
    }
}
