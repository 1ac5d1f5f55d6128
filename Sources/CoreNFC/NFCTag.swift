/// A tag that a session has found.
///
/// Apple's enum of the same name (facts/corenfc.md, 1.2). Identity lies in the payload object: an enum value built
/// round a payload that a session has handed out is as good as the one that was handed out.
public enum NFCTag {
    /// A FeliCa tag.
    case feliCa(any NFCFeliCaTag)
    /// An ISO 14443-4 tag, type A or B, on which one of the listed applications has been selected.
    case iso7816(any NFCISO7816Tag)
    /// An ISO 15693 tag. Never delivered: a PN53x cannot read them.
    case iso15693(any NFCISO15693Tag)
    /// A MIFARE tag, or another type A tag without ISO 14443-4.
    case miFare(any NFCMiFareTag)

    /// Whether the tag is connected and has not left the field.
    public var isAvailable: Bool { payload.isAvailable }

    /// The tag object, whatever its kind.
    var payload: any __NFCTag {
        switch self {
        case .feliCa(let tag): tag
        case .iso7816(let tag): tag
        case .iso15693(let tag): tag
        case .miFare(let tag): tag
        }
    }
}
