public import Foundation

/// What an NDEF session tells its client, on the session's queue.
///
/// Apple's protocol of the same name (facts/corenfc.md, 1.1 and 2.7). A delegate that implements
/// `readerSession(_:didDetect:)` gets tags and speaks to them; one that does not gets messages. Optional members do not
/// exist on Linux, so they have default bodies; a member that only a subclass of the delegate's class implements is
/// not seen.
public protocol NFCNDEFReaderSessionDelegate: NSObjectProtocol {
    /// The session is over, for whatever reason.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - error: an `NFCReaderError`.
    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error)

    /// Messages have been read; a message for each tag.
    func readerSession(
        _ session: NFCNDEFReaderSession,
        didDetectNDEFs messages: [NFCNDEFMessage]
    )

    /// Tags that hold NDEF data, or are formatted for it, have been found. Optional.
    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag])

    /// The session looks for tags. Optional.
    func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession)
}

extension NFCNDEFReaderSessionDelegate {
    /// Has the session read the messages, which is what it does for a delegate without this member.
    public func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
        session.readMessages(of: tags)
    }

    /// Does nothing.
    public func readerSessionDidBecomeActive(_ session: NFCNDEFReaderSession) {}
}
