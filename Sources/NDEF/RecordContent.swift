/// What a record is, decoded by its type; its identifier is no part of it.
///
/// Types decode themselves; this picks the right one by TNF and type name. It keeps no state and nothing can be registered:
/// a program that knows more types asks for them where it gets `other`, `mime` or `external`.
public enum RecordContent: Sendable, Hashable {
    /// Nothing.
    case empty
    /// A URI.
    case uri(URIRecord)
    /// A text.
    case text(TextRecord)
    /// A URI with what is needed to present it.
    case smartPoster(SmartPosterRecord)
    /// How to connect to the device.
    case handoverSelect(HandoverSelectRecord)
    /// An offer of ways to connect.
    case handoverRequest(HandoverRequestRecord)
    /// How to pair with a Bluetooth device.
    case bluetooth(BluetoothRecord)
    /// How to pair with a Bluetooth LE device.
    case bluetoothLe(BluetoothLeRecord)
    /// A device certificate.
    case brandProtection(BrandProtectionRecord)
    /// A media type.
    case mime(MIMERecord)
    /// A type that a URI defines.
    case absoluteURI(AbsoluteURIRecord)
    /// A type of somebody's domain.
    case external(ExternalRecord)
    /// Bytes of no known type.
    case unknown(NDEFRecord)
    /// A well-known type that is none of these.
    case other(NDEFRecord)

    /// Decodes a record.
    ///
    /// - Throws: `malformedPayload` when the record breaks the rules of its type.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        switch record.typeNameFormat {
        case .empty: self = .empty
        case .unknown: self = .unknown(record)
        case .absoluteURI: self = .absoluteURI(try AbsoluteURIRecord(record))
        case .media: self = try Self.media(record)
        case .external:
            self =
                BrandProtectionRecord.matches(record)
                ? .brandProtection(try BrandProtectionRecord(record))
                : .external(try ExternalRecord(record))
        case .wellKnown: self = try Self.wellKnown(record)
        }
    }

    /// The record that is written for this, without an identifier unless it is `unknown` or `other`.
    ///
    /// - Throws: `malformedPayload` for what may be read but not written, as a handover without carriers.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            switch self {
            case .empty: try NDEFRecord(typeNameFormat: .empty)
            case .uri(let content): try content.record
            case .text(let content): try content.record
            case .smartPoster(let content): try content.record
            case .handoverSelect(let content): try content.record
            case .handoverRequest(let content): try content.record
            case .bluetooth(let content): try content.record
            case .bluetoothLe(let content): try content.record
            case .brandProtection(let content): try content.record
            case .mime(let content): try content.record
            case .absoluteURI(let content): try content.record
            case .external(let content): try content.record
            case .unknown(let record), .other(let record): record
            }
        }
    }

    private static func wellKnown(_ record: NDEFRecord) throws(NDEFError) -> RecordContent {
        switch String(decoding: record.type, as: UTF8.self) {
        case URIRecord.type: .uri(try URIRecord(record))
        case TextRecord.type: .text(try TextRecord(record))
        case SmartPosterRecord.type: .smartPoster(try SmartPosterRecord(record))
        case HandoverSelectRecord.type: .handoverSelect(try HandoverSelectRecord(record))
        case HandoverRequestRecord.type: .handoverRequest(try HandoverRequestRecord(record))
        default: .other(record)
        }
    }

    private static func media(_ record: NDEFRecord) throws(NDEFError) -> RecordContent {
        if record.isMedia(BluetoothRecord.type) { return .bluetooth(try BluetoothRecord(record)) }
        if record.isMedia(BluetoothLeRecord.type) {
            return .bluetoothLe(try BluetoothLeRecord(record))
        }
        return .mime(try MIMERecord(record))
    }
}
