public import APDU

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What PERSONALIZE DATA can store (facts/nbt.md, 2.7).
public enum PersonalizeDataDgi: UInt16, Sendable, Hashable, CaseIterable {
    /// 16 bytes: the AES key of the one-time link token.
    case a001 = 0xA001
    /// 32 bytes: the P-256 private number of AUTHENTICATE TAG.
    case a002 = 0xA002
    /// 9 bytes: a password.
    case a003 = 0xA003
    /// Offset (2 bytes) and content of the NDEF file.
    case e104 = 0xE104
    /// Offset and content of proprietary file 1.
    case e1a1 = 0xE1A1
    /// Offset and content of proprietary file 2.
    case e1a2 = 0xE1A2
    /// Offset and content of proprietary file 3.
    case e1a3 = 0xE1A3
    /// Offset and content of proprietary file 4.
    case e1a4 = 0xE1A4
    /// 42 bytes: the whole access policy file.
    case e1af = 0xE1AF
    /// No value: ends personalisation for good.
    case bf63 = 0xBF63
}

/// Builds PERSONALIZE DATA (facts/nbt.md, 2.7).
public struct NbtCommandBuilderPerso: Sendable {
    /// A builder has no state.
    public init() {}

    /// PERSONALIZE DATA with one data object.
    ///
    /// - Throws: `NbtError.invalidArgument` for a value of more than 252 bytes, which the short Lc
    ///   cannot carry.
    public func personalizeData(
        dgi: PersonalizeDataDgi,
        data: Data
    ) throws(NbtError) -> CommandAPDU {
        guard data.count <= NbtConstants.maximumDgiLength else {
            throw .invalidArgument(
                .personalizeData,
                "a value has at most 252 bytes, not \(data.count)"
            )
        }
        return try command(
            .personalizeData,
            ins: 0xE2,
            data: try DgiTlv(tag: dgi.rawValue, value: data).encoded()
        )
    }

    /// PERSONALIZE DATA that ends personalisation for good.
    ///
    /// - Throws: nothing for these fixed bytes.
    public func finalizePersonalization() throws(NbtError) -> CommandAPDU {
        try personalizeData(dgi: .bf63, data: Data())
    }
}
