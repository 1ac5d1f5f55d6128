public import Foundation

/// A FeliCa tag (JIS X 6319-4).
public protocol NFCFeliCaTag: NFCNDEFTag, __NFCTag {
    /// The system code the tag was found with, 2 bytes.
    var currentSystemCode: Data { get }
    /// The manufacture identifier of that system, 8 bytes.
    var currentIDm: Data { get }
}
