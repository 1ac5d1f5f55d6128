#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Names and sizes of the OPTIGA Authenticate NBT (facts/nbt.md, 1).
public enum NbtConstants {
    /// The operational application, which is the NFC Forum's type 4 tag application.
    public static let aid = Data([0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01])
    /// The configurator application.
    public static let configuratorAid = Data([
        0xD2, 0x76, 0x00, 0x00, 0x04, 0x15, 0x02, 0x00, 0x00, 0x0B, 0x00, 0x01, 0x01,
    ])
    /// The file with the NDEF message: NLEN in two bytes, then the message.
    public static let ndefFileId: UInt16 = 0xE104
    /// The size of the NDEF file in bytes, NLEN included.
    public static let ndefFileSize = 4096
    /// The most bytes that one READ BINARY asks for: Le is short.
    public static let maxLe = 256
    /// The most bytes that one UPDATE BINARY carries: Lc is short.
    public static let maxLc = 255
    /// The size of a password in bytes.
    public static let passwordLength = 4
}
