/// The families of MIFARE tags.
///
/// Apple's enum of the same name (facts/corenfc.md, 1.5); `MIFAREIdentification` says how a tag is told to be of one.
public enum NFCMiFareFamily: UInt, Sendable {
    /// Another type A tag, MIFARE Classic among them.
    case unknown = 1
    /// MIFARE Ultralight and NTAG.
    case ultralight = 2
    /// MIFARE Plus.
    case plus = 3
    /// MIFARE DESFire, and NTAG 424, which looks the same.
    case desfire = 4
}
