/// What a record is, decoded by its type.
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
    case unknown
    /// A well-known type that is none of these.
    case other

    /// Decodes a record.
    ///
    /// - Throws: `malformedPayload` when the record breaks the rules of its type.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        switch record.typeNameFormat {
        case .empty: self = .empty
        case .unknown: self = .unknown
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

    private static func wellKnown(_ record: NDEFRecord) throws(NDEFError) -> RecordContent {
        switch String(decoding: record.type, as: UTF8.self) {
        case URIRecord.type: .uri(try URIRecord(record))
        case TextRecord.type: .text(try TextRecord(record))
        case SmartPosterRecord.type: .smartPoster(try SmartPosterRecord(record))
        case HandoverSelectRecord.type: .handoverSelect(try HandoverSelectRecord(record))
        case HandoverRequestRecord.type: .handoverRequest(try HandoverRequestRecord(record))
        default: .other
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
