public import Foundation
import NDEF
import Synchronization

/// One record of an NDEF message.
///
/// Apple's class of the same name (facts/corenfc.md, 1.8). It may be changed and read from any thread.
open class NFCNDEFPayload: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked because the class is open, as Apple's is; all that changes is kept under a lock.
    private let fields: Mutex<Fields>

    private struct Fields: Sendable {
        var format: NFCTypeNameFormat
        var type: Data
        var identifier: Data
        var payload: Data
    }

    /// The number of payload bytes that fit into one chunk; 0 for all of them.
    let chunkSize: Int

    /// A record that is written in one piece.
    ///
    /// - Parameters:
    ///   - format: how `type` is to be read.
    ///   - type: at most 255 bytes; empty for none.
    ///   - identifier: at most 255 bytes; empty for none.
    ///   - payload: the content; empty for none.
    public convenience init(
        format: NFCTypeNameFormat,
        type: Data,
        identifier: Data,
        payload: Data
    ) {
        self.init(
            format: format,
            type: type,
            identifier: identifier,
            payload: payload,
            chunkSize: 0
        )
    }

    /// A record whose payload is written in chunks.
    ///
    /// - Parameters:
    ///   - format: how `type` is to be read.
    ///   - type: at most 255 bytes; empty for none.
    ///   - identifier: at most 255 bytes; empty for none.
    ///   - payload: the content; empty for none.
    ///   - chunkSize: payload bytes in a chunk; 0 for no chunks.
    public required init(
        format: NFCTypeNameFormat,
        type: Data,
        identifier: Data,
        payload: Data,
        chunkSize: Int
    ) {
        fields = Mutex(
            Fields(format: format, type: type, identifier: identifier, payload: payload)
        )
        self.chunkSize = max(0, chunkSize)
    }

    /// How `type` is to be read.
    open var typeNameFormat: NFCTypeNameFormat {
        get { fields.withLock { $0.format } }
        set { fields.withLock { $0.format = newValue } }
    }

    /// The type; empty for none.
    open var type: Data {
        get { fields.withLock { $0.type } }
        set { fields.withLock { $0.type = newValue } }
    }

    /// The identifier; empty for none.
    open var identifier: Data {
        get { fields.withLock { $0.identifier } }
        set { fields.withLock { $0.identifier = newValue } }
    }

    /// The content; empty for none.
    open var payload: Data {
        get { fields.withLock { $0.payload } }
        set { fields.withLock { $0.payload = newValue } }
    }

    // MARK: NSSecureCoding

    /// Records can be archived.
    public static var supportsSecureCoding: Bool { true }

    /// A record from an archive; nil if what is there is none.
    public required convenience init?(coder: NSCoder) {
        let format = NFCTypeNameFormat(
            rawValue: UInt8(clamping: coder.decodeInteger(forKey: "format"))
        )
        guard let format,
            let type = coder.decodeObject(of: NSData.self, forKey: "type"),
            let identifier = coder.decodeObject(of: NSData.self, forKey: "identifier"),
            let payload = coder.decodeObject(of: NSData.self, forKey: "payload")
        else { return nil }
        self.init(
            format: format,
            type: Data(referencing: type),
            identifier: Data(referencing: identifier),
            payload: Data(referencing: payload),
            chunkSize: coder.decodeInteger(forKey: "chunkSize")
        )
    }

    /// Archives the record.
    open func encode(with coder: NSCoder) {
        coder.encode(Int(typeNameFormat.rawValue), forKey: "format")
        coder.encode(type as NSData, forKey: "type")
        coder.encode(identifier as NSData, forKey: "identifier")
        coder.encode(payload as NSData, forKey: "payload")
        coder.encode(chunkSize, forKey: "chunkSize")
    }
}

extension NFCNDEFPayload {
    /// A record with what was read from a tag.
    convenience init(_ record: NDEFRecord) {
        self.init(
            format: NFCTypeNameFormat(rawValue: record.typeNameFormat.rawValue) ?? .unknown,
            type: record.type,
            identifier: record.identifier,
            payload: record.payload
        )
    }

    /// The record in the strict form of the NDEF module; nil when its fields contradict each other.
    var record: NDEFRecord? {
        guard let format = NDEFRecord.TypeNameFormat(rawValue: typeNameFormat.rawValue) else {
            return nil
        }
        return try? NDEFRecord(
            typeNameFormat: format,
            type: type,
            identifier: identifier,
            payload: payload
        )
    }
}
