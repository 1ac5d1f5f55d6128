import NBT
import NDEF

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The first half of a verification: reads the certificate from the tag and checks that it is
/// trusted.
public actor CertificateVerificationViewModel {
    /// How far the step is.
    public enum State: Sendable, Equatable {
        /// Not begun, or cancelled.
        case idle
        /// The NDEF message is being read.
        case reading
        /// The certificate is being checked against the trust anchors.
        case verifying
        /// The certificate is trusted by the anchor of this name.
        case verified(anchor: String)
        /// The certificate is not there or not trusted, or the tag could not be read.
        case failed(BrandVerification.Reason)
    }

    /// How far the step is now.
    public private(set) var state = State.idle {
        didSet { continuation.yield(state) }
    }
    /// Each state as it comes, for one listener; the last 16 are kept for a slow one.
    public nonisolated let states: AsyncStream<State>
    /// The certificate that was read, trusted or not; nil before.
    public private(set) var certificate: Certificate?
    /// Web addresses of the message: untrusted text that must not be opened.
    public private(set) var uris: [String] = []

    private let continuation: AsyncStream<State>.Continuation
    private let commandSet: NbtCommandSet
    private let policy: ChainPolicy
    private let clock: @Sendable () -> Date

    init(
        commandSet: NbtCommandSet,
        anchors: TrustAnchors,
        clock: @escaping @Sendable () -> Date
    ) {
        self.commandSet = commandSet
        policy = ChainPolicy(anchors: anchors)
        self.clock = clock
        (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    deinit { continuation.finish() }

    /// Reads the certificate and checks it.
    ///
    /// - Returns: the certificate and the anchor that vouches for it.
    /// - Throws: `BrandProtectionError` with the reason, or `CancellationError`.
    public func verifyCertificate() async throws -> (certificate: Certificate, anchor: TrustAnchor)
    {
        certificate = nil
        uris = []
        do {
            state = .reading
            let found = try certificate(in: try await readMessage())
            state = .verifying
            let parsed = try Certificate(der: found.certificate)
            certificate = parsed
            let anchor = try policy.anchor(for: parsed, at: clock())
            state = .verified(anchor: anchor.name)
            return (parsed, anchor)
        } catch {
            throw state.fail(error)
        }
    }

    private func readMessage() async throws -> NDEFMessage {
        try await commandSet.selectApplicationIfNeeded()
        let bytes = try await commandSet.readNdefMessage()
        guard !bytes.isEmpty else {
            throw BrandProtectionError.verificationFailed(
                .notPersonalised,
                detail: "The tag's NDEF file is empty."
            )
        }
        return try NDEFMessage(encoded: bytes)
    }

    /// The one certificate record; several would leave open which one counts.
    private func certificate(in message: NDEFMessage) throws -> BrandProtectionRecord {
        uris = message.records.compactMap { try? URIRecord($0).uri }
        let found = message.records.filter(BrandProtectionRecord.matches)
        guard let first = found.first else {
            throw BrandProtectionError.verificationFailed(
                .noCertificate,
                detail: "The NDEF message has no certificate record."
            )
        }
        guard found.count == 1 else {
            throw BrandProtectionError.verificationFailed(
                .severalCertificates,
                detail: "The NDEF message has \(found.count) certificate records."
            )
        }
        return try BrandProtectionRecord(first)
    }
}
