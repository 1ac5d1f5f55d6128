import BrandProtection
import CoreNFC
import NFCSession
import Synchronization

/// Verifies that one product with an OPTIGA Authenticate NBT is genuine.
///
/// `sessionManager` is the delegate of the reader session. For a tag it makes an `NfcChannel`, round it an `ApduChannel`
/// and on that an `NbtCommandSet`; its published state and message are for the user interface.
final class ProductVerifier: NFCSessionDelegate {
    let sessionManager: NFCSessionManager

    private let anchors: TrustAnchors
    private let result = Mutex<BrandVerification?>(nil)
    private let (ends, end) = AsyncStream.makeStream(of: NFCReaderError.self)

    init(sessionManager: NFCSessionManager, anchors: TrustAnchors) {
        self.sessionManager = sessionManager
        self.anchors = anchors
    }

    /// Waits for a tag and verifies it; called once.
    ///
    /// - Throws: why the session ended without a result.
    func verifyProduct() async throws -> BrandVerification {
        sessionManager.delegate = self
        sessionManager.startNFCTagReaderSession(withAlertMessage: "Hold the product to the reader")
        for await error in ends {
            guard let result = result.withLock({ $0 }) else { throw error }
            return result
        }
        throw CancellationError()
    }

    func sessionManager(_ manager: NFCSessionManager, didDetect tag: DetectedTag) {
        manager.show("The product is being verified")
        guard let commandSet = tag.commandSet else {
            return finish(BrandVerification(uid: tag.uid, reason: .notPersonalised))
        }
        let useCase = BpUseCaseManager(commandSet: commandSet, anchors: anchors, uid: tag.uid)
        Task {
            do {
                finish(try await useCase.performBrandVerification())
            } catch {
                // Only when the session has ended meanwhile, of which the manager tells.
            }
        }
    }

    func sessionManager(
        _ manager: NFCSessionManager,
        didInvalidateWithError error: NFCReaderError
    ) {
        end.yield(error)
        end.finish()
    }

    private func finish(_ verification: BrandVerification) {
        result.withLock { $0 = verification }
        if verification.verdict == .genuine {
            sessionManager.show("The product is genuine")
            sessionManager.invalidate()
        } else {
            sessionManager.invalidate(errorMessage: "The product could not be verified")
        }
    }
}
