public import Dispatch
import Foundation
import NDEF
import NFCReader
import Synchronization

/// A session that finds NDEF messages on type 2 and type 4 tags.
///
/// Apple's class of the same name (facts/corenfc.md, 1.1 and 2.7). With a delegate that does not implement
/// `readerSession(_:didDetect:)` the session reads all messages by itself: a tag's message when it comes, the next one
/// when the tag has left the field. With a delegate that does, the session reports tags and leaves all else to it.
///
/// No application needs to be listed for it.
open class NFCNDEFReaderSession: NFCReaderSession, @unchecked Sendable {
    // Unchecked as NFCReaderSession is; adds a constant and an atomic.
    private let invalidatesAfterFirstRead: Bool
    /// Whether the session reads messages by itself, which shows when the first tag is reported.
    private let readsMessages = Atomic(false)

    private init(
        delegate: any NFCNDEFReaderSessionDelegate,
        queue: DispatchQueue?,
        invalidateAfterFirstRead: Bool,
        configuration: Result<NFCSessionConfiguration, NFCSessionConfigurationError>
    ) {
        invalidatesAfterFirstRead = invalidateAfterFirstRead
        super.init(delegate: delegate, queue: queue, configuration: configuration)
    }

    /// A session that looks for tags with NDEF data once it is begun.
    ///
    /// - Parameters:
    ///   - delegate: is told what becomes of the session; held weakly.
    ///   - queue: where the delegate and completion handlers are called; nil for a serial queue of the session's own.
    ///   - invalidateAfterFirstRead: whether the session ends after the first message, with
    ///     `readerSessionInvalidationErrorFirstNDEFTagRead`; of no effect with a delegate that speaks to tags.
    public convenience init(
        delegate: any NFCNDEFReaderSessionDelegate,
        queue: DispatchQueue?,
        invalidateAfterFirstRead: Bool
    ) {
        self.init(
            delegate: delegate,
            queue: queue,
            invalidateAfterFirstRead: invalidateAfterFirstRead,
            configuration: NFCSessionConfiguration.current
        )
    }

    /// A session with a reader and limits of its own.
    ///
    /// Linux only.
    ///
    /// - Parameters:
    ///   - delegate: is told what becomes of the session; held weakly.
    ///   - queue: where the delegate and completion handlers are called; nil for a serial queue of the session's own.
    ///   - invalidateAfterFirstRead: whether the session ends after the first message.
    ///   - sessionConfiguration: used in place of `NFCSessionConfiguration.shared` and what is found around the program.
    public convenience init(
        delegate: any NFCNDEFReaderSessionDelegate,
        queue: DispatchQueue?,
        invalidateAfterFirstRead: Bool,
        sessionConfiguration: NFCSessionConfiguration
    ) {
        self.init(
            delegate: delegate,
            queue: queue,
            invalidateAfterFirstRead: invalidateAfterFirstRead,
            configuration: .success(sessionConfiguration)
        )
    }

    /// Lets go of all tags and looks for tags again.
    ///
    /// Tag objects reported so far are dead from now on. Without effect while tags are looked for, and in a session that
    /// reads messages by itself.
    open func restartPolling() {
        if !readsMessages.load(ordering: .relaxed) { restartSearch() }
    }

    /// Connects a tag that the session has reported; its NDEF operations work from then on.
    ///
    /// See `NFCTagReaderSession.connect(to:completionHandler:)` for errors and repetition.
    @preconcurrency
    open func connect(
        to tag: any NFCNDEFTag,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        connect(object: tag, completionHandler)
    }

    /// Connects a tag, as `connect(to:completionHandler:)` does.
    public func connect(to tag: any NFCNDEFTag) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            connect(to: tag) { continuation.finish($0, ()) }
        }
    }

    // MARK: Reading messages

    /// Reads the messages of reported tags, for a delegate that does not speak to tags itself.
    func readMessages(of tags: [any NFCNDEFTag]) {
        readsMessages.store(true, ordering: .relaxed)
        let tags = tags.compactMap { $0 as? ReaderTag }
        submitReading { [self] in
            var messages: [NFCNDEFMessage] = []
            for tag in tags {
                let link = TagLink(session: self, tag: tag)
                // A tag without a valid message, or that has gone, is passed over.
                guard let message = try? await link.readNDEF() else { continue }
                messages.append(NFCNDEFMessage(records: message.records.map(NFCNDEFPayload.init)))
            }
            if !messages.isEmpty { report(messages) }
            for tag in tags { await waitUntilGone(tag) }
            restartSearch()
        }
    }

    private func report(_ messages: [NFCNDEFMessage]) {
        sessionQueue.async { [self] in
            guard !isOver else { return }
            ndefDelegate?.readerSession(self, didDetectNDEFs: messages)
            if invalidatesAfterFirstRead {
                end(with: NFCReaderError(.readerSessionInvalidationErrorFirstNDEFTagRead))
            }
        }
    }

    // MARK: What the session asks its kind

    private var ndefDelegate: (any NFCNDEFReaderSessionDelegate)? {
        delegate as? any NFCNDEFReaderSessionDelegate
    }

    override func didBecomeActive() { ndefDelegate?.readerSessionDidBecomeActive(self) }

    override func didDetect(_ tags: [ReaderTag]) {
        ndefDelegate?.readerSession(self, didDetect: tags.compactMap { $0 as? any NFCNDEFTag })
    }

    override func didInvalidate(with error: NFCReaderError) {
        ndefDelegate?.readerSession(self, didInvalidateWithError: error)
    }

    override var searchPlan: SearchPlan { .ndef }
}
