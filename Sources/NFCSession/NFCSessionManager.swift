public import APDU
import Bytes
public import CoreNFC
public import NBT
public import NFCReader
import Synchronization

/// Is told what becomes of the session of an `NFCSessionManager`, on the session's queue.
public protocol NFCSessionDelegate: AnyObject, Sendable {
    /// One tag is in the field and connected. Nothing is polled until the manager is told to go on.
    func sessionManager(_ manager: NFCSessionManager, didDetect tag: DetectedTag)
    /// The session is over: by `invalidate`, its time limit, or because the reader failed.
    func sessionManager(
        _ manager: NFCSessionManager,
        didInvalidateWithError error: NFCReaderError
    )
    /// The reader of a session with a `recovery` was lost, is being recovered, or is back.
    ///
    /// Does nothing unless implemented.
    func sessionManager(_ manager: NFCSessionManager, didNotice event: RecoveryEvent)
}

extension NFCSessionDelegate {
    /// Does nothing.
    public func sessionManager(_ manager: NFCSessionManager, didNotice event: RecoveryEvent) {}
}

/// A tag that an `NFCSessionManager` found and connected.
public struct DetectedTag: Sendable {
    /// The UID (4, 7 or 10 bytes) or PUPI (4).
    public let uid: Data
    /// Whether the UID is drawn anew at every activation, and so identifies nobody.
    public let hasRandomUID: Bool
    /// The commands of the NBT, over the tag; nil for a tag that does not speak ISO 7816-4.
    public let commandSet: NbtCommandSet?
    /// The way to the tag; nil as above.
    public let channel: NfcChannel?
}

/// Runs reader sessions, one after the other, for an application that talks to one tag at a time.
///
/// It is the delegate of Apple's `NFCTagReaderSession`: each session looks for ISO 14443 tags, and a tag that is found
/// alone is connected and wrapped as `NfcChannel`, `ApduChannel` and `NbtCommandSet`. Two tags at once are refused with
/// a message, and the session looks again. State and message are published to `updates()`; iOS code has them as
/// `@Published` properties.
public final class NFCSessionManager: NSObject, NFCTagReaderSessionDelegate, Sendable {
    /// What the manager is doing.
    public enum State: Sendable, Equatable {
        /// There is no session.
        case idle
        /// A session is running and looks for a tag.
        case waiting
        /// A tag is connected.
        case connected(uid: Data)
        /// The session has ended, for this reason.
        case ended(NFCReaderError.Code)
    }

    /// A new state or a new message.
    public struct Update: Sendable, Equatable {
        /// What the manager is doing.
        public let state: State
        /// What the user is told.
        public let message: String
    }

    private struct Session {
        var current: NFCTagReaderSession?
        var update = Update(state: .idle, message: "")
        weak var delegate: (any NFCSessionDelegate)?
        var observers: [Int: AsyncStream<Update>.Continuation] = [:]
        var observerCount = 0
    }

    /// What a user with two tags in the field is told.
    public static let severalTagsMessage =
        "Multiple NFC tags detected. Please present only one tag at a time"

    private let configuration: NFCSessionConfiguration?
    private let log: (@Sendable (ExchangeRecord) -> Void)?
    private let session = Mutex(Session())

    /// A manager without a session.
    ///
    /// - Parameters:
    ///   - configuration: reader, application identifiers and limits; nil for the process's (`Info.plist`, environment).
    ///   - log: called for each exchange, secrets left out.
    public init(
        configuration: NFCSessionConfiguration? = nil,
        log: (@Sendable (ExchangeRecord) -> Void)? = nil
    ) {
        self.configuration = configuration
        self.log = log
    }

    /// Who is told; held weakly.
    public var delegate: (any NFCSessionDelegate)? {
        get { session.withLock { $0.delegate } }
        set { session.withLock { $0.delegate = newValue } }
    }

    /// What the manager is doing.
    public var state: State { session.withLock { $0.update.state } }

    /// What the user is told.
    public var message: String { session.withLock { $0.update.message } }

    /// The present state and message, and every later one until the consumer ends.
    public func updates() -> AsyncStream<Update> {
        AsyncStream { continuation in
            let number = session.withLock { session in
                session.observerCount += 1
                session.observers[session.observerCount] = continuation
                continuation.yield(session.update)
                return session.observerCount
            }
            continuation.onTermination = { [weak self] _ in
                self?.session.withLock { $0.observers[number] = nil }
            }
        }
    }

    // MARK: What the application asks for

