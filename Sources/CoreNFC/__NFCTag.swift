public import Foundation

/// The kind of a tag object.
public enum __NFCTagType: UInt, Sendable {
    /// ISO 15693.
    case ISO15693 = 1
    /// FeliCa.
    case feliCa = 2
    /// ISO 7816 commands over ISO 14443-4.
    case iso7816Compatible = 3
    /// MIFARE.
    case miFare = 4
}

/// What all tag objects have in common: the protocol `NFCTag` of Objective-C under its Swift name.
///
/// Clients do not name it, but test doubles that conform to a tag protocol implement it (facts/corenfc.md, 1.2).
public protocol __NFCTag: NSCopying, NSSecureCoding, NSObjectProtocol {
    /// The kind of tag.
    var type: __NFCTagType { get }
    /// The session that found the tag.
    var session: (any NFCReaderSessionProtocol)? { get }
    /// Whether the tag is connected and has not left the field.
    var isAvailable: Bool { get }
    /// The object itself if it is an ISO 15693 tag.
    func asNFCISO15693Tag() -> (any NFCISO15693Tag)?
    /// The object itself if it is an ISO 7816 tag.
    func asNFCISO7816Tag() -> (any NFCISO7816Tag)?
    /// The object itself if it is a FeliCa tag.
    func asNFCFeliCaTag() -> (any NFCFeliCaTag)?
    /// The object itself if it is a MIFARE tag.
    func asNFCMiFareTag() -> (any NFCMiFareTag)?
}
