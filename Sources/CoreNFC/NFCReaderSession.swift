public import Dispatch
public import Foundation
import NFCReader
import Synchronization

/// What all reader sessions have in common.
///
/// Apple's class of the same name (facts/corenfc.md, 1.1 and 2). A session runs once: `begin()` starts it, and
/// whatever ends it, its delegate is told exactly once. A begun session keeps itself alive until then; the delegate
/// is held weakly, and a session whose delegate has gone ends within a second, since nobody could be told of a tag.
///
/// Sessions may be used from any thread.
open class NFCReaderSession: NSObject, NFCReaderSessionProtocol, @unchecked Sendable {
    // Unchecked because the class is open, as Apple's is. What it stores is constant: a queue, a weak reference that is
    // never changed, Sendable values, and a mutex round everything that changes. The work of a session is done in one
    // task, in NFCReaderSession+Run.swift.

    /// The queue on which the delegate and all completion handlers are called.
    ///
    /// The one given at creation, else a serial queue of the session's own.
    public let sessionQueue: DispatchQueue

    let configuration: NFCSessionConfiguration
    let configurationFault: NFCSessionConfigurationError?
    let state = Mutex(SessionState())
    let operations: AsyncStream<SessionOperation>
    let operationInput: AsyncStream<SessionOperation>.Continuation
    private let delegateReference: WeakReference

    /// The object that is told what becomes of the session; held weakly.
    open var delegate: AnyObject? { delegateReference.object }

    init(
        delegate: AnyObject,
        queue: DispatchQueue?,
        configuration: Result<NFCSessionConfiguration, NFCSessionConfigurationError>
    ) {
        delegateReference = WeakReference(delegate)
        sessionQueue = queue ?? DispatchQueue(label: "nfc-session.session")
        (operations, operationInput) = AsyncStream.makeStream()
        switch configuration {
        case .success(let configuration):
            self.configuration = configuration
            configurationFault = nil
        case .failure(let fault):
            self.configuration = NFCSessionConfiguration()
            configurationFault = fault
        }
    }

    /// Whether there is a reader: one is configured, or one is found on USB.
    ///
    /// Nothing is sent to a reader to find out, so a serial reader that is configured and not plugged in counts.
    open class var readingAvailable: Bool {
        let configured = try? NFCSessionConfiguration.current.get().reader
        return configured != nil || ReaderCandidates.isAnyKnown
    }

    /// Whether the session has started and has not ended.
    open var isReady: Bool { state.withLock { $0.phase.isReady } }

    /// The text the user sees while the session runs; empty at first.
    ///
    /// Changes after its end are ignored.
    ///
    /// Where it is shown, `NFCSessionConfiguration.presenter` says.
    open var alertMessage: String {
        get { state.withLock { $0.alertMessage } }
        set {
            state.withLock { state in
                guard !state.phase.isOver else { return }
                state.alertMessage = newValue
                guard case .created = state.phase else {
                    present(.changed(message: newValue))
                    return
                }
            }
        }
    }

    /// Starts the session and returns at once.
    ///
    /// Everything that follows is told to the delegate.
    ///
    /// Called again, or after the end, it does nothing: a session runs once. That holds on iOS too; what Apple's class
    /// does then is not documented.
    open func begin() {
        guard state.withLock({ $0.phase.start() }) else { return }
        if let refusal = startRefusal {
            end(with: refusal)
            return
        }
        guard !configuration.allowsOtherSessions else {
            start(after: nil)
            return
        }
        switch configuration.slot.claim(for: self) {
        case .busy: end(with: NFCReaderError(.readerSessionInvalidationErrorSystemIsBusy))
        case .granted(let predecessor): start(after: predecessor)
        }
    }

    /// Ends the session.
    ///
    /// The delegate gets `readerSessionInvalidationErrorUserCanceled`, as when a user cancels.
    ///
    /// Works at any moment, also in the middle of an exchange with a tag, and does no harm when repeated. A session that
    /// was never begun ends silently.
    open func invalidate() {
        end(with: NFCReaderError(.readerSessionInvalidationErrorUserCanceled))
    }

    /// Ends the session as `invalidate()` does, and shows `errorMessage` to the user.
    open func invalidate(errorMessage: String) {
        end(
            with: NFCReaderError(.readerSessionInvalidationErrorUserCanceled),
            errorMessage: errorMessage
        )
    }

    // MARK: For the kinds of session

    /// Why a session of this kind may not start, if so.
    var startRefusal: NFCReaderError? {
        configurationFault.map { fault in
            NFCReaderError(
                .readerErrorInvalidParameter,
                userInfo: [
                    NSLocalizedDescriptionKey: fault.errorDescription ?? "\(fault)",
                    NSUnderlyingErrorKey: fault,
                ]
            )
        }
    }

    /// What to look for, from now until tags are found.
    var searchPlan: SearchPlan { SearchPlan(steps: [], applications: [], deliversUnlisted: false) }

    /// Tells the delegate that the session is active.
    ///
    /// On the session's queue.
    func didBecomeActive() {}

    /// Tells the delegate what was found.
    ///
    /// On the session's queue.
    func didDetect(_ tags: [ReaderTag]) {}

    /// Tells the delegate that the session is over.
    ///
    /// On the session's queue.
    func didInvalidate(with error: NFCReaderError) {}

    // MARK: What tags ask their session

    /// Whether the client may select this application.
    func allowsSelecting(_ application: Data) -> Bool { true }

    /// The size of an exchange with the session's reader.
    var exchangeLimits: ExchangeLimits? { state.withLock { $0.reader?.limits } }

    /// Whether `tag` is connected and answers.
    func isAvailable(_ tag: ReaderTag) -> Bool {
        state.withLock { state in
            guard let detection = state.phase.detection else { return false }
            return detection.connected === tag && !detection.isLost
        }
    }
}

/// A reference that is set once, to an object of any kind.
private struct WeakReference: @unchecked Sendable {
    // Unchecked because the object need not be Sendable: it is read from any thread, which is safe for weak references,
    // and only ever called on the session's queue.
    private(set) weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}
