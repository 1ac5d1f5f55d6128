public import APDU
public import BrandProtection
public import CoreNFC
import NFCReader
import Synchronization

/// Verifies one tag after another, as the screen of Infineon's app does (facts/nbt.md, 3.4).
///
///     let verification = BrandVerificationSession(anchors: anchors, configuration: configuration)
///     try await verification.run { state in print(state) }
///
/// A result is shown for a while; then, when its tag has left the field, the session waits for the next one.
public final class BrandVerificationSession: NFCSessionDelegate {
    /// What the screen shows.
    public enum State: Sendable, Hashable {
        /// Waiting for a tag.
        case waiting
        /// A tag is being verified.
        case verifying(uid: Data)
        /// The result.
        case finished(BrandVerification)
    }

    /// Why there is no result any more.
    public enum Failure: Error, Equatable, Sendable {
        /// No tag came within the session's time limit.
        case timeout
        /// The reader could not be used; the session's code and, where there is one, the reason in words.
        case reader(NFCReaderError.Code, String)
    }

    /// The texts of Infineon's app; the product's name has a trademark sign.
    public static let prompt =
        "Please tap the OPTIGA™ Authenticate NBT to the reader to verify its authenticity!"
    /// What is shown while a tag is verified.
    public static let progress = "The product is being verified ..."
    /// What is shown for a genuine tag.
    public static let success = "Product successfully verified"
    /// What is shown for any other.
    public static let failure = "Could not be verified!"

    private let anchors: TrustAnchors
    private let resultTime: Duration
    private let manager: NFCSessionManager
    private let tags: AsyncStream<DetectedTag>
    private let tagInput: AsyncStream<DetectedTag>.Continuation
    private let ends: AsyncStream<NFCReaderError>
    private let endInput: AsyncStream<NFCReaderError>.Continuation

    /// A session that has not begun.
    ///
    /// - Parameters:
    ///   - anchors: the CAs that are trusted.
    ///   - configuration: the reader and the limits; its application list is replaced by the NBT's.
    ///   - resultTime: how long a result is shown at least, 4 s as in the app's description.
    ///   - log: called for each exchange, secrets left out.
    public init(
        anchors: TrustAnchors,
        configuration: NFCSessionConfiguration,
        resultTime: Duration = .seconds(4),
        log: (@Sendable (ExchangeRecord) -> Void)? = nil
    ) {
        self.anchors = anchors
        self.resultTime = resultTime
        var configuration = configuration
        configuration.iso7816SelectIdentifiers = ["D2760000850101"]
        // A tag without the application is told so, where a phone would not notice it.
        configuration.allowsUnlistedApplications = true
        // A result may be looked at for longer than a phone lets a tag be connected.
        configuration.tagTimeLimit = nil
        manager = NFCSessionManager(configuration: configuration, log: log)
        (tags, tagInput) = AsyncStream.makeStream()
        (ends, endInput) = AsyncStream.makeStream()
    }

    /// Verifies tags until the task is cancelled; called once.
    ///
    /// - Parameter show: called with each state, one after the other.
    /// - Throws: `Failure`. Cancellation is no error; in every case the field is off when the call returns.
    public func run(_ show: @Sendable (State) async -> Void) async throws(Failure) {
        _ = try await run(isOnce: false, show)
    }

    /// Verifies one tag; called once.
    ///
    /// - Parameter show: called with each state, one after the other.
    /// - Returns: the result; nil if the task was cancelled first.
    /// - Throws: `Failure`; in every case the field is off when the call returns.
    public func verifyOnce(
        _ show: @Sendable (State) async -> Void = { _ in }
    ) async throws(Failure) -> BrandVerification? {
        try await run(isOnce: true, show)
    }

    private func run(
        isOnce: Bool,
        _ show: @Sendable (State) async -> Void
    ) async throws(Failure) -> BrandVerification? {
        manager.delegate = self
        manager.startNFCTagReaderSession(withAlertMessage: Self.prompt)
        let result = await withTaskCancellationHandler {
            await follow(isOnce: isOnce, show)
        } onCancel: {
            manager.invalidate()
        }
        let error = await end()
        if isOnce, let result { return result }
        return try outcome(of: error)
    }

    /// The end of the session, when its reader is closed; a cancelled task waits for it too.
    private func end() async -> NFCReaderError? {
        await Task { [ends] in
            for await error in ends { return error }
            return nil
        }.value
    }

    /// Verifies one tag after another until the session is over; its last result.
    private func follow(
        isOnce: Bool,
        _ show: @Sendable (State) async -> Void
    ) async -> BrandVerification? {
        await show(.waiting)
        for await tag in tags {
            guard let result = await verify(tag, show) else { continue }
            await show(.finished(result))
            if isOnce {
                end(with: result)
                return result
            }
            await letGo(tag)
            await show(.waiting)
        }
        return nil
    }

    /// The result of one tag; nil if the session ended meanwhile, which its delegate is told.
    private func verify(
        _ tag: DetectedTag,
        _ show: @Sendable (State) async -> Void
    ) async -> BrandVerification? {
        manager.show(Self.progress)
        await show(.verifying(uid: tag.uid))
        guard let commandSet = tag.commandSet else {
            return BrandVerification(uid: tag.uid, reason: .notPersonalised)
        }
        let useCase = BpUseCaseManager(commandSet: commandSet, anchors: anchors, uid: tag.uid)
        return try? await useCase.performBrandVerification()
    }

    private func end(with result: BrandVerification) {
        if result.verdict == .genuine {
            manager.show(Self.success)
            manager.invalidate()
        } else {
            manager.invalidate(errorMessage: Self.failure)
        }
    }

    /// Leaves the result on the screen, waits until the tag has left the field, and looks for the next one.
    private func letGo(_ tag: DetectedTag) async {
        let shown = ContinuousClock.now
        while !Task.isCancelled, await isThere(tag) {
            // Thrown on cancellation, which the loop notices.
            try? await Task.sleep(for: .milliseconds(250))
        }
        try? await Task.sleep(until: shown + resultTime, clock: .continuous)
        manager.restartPolling(withAlertMessage: Self.prompt)
    }

    /// Whether a tag is still connected; connecting again asks it (Apple's sample of removal detection).
    private func isThere(_ tag: DetectedTag) async -> Bool {
        guard let channel = tag.channel else { return false }
        return (try? await channel.connect()) != nil
    }

    /// Nil for an end on purpose.
    private func outcome(of error: NFCReaderError?) throws(Failure) -> BrandVerification? {
        guard let error else { return nil }
        switch error.code {
        case .readerSessionInvalidationErrorUserCanceled: return nil
        case .readerSessionInvalidationErrorSessionTimeout: throw .timeout
        default:
            let words = error.readerError.map { "\($0)" } ?? error.localizedDescription
            throw .reader(error.code, words)
        }
    }

    // MARK: NFCSessionDelegate

    /// A tag is connected.
    public func sessionManager(_ manager: NFCSessionManager, didDetect tag: DetectedTag) {
        tagInput.yield(tag)
    }

    /// The session is over.
    public func sessionManager(
        _ manager: NFCSessionManager,
        didInvalidateWithError error: NFCReaderError
    ) {
        tagInput.finish()
        endInput.yield(error)
        endInput.finish()
    }
}
