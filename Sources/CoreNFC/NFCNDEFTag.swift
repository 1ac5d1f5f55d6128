public import Foundation

/// What tags that may hold NDEF data have in common.
///
/// Apple's protocol of the same name (facts/corenfc.md, 1.3). NDEF is known on type 2 tags (Ultralight, NTAG), on type 3
/// tags (FeliCa with the NFC Forum's system 12FC) and on type 4 tags (ISO 14443-4 with the NFC Forum's application). An
/// operation on a type 4 tag selects that application.
///
/// Not `Sendable`, as Apple's is not; the objects that a session hands out may be used from any thread.
public protocol NFCNDEFTag: NSCopying, NSSecureCoding, NSObjectProtocol {
    /// Whether the tag is connected and has not left the field.
    var isAvailable: Bool { get }

    /// Asks whether the tag holds NDEF data, and for how long a message it has room, in bytes.
    ///
    /// A tag that is not formatted gives `.notSupported` and no error.
    @preconcurrency
    func queryNDEFStatus(
        completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void
    )

    /// Asks whether the tag holds NDEF data, and for how long a message it has room, in bytes.
    func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int)

    /// Reads the message.
    ///
    /// `ndefReaderSessionErrorZeroLengthMessage` when there is none.
    @preconcurrency
    func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void)

    /// Reads the message.
    func readNDEF() async throws -> NFCNDEFMessage

    /// Writes a message and reads it back.
    ///
    /// A half-written message is never readable: until the last byte is written the tag holds an empty one. Errors:
    /// `ndefReaderSessionErrorTagNotWritable`, `ndefReaderSessionErrorTagSizeTooSmall` before anything is written, and
    /// `ndefReaderSessionErrorTagUpdateFailure`.
    @preconcurrency
    func writeNDEF(
        _ ndefMessage: NFCNDEFMessage,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Writes a message and reads it back.
    func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws

    /// Makes the message read-only, for good.
    @preconcurrency
    func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Makes the message read-only, for good.
    func writeLock() async throws
}

extension NFCNDEFTag {
    /// Asks whether the tag holds NDEF data, and for how long a message it has room, in bytes.
    public func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int) {
        try await withCheckedThrowingContinuation { continuation in
            queryNDEFStatus { continuation.finish($2, ($0, $1)) }
        }
    }

    /// Reads the message.
    public func readNDEF() async throws -> NFCNDEFMessage {
        try await withCheckedThrowingContinuation { continuation in
            readNDEF { message, error in
                if let message, error == nil {
                    continuation.resume(returning: message)
                } else {
                    continuation.resume(
                        throwing: error ?? NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage)
                    )
                }
            }
        }
    }

    /// Writes a message and reads it back.
    public func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            writeNDEF(ndefMessage) { continuation.finish($0, ()) }
        }
    }

    /// Makes the message read-only, for good.
    public func writeLock() async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            writeLock { continuation.finish($0, ()) }
        }
    }
}
