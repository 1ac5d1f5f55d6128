public import NBT
public import NDEF

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension PersonalisationPlan.Content {
    /// The address that Infineon's app writes; the tag replaces the 44 characters at its end by a
    /// one-time token once it has a link key (facts/nbt.md, 3.1 and 4.5).
    public static let sampleURL =
        "http://optiga-nbt-cott-service.infineon.com?cott="
        + String(repeating: "PLACEHOLDER", count: 4)

    /// What Infineon's app puts on a tag for brand protection: a record with an address, a record
    /// with the certificate, and the key (facts/nbt.md, 2.10 and 3.1).
    ///
    /// - Parameters:
    ///   - certificate: the device certificate.
    ///   - key: its private key.
    ///   - url: the address; nil for none.
    ///   - type: the type of the certificate's record, one of `BrandProtectionRecord.types`.
    /// - Returns: content with the policies and the configuration of brand protection.
    /// - Throws: `BrandProtectionError.unusableKey` if the key is not the certificate's;
    ///   `NDEFError` for an address or a type that cannot be encoded.
    public static func brandProtection(
        certificate: Certificate,
        key: DeviceKey,
        url: String? = sampleURL,
        type: String = BrandProtectionRecord.types[0]
    ) throws -> PersonalisationPlan.Content {
        guard key.belongs(to: certificate) else {
            throw BrandProtectionError.unusableKey("it does not belong to the certificate")
        }
        var records: [NDEFRecord] = []
        if let url { records.append(try URIRecord(uri: url).record) }
        records.append(
            try NDEFRecord(
                typeNameFormat: .external,
                type: Data(type.utf8),
                identifier: Data([0x00]),
                payload: certificate.der
            )
        )
        var content = PersonalisationPlan.Content(for: .brandProtection)
        content.message = NDEFMessage(records: records).encoded
        content.privateKey = key.scalar
        return content
    }
}
