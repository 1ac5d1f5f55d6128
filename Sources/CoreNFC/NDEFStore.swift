import Foundation
import NDEF
import NFCReader

/// Where and how a tag of one type keeps its NDEF message (NFC Forum, Type 2, 3 and 4 Tag specifications).
protocol NDEFStore: Sendable {
    /// Reads what is needed to know the tag; nil when it is not formatted for NDEF.
    static func find(_ link: TagLink) async throws(NFCReaderError) -> Self?

    /// Whether the message may be written.
    var isWritable: Bool { get }
    /// The longest message, in bytes.
    var capacity: Int { get }

    /// Reads the bytes of the message; empty when there is none.
    func read(_ link: TagLink) async throws(NFCReaderError) -> Data
    /// Writes the bytes of a message that fits, so that a half-written one is never readable, and reads back what the tag
    /// holds then.
    func write(_ message: Data, _ link: TagLink) async throws(NFCReaderError) -> Data
    /// Makes the message read-only, as far as it is not.
    func lock(_ link: TagLink) async throws(NFCReaderError)
}

extension TagLink {
    /// The tag's NDEF store; nil when it has none that is known.
    func findNDEFStore() async throws(NFCReaderError) -> (any NDEFStore)? {
        if tag.target.isISODEP { return try await Type4Store.find(self) }
        if tag is FeliCaTag { return try await Type3Store.find(self) }
        guard (tag as? MiFareTag)?.mifareFamily == .ultralight else { return nil }
        return try await Type2Store.find(self)
    }

    /// The answer to `queryNDEFStatus`.
    func ndefStatus() async throws(NFCReaderError) -> (NFCNDEFStatus, Int) {
        guard let store = try await findNDEFStore() else { return (.notSupported, 0) }
        return (store.isWritable ? .readWrite : .readOnly, store.capacity)
    }

    /// The records of the message, parsed strictly: whatever is on a tag, only a valid message is handed on.
    func readNDEF() async throws(NFCReaderError) -> NDEFMessage {
        guard let store = try await findNDEFStore() else {
            throw NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage)
        }
        let bytes = try await store.read(self)
        guard !bytes.isEmpty else {
            throw NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage)
        }
        do throws(NDEFError) {
            return try NDEFMessage(encoded: bytes)
        } catch {
            throw NFCReaderError(
                .readerTransceiveErrorTagResponseError,
                userInfo: [NSUnderlyingErrorKey: error]
            )
        }
    }

    /// Writes a message and compares what the tag holds then.
    func writeNDEF(_ message: Data) async throws(NFCReaderError) {
        guard let store = try await findNDEFStore(), store.isWritable else {
            throw NFCReaderError(.ndefReaderSessionErrorTagNotWritable)
        }
        guard message.count <= store.capacity else {
            throw NFCReaderError(.ndefReaderSessionErrorTagSizeTooSmall)
        }
        try await asUpdate { () throws(NFCReaderError) in
            guard try await store.write(message, self) == message else {
                throw NFCReaderError(.ndefReaderSessionErrorTagUpdateFailure)
            }
        }
    }

    /// Makes the message read-only; one that is so already stays so.
    func lockNDEF() async throws(NFCReaderError) {
        guard let store = try await findNDEFStore() else {
            throw NFCReaderError(.ndefReaderSessionErrorTagNotWritable)
        }
        try await asUpdate { () throws(NFCReaderError) in try await store.lock(self) }
    }

    /// Runs `body`; what a tag refuses in it is a failed update.
    private func asUpdate(
        _ body: () async throws(NFCReaderError) -> Void
    ) async throws(NFCReaderError) {
        do throws(NFCReaderError) {
            try await body()
        } catch {
            guard error.code == .readerTransceiveErrorTagResponseError else { throw error }
            throw NFCReaderError(
                .ndefReaderSessionErrorTagUpdateFailure,
                userInfo: [NSUnderlyingErrorKey: error]
            )
        }
    }
}
