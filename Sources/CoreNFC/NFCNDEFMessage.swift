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
            guard
                record.append(
                    to: &bytes,
                    isFirst: index == 0,
                    isLast: index == records.count - 1
                )
            else { return nil }
        }
        return bytes
    }
}

extension NFCNDEFPayload {
    /// The bits of a record's header (NDEF 1.0, 3.2).
    private enum Header {
        static let messageBegin: UInt8 = 0x80
        static let messageEnd: UInt8 = 0x40
        static let chunk: UInt8 = 0x20
        static let shortRecord: UInt8 = 0x10
        static let identifierLength: UInt8 = 0x08
    }

    /// Writes the record, in chunks if it is to be; false when a field is too long.
    fileprivate func append(to bytes: inout Data, isFirst: Bool, isLast: Bool) -> Bool {
        let (type, identifier, payload) = (type, identifier, payload)
        let size = chunkSize > 0 ? chunkSize : max(payload.count, 1)
        guard type.count <= 255, identifier.count <= 255,
            UInt32(exactly: min(size, payload.count)) != nil
        else { return false }
        var rest = payload
        var isBeginning = true
        repeat {
            let chunk = rest.prefix(size)
            rest = rest.dropFirst(size)
            var header =
                isBeginning ? typeNameFormat.rawValue : NFCTypeNameFormat.unchanged.rawValue
            if isBeginning && isFirst { header |= Header.messageBegin }
            if rest.isEmpty && isLast { header |= Header.messageEnd }
            if !rest.isEmpty { header |= Header.chunk }
            if chunk.count <= 255 { header |= Header.shortRecord }
            if isBeginning && !identifier.isEmpty { header |= Header.identifierLength }
            bytes.append(header)
            bytes.append(isBeginning ? UInt8(type.count) : 0)
            let length = UInt32(chunk.count)
            let shifts = chunk.count <= 255 ? [0] : [24, 16, 8, 0]
            for shift in shifts { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
            if isBeginning {
                if !identifier.isEmpty { bytes.append(UInt8(identifier.count)) }
                bytes += type + identifier
            }
            bytes += chunk
            isBeginning = false
        } while !rest.isEmpty
        return true
    }
}
