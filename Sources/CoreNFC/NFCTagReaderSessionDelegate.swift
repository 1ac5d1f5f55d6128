public import Foundation

/// What a tag session tells its client, on the session's queue.
///
/// Apple's protocol of the same name (facts/corenfc.md, 1.1 and 2.2). The order is: active, then detections, then
/// exactly one invalidation; a session that cannot start is only invalidated.
public protocol NFCTagReaderSessionDelegate: NSObjectProtocol {
    /// The session looks for tags.
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession)

    /// The session is over, for whatever reason, its client's own `invalidate()` among them. It cannot be used again.
    ///
    /// - Parameters:
    ///   - session: the session.
    ///   - error: an `NFCReaderError`.
    func tagReaderSession(
        _ session: NFCTagReaderSession,
        didInvalidateWithError error: any Error
    )

    /// Tags have been found. No others are looked for until `restartPolling()`.
    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag])
}