    /// Starts a session that looks for ISO 14443 tags.
    ///
    /// A session that is running ends first.
    public func startNFCTagReaderSession(withAlertMessage message: String) {
        let new = makeSession()
        new.alertMessage = message
        let old = session.withLock { session in
            defer { session.current = new }
            return session.current
        }
        old?.invalidate()
        publish(message: message)
        new.begin()
    }

    /// Lets the tag go and looks for the next one.
    public func restartPolling(withAlertMessage message: String) {
        guard let current = session.withLock({ $0.current }) else { return }
        show(message)
        publish(.waiting)
        current.restartPolling()
    }

    /// Changes what the user is told.
    public func show(_ message: String) {
        session.withLock { $0.current }?.alertMessage = message
        publish(message: message)
    }

    /// Ends the session; the delegate is told within 300 ms, when the field is off.
    public func invalidate(errorMessage: String? = nil) {
        guard let current = session.withLock({ $0.current }) else { return }
        if let errorMessage {
            publish(message: errorMessage)
            current.invalidate(errorMessage: errorMessage)
        } else {
            current.invalidate()
        }
    }

    private func makeSession() -> NFCTagReaderSession {
        let wanted = NFCTagReaderSession.Configuration(pollingOption: .iso14443)
        guard let configuration else {
            return NFCTagReaderSession(configuration: wanted, delegate: self)
        }
        return NFCTagReaderSession(
            pollingOption: .iso14443,
            delegate: self,
            sessionConfiguration: configuration
        )
    }

    private func publish(_ state: State? = nil, message: String? = nil) {
        session.withLock { session in
            let old = session.update
            session.update = Update(state: state ?? old.state, message: message ?? old.message)
            guard session.update != old else { return }
            for observer in session.observers.values { observer.yield(session.update) }
        }
    }

    // MARK: NFCTagReaderSessionDelegate

    /// The session looks for tags now.
    public func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {
        publish(.waiting)
    }

    /// The session has ended.
    public func tagReaderSession(
        _ session: NFCTagReaderSession,
        didInvalidateWithError error: any Error
    ) {
        let error =
            error as? NFCReaderError
            ?? NFCReaderError(.readerSessionInvalidationErrorSessionTerminatedUnexpectedly)
        let wasCurrent = self.session.withLock { own in
            guard own.current === session else { return false }
            own.current = nil
            return true
        }
        // The end of a session that another one has replaced is nobody's business any more.
        guard wasCurrent else { return }
        publish(.ended(error.code))
        delegate?.sessionManager(self, didInvalidateWithError: error)
    }

    /// The session found one tag or several.
    public func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard tags.count == 1, let tag = tags.first else {
            session.alertMessage = Self.severalTagsMessage
            publish(message: Self.severalTagsMessage)
            // The pause of Apple's samples: time to read the message and to take one tag away.
            session.sessionQueue.asyncAfter(deadline: .now() + .milliseconds(500)) {
                session.restartPolling()
            }
            return
        }
        let detected = wrap(tag, of: session)
        session.connect(to: tag) { [weak self] error in
            guard let self else { return }
            // A tag that is gone again was never there; the session looks on.
            guard error == nil else { return session.restartPolling() }
            publish(.connected(uid: detected.uid))
            delegate?.sessionManager(self, didDetect: detected)
        }
    }

    private func wrap(_ tag: NFCTag, of session: NFCTagReaderSession) -> DetectedTag {
        var hasRandomUID = false
        if case .typeA(let target)? = tag.target { hasRandomUID = target.hasRandomUID }
        guard case .iso7816(let iso7816) = tag else {
            return DetectedTag(
                uid: tag.target?.identifier ?? Data(),
                hasRandomUID: hasRandomUID,
                commandSet: nil,
                channel: nil
            )
        }
        let channel = NfcChannel(tag: iso7816, session: session)
        let selected = iso7816.initialSelectedAID
        return DetectedTag(
            uid: iso7816.identifier,
            hasRandomUID: hasRandomUID,
            commandSet: NbtCommandSet(
                channel: ApduChannel(channel: channel, log: log),
                selectedApplication: selected.isEmpty ? nil : Data(hex: selected)
            ),
            channel: channel
        )
    }
}

extension NFCSessionManager: NFCReaderSessionRecoveryDelegate {
    /// The session's reader was lost, is being recovered, or is back.
    public func readerSession(_ session: NFCReaderSession, didNotice event: RecoveryEvent) {
        guard self.session.withLock({ $0.current === session }) else { return }
        delegate?.sessionManager(self, didNotice: event)
    }
}
