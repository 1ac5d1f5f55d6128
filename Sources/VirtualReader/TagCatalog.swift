#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Virtual tags by name, as the command line's `--virtual` and `simulate` take them.
///
///     let catalog = try TagCatalog()
///     reader.place(try catalog.tag("nbt:counterfeit"))
///     reader.place(try catalog.tag("ntag213:uid=04112233445566"))
///
/// NBT tags carry certificates of the catalog's own authority, made when the catalog is, unless files
/// are named.
public struct TagCatalog: Sendable {
    /// Signs the certificates of this catalog's NBT tags.
    public let authority: CertificateAuthority

    /// A catalog with a fresh authority.
    public init() throws(CardError) {
        authority = try CertificateAuthority()
    }

    /// The tag that `text` describes: a kind, and behind a colon its options, separated by commas.
    public func tag(_ text: String) throws(TagCatalogError) -> any VirtualTag {
        var description = TagDescription(text)
        guard let kind = Self.kinds.first(where: { $0.name == description.kind }) else {
            throw .unknownKind(description.kind)
        }
        do {
            let tag = try kind.make(&description, authority)
            try description.checkNothingLeft()
            return tag
        } catch let error as TagCatalogError {
            throw error
        } catch {
            throw .unusable(text, reason: "\(error)")
        }
    }

    /// One kind of tag.
    public struct Kind: Sendable {
        /// The word for it.
        public let name: String
        /// What it is and which options it has, as one line without a full stop.
        public let summary: String
        fileprivate let make:
            @Sendable (inout TagDescription, CertificateAuthority) throws -> any VirtualTag
    }

    /// All kinds, in the order in which help texts list them.
    public static let kinds: [Kind] =
        [
            Kind(
                name: "nbt",
                summary: "OPTIGA Authenticate NBT (options below)",
                make: nbt
            ),
            Kind(
                name: "type4",
                summary: "Plain NFC Forum Type 4 Tag (uid=, ndef=HEX, read-only)",
                make: type4
            ),
            Kind(
                name: "desfire",
                summary: "MIFARE DESFire, identification only (uid=)",
                make: desfire
            ),
            Kind(
                name: "employee",
                summary: "Type B card with PIN and a file (uid= for its PUPI)",
                make: employee
            ),
            Kind(
                name: "felica",
                summary: "FeliCa, or a Type 3 Tag (uid= for its IDm, ndef=HEX)",
                make: feliCa
            ),
        ] + classics + type2s

    private static let classics: [Kind] =
        [
            ("classic-mini", "MIFARE Classic Mini (uid=)", .mini),
            ("classic-1k", "MIFARE Classic 1K (uid=)", .classic1K),
            ("classic-4k", "MIFARE Classic 4K (uid=)", .classic4K),
        ].map { (name: String, summary: String, kind: MifareClassicKind) in
            Kind(name: name, summary: summary) { description, _ in
                guard let uid = try description.takeUID() else {
                    return try MifareClassicTag(kind: kind)
                }
                return try MifareClassicTag(kind: kind, uid: uid)
            }
        }

    private static let type2s: [Kind] =
        [
            ("ultralight", .ultralight), ("ultralight-c", .ultralightC),
            ("ultralight-ev1", .ultralightEV1), ("ntag203", .ntag203), ("ntag210", .ntag210),
            ("ntag212", .ntag212), ("ntag213", .ntag213), ("ntag215", .ntag215),
            ("ntag216", .ntag216),
        ].map { (name: String, chip: Type2Chip) in
            Kind(name: name, summary: "\(chip.name) (uid=)") { description, _ in
                guard let uid = try description.takeUID() else { return try Type2Tag(kind: chip) }
                return try Type2Tag(kind: chip, uid: uid)
            }
        }
}

extension TagCatalog {
    private static func type4(
        _ description: inout TagDescription,
        _: CertificateAuthority
    ) throws -> any VirtualTag {
        let application = try Type4Application(
            ndefMessage: try description.takeBytes("ndef") ?? Data(),
            isReadOnly: try description.takeFlag("read-only")
        )
        guard let uid = try description.takeUID() else {
            return try ISODEPTag(name: "Type 4 Tag", application: application)
        }
        return try ISODEPTag(name: "Type 4 Tag", uid: uid, application: application)
    }

    private static func desfire(
        _ description: inout TagDescription,
        _: CertificateAuthority
    ) throws -> any VirtualTag {
        let own = Data([0x04, 0xD5, 0xF1, 0x2E, 0x33, 0x44, 0x80])
        let shown = try description.takeUID() ?? .fixed(own)
        let uid = if case .fixed(let bytes) = shown { bytes } else { own }
        return try ISODEPTag(
            name: "MIFARE DESFire",
            uid: shown,
            atqa: 0x0344,
            ats: Data([0x06, 0x75, 0x77, 0x81, 0x02, 0x80]),
            application: try DESFireIdentification(uid: uid)
        )
    }

    private static func employee(
        _ description: inout TagDescription,
        _: CertificateAuthority
    ) throws -> any VirtualTag {
        let application = try EmployeeCardApplication()
        let name = "Employee card"
        return switch try description.takeUID() {
        case nil: try TypeBTag(name: name, application: application)
        case .random?: try TypeBTag(name: name, pupi: nil, application: application)
        case .fixed(let pupi)?: try TypeBTag(name: name, pupi: pupi, application: application)
        }
    }

    private static func feliCa(
        _ description: inout TagDescription,
        _: CertificateAuthority
    ) throws -> any VirtualTag {
        let memory = try description.takeBytes("ndef").map { message throws(VirtualReaderError) in
            try Type3Memory(ndefMessage: message)
        }
        guard let idm = try description.takeBytes("uid") else {
            return try FeliCaTag(memory: memory)
        }
        return try FeliCaTag(idm: idm, memory: memory)
    }
}
