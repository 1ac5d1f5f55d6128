/// How the type of an NDEF record is to be read: the TNF field, with Apple's and the NFC Forum's values.
public enum NFCTypeNameFormat: UInt8, Sendable {
    /// No type, identifier or payload.
    case empty = 0
    /// A type of the NFC Forum, such as "U".
    case nfcWellKnown = 1
    /// A MIME type.
    case media = 2
    /// A URI is the type.
    case absoluteURI = 3
    /// A type of somebody's domain, such as "example.com:thing".
    case nfcExternal = 4
    /// No type.
    case unknown = 5
    /// A chunk that goes on with the record before it.
    case unchanged = 6
}
