import NBT

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The second half of a verification: lets the tag prove that it holds the certificate's private
/// key.
public actor AuthenticationViewModel {
    /// How far the step is.
    public enum State: Sendable, Equatable {
        /// Not begun, or cancelled.
        case idle
        /// The tag is signing a challenge.
        case authenticating
        /// The signature is being checked.
        case verifyingSignature
        /// The tag holds the certificate's private key.
        case authenticated
        /// It does not, or could not be asked.
        case failed(BrandVerification.Reason)
    }

    /// A challenge and what the tag answered to it.
    public struct SignedChallenge: Sendable, Hashable {
        /// The challenge, 32 random bytes.
        public let challenge: Data
        /// What the tag answered, unchecked.
        public let signature: Data
    }

    /// How far the step is now.
    public private(set) var state = State.idle {
        didSet { continuation.yield(state) }
    }
    /// Each state as it comes, for one listener; the last 16 are kept for a slow one.
    public nonisolated let states: AsyncStream<State>

    private let continuation: AsyncStream<State>.Continuation
    private let commandSet: NbtCommandSet

    init(commandSet: NbtCommandSet) {
        self.commandSet = commandSet
        (states, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(16))
    }

    deinit { continuation.finish() }

    /// Lets the tag sign 32 fresh bytes of the system's random numbers.
    ///
    /// - Returns: the challenge and the tag's answer, for `verifySignature(_:with:)`.
    /// - Throws: `BrandProtectionError` with the reason, or `CancellationError`.
    public func authenticate() async throws -> SignedChallenge {
        do {
            state = .authenticating
            // Never the same twice: a tag could replay an old signature otherwise.
            let challenge = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
            let signature = try await commandSet.authenticateTag(challenge: challenge)
            return SignedChallenge(challenge: challenge, signature: signature)
        } catch {
            throw state.fail(error)
        }
    }

    /// Checks the tag's answer with the key of its certificate.
    ///
    /// - Throws: `BrandProtectionError` with `signatureMismatch`, or with `protocolError` if the
    ///   answer is no signature at all.
    public func verifySignature(_ signed: SignedChallenge, with certificate: Certificate) throws {
        do {
            state = .verifyingSignature
            guard let signature = ECDSASignature(der: signed.signature) else {
                throw BrandProtectionError.verificationFailed(
                    .protocolError,
                    detail: "AUTHENTICATE TAG answered no ECDSA signature."
                )
            }
            guard certificate.isSignature(signature, of: signed.challenge) else {
                throw BrandProtectionError.verificationFailed(
                    .signatureMismatch,
                    detail: "The signature was not made with the certificate's key."
                )
            }
            state = .authenticated
        } catch {
            throw state.fail(error)
        }
    }
}
