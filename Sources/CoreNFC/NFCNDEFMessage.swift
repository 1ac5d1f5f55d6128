public import Foundation
import NDEF
import Synchronization

/// An NDEF message: a sequence of records.
///
/// Apple's class of the same name (facts/corenfc.md, 1.8). It may be changed and read from any thread.
open class NFCNDEFMessage: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the class is open, as Apple's is; what changes is kept under a lock.
    private let contents: Mutex<[NFCNDEFPayload]>

    /// A message of these records; none for the empty message.
    public init(records: [NFCNDEFPayload]) {
        contents = Mutex(records)
    }

    /// The message that `data` holds; nil unless it is exactly one valid message.
    ///
    /// Chunked records come out joined.
    public convenience init?(data: Data) {
        guard let message = try? NDEFMessage(encoded: data) else { return nil }
        self.init(records: message.records.map(NFCNDEFPayload.init))
    }

    /// The records, first to last.
    open var records: [NFCNDEFPayload] {
        get { contents.withLock { $0 } }
        set { contents.withLock { $0 = newValue } }
    }

    /// The size of the encoded message in bytes; 0 when its records cannot be encoded.
    open var length: Int { encoded?.count ?? 0 }

    // MARK: NSSecureCoding

    /// Messages can be archived.
    public static var supportsSecureCoding: Bool { true }

    /// A message from an archive; nil if what is there is none.
    public required convenience init?(coder: NSCoder) {
        let classes = [NSArray.self, NFCNDEFPayload.self]
        guard let records = coder.decodeObject(of: classes, forKey: "records") as? [NFCNDEFPayload]
        else { return nil }
        self.init(records: records)
    }

    /// Archives the message.
    open func encode(with coder: NSCoder) {
        coder.encode(records as NSArray, forKey: "records")
    }
}

extension NFCNDEFMessage {
    /// The bytes of the message; nil when a field of a record is too long.
    ///
    /// The empty message is one empty record, `D0 00 00`. What the client has put together is written as it is, sensible
    /// or not, as iOS does: records are checked when they are read.
    package var encoded: Data? {
        let records = records
        guard !records.isEmpty else { return Data([0xD0, 0x00, 0x00]) }
        var bytes = Data()
        for (index, record) in records.enumerated() {
            let wire = try? WireRecord(
                typeNameFormat: record.typeNameFormat.rawValue,
                type: record.type,
                identifier: record.identifier,
                payload: record.payload,
                isMessageBegin: index == 0,
                isMessageEnd: index == records.count - 1
            )
            guard let wire else { return nil }
            wire.append(to: &bytes, chunkSize: record.chunkSize > 0 ? record.chunkSize : nil)
        }
        return bytes
    }
}
