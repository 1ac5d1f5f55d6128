import Bytes
package import Foundation
import NDEF
package import NFCReader

/// What the tag objects of this module have in common: a tag as the reader found it, and the session it belongs to.
package class ReaderTag: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the class has subclasses; it and they store constants only, and sessions are Sendable.

    /// The tag as the reader found it.
    package let target: Target
    let owner: NFCReaderSession

    init(_ target: Target, of session: NFCReaderSession) {
        self.target = target
        owner = session
    }

    /// The session that found the tag.
    package var session: (any NFCReaderSessionProtocol)? { owner }

    /// Whether the tag is connected and has not left the field, as far as the last command or `connect` has shown.
    package var isAvailable: Bool { owner.isAvailable(self) }

    /// UID, PUPI or IDm.
    package var identifier: Data { target.identifier }

    /// How many bytes one exchange with the tag may carry; nil when the session has no reader any more.
    package var exchangeLimits: ExchangeLimits? { owner.exchangeLimits }

    func asNFCISO15693Tag() -> (any NFCISO15693Tag)? { nil }
    func asNFCISO7816Tag() -> (any NFCISO7816Tag)? { nil }
    func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { nil }
    func asNFCMiFareTag() -> (any NFCMiFareTag)? { nil }

    /// The tag as it is handed to clients.
    var tag: NFCTag? { nil }

    // MARK: NDEF

    /// See `NFCNDEFTag`.
    package func queryNDEFStatus(
        completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void
    ) {
        owner.perform(on: self) { (link) throws(NFCReaderError) in
            try await link.ndefStatus()
        } completion: { result in
            switch result {
            case .success(let (status, capacity)): completionHandler(status, capacity, nil)
            case .failure(let error): completionHandler(.notSupported, 0, error)
            }
        }
    }

    /// See `NFCNDEFTag`.
    package func readNDEF(
        completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void
    ) {
        owner.perform(on: self) { (link) throws(NFCReaderError) in
            NFCNDEFMessage(records: try await link.readNDEF().records.map(NFCNDEFPayload.init))
        } completion: { result in
            switch result {
            case .success(let message): completionHandler(message, nil)
            case .failure(let error): completionHandler(nil, error)
            }
        }
    }

    /// See `NFCNDEFTag`.
    package func writeNDEF(
        _ ndefMessage: NFCNDEFMessage,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        // As it is now, whatever the client makes of it afterwards.
        let message = ndefMessage.encoded
        owner.perform(on: self) { (link) throws(NFCReaderError) in
            guard let message else { throw NFCReaderError(.readerErrorInvalidParameter) }
            try await link.writeNDEF(message)
        } completion: { result in
            completionHandler(result.error)
        }
    }

    /// See `NFCNDEFTag`.
    package func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        owner.perform(on: self) { (link) throws(NFCReaderError) in
            try await link.lockNDEF()
        } completion: { result in
            completionHandler(result.error)
        }
    }

    // MARK: NSObject

    /// The same object: tags are known by their identity.
    package func copy(with zone: NSZone? = nil) -> Any { self }

    /// Tags live as long as their session and cannot be stored.
    package static var supportsSecureCoding: Bool { true }

    /// Tags live as long as their session and cannot be restored.
    package required init?(coder: NSCoder) { nil }

    /// Stores nothing.
    package func encode(with coder: NSCoder) {}

    /// The kind of tag and the object's address, as iOS prints it.
    package override var description: String {
        "<\(kind): \(Unmanaged.passUnretained(self).toOpaque())>"
    }

    /// The name of the tag's protocol.
    var kind: String { "NFCTag" }
}

extension NFCTag {
    /// The tag as the reader found it; nil for an object that a client made.
    package var target: Target? { (payload as? ReaderTag)?.target }

    /// How many bytes one exchange with the tag may carry; nil for a client's object and after the session's end.
    package var exchangeLimits: ExchangeLimits? { (payload as? ReaderTag)?.exchangeLimits }
}

extension Result {
    /// The error, if it is one.
    fileprivate var error: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}
