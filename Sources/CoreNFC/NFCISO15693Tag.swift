public import Foundation

/// An ISO 15693 tag.
///
/// A PN53x cannot read them, so no session delivers one.
public protocol NFCISO15693Tag: NFCNDEFTag, __NFCTag {
    /// The UID, most significant byte first, 8 bytes.
    var identifier: Data { get }
    /// The manufacturer's code of ISO 7816-6.
    var icManufacturerCode: Int { get }
    /// The manufacturer's serial number.
    var icSerialNumber: Data { get }
}
