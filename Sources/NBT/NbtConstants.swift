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
    /// The host application of Infineon's pass-through demonstration; it is not on the chip but in
    /// the host behind it (facts/nbt.md, 1.2).
    public static let demonstrationHostAid = Data([0x01, 0x02, 0x03, 0x04, 0x05])
    /// The applications that a reader session must list before it lets them be selected: the
    /// operational one first, which is selected on detection, the configurator, and the host's.
    public static let sessionIdentifiers = [
        "D2760000850101", "D276000004150200000B000101", "0102030405",
    ]
    /// The capability container.
    public static let ccFileId: UInt16 = 0xE103
    /// The file access policy.
    public static let fapFileId: UInt16 = 0xE1AF
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
    /// The bits of an access condition that hold a password's identifier.
    public static let idMaskBits: UInt8 = 0x1F
    /// The tag of GET DATA for the applet's version.
    public static let tagAppletVersion: UInt16 = 0xDF3A
    /// The tag of GET DATA for the available memory.
    public static let tagAvailableMemory: UInt16 = 0xDF3B
    /// The longest value of a DGI: PERSONALIZE DATA has a short Lc.
    public static let maximumDgiLength = 252
}
