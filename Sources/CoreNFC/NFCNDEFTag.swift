public import Foundation

/// What tags that may hold NDEF data have in common.
public protocol NFCNDEFTag: NSCopying, NSSecureCoding, NSObjectProtocol {
    /// Whether the tag is connected and has not left the field.
    var isAvailable: Bool { get }
}
