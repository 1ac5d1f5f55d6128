public import NFCReader

/// What a session's delegate may be as well, to be told when the reader goes and comes.
///
/// Linux only; for sessions with a `NFCSessionConfiguration.recovery`. Called on the session's queue.
public protocol NFCReaderSessionRecoveryDelegate: AnyObject {
    /// The reader was lost, is being recovered, or is back.
    func readerSession(_ session: NFCReaderSession, didNotice event: RecoveryEvent)
}
