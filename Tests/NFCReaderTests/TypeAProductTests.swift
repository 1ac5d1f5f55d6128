import Foundation
import NFCReader
import TestSupport
import Testing

/// The rows of `TypeAProduct`'s table, product by product (NXP AN10833; facts/pn532.md, 3.1, 7.1 and 7.2).
@Suite struct TypeAProductTests {
    struct Product: Sendable, CustomTestStringConvertible {
        let product: String
        let atqa: UInt16
        let sak: UInt8
        let ats: String?
        let name: String
        let family: TypeAProduct.Family?

        init(
            _ product: String,
            _ atqa: UInt16,
            _ sak: UInt8,
            ats: String? = nil,
            _ name: String,
            _ family: TypeAProduct.Family?
        ) {
            self.product = product
            self.atqa = atqa
            self.sak = sak
            self.ats = ats
            self.name = name
            self.family = family
        }

        var testDescription: String { product }
    }

    static let type2 = "MIFARE Ultralight or NTAG"
    static let light = "NTAG 424 DNA or MIFARE DESFire Light"
    static let plusS = "0c75778002c1052f2f0035c7"
    static let plusX = "0c75778002c1052f2f01bcd6"
    static let plusSE = "0c75778002c105213000f6d1"
    static let desfire = "067577810280"

    static let products: [Product] = [
        // Type 2 tags all look the same.
        Product("Ultralight", 0x0044, 0x00, type2, .ultralight),
        Product("Ultralight C", 0x0044, 0x00, type2, .ultralight),
        Product("Ultralight EV1", 0x0044, 0x00, type2, .ultralight),
        Product("Ultralight Nano", 0x0044, 0x00, type2, .ultralight),
        Product("NTAG213, 215, 216", 0x0044, 0x00, type2, .ultralight),
        Product("NTAG I2C plus", 0x0044, 0x00, type2, .ultralight),
        // Classic.
        Product("Classic Mini", 0x0004, 0x09, "MIFARE Classic Mini", .classic),
        Product("Classic Mini, 7-byte UID", 0x0044, 0x09, "MIFARE Classic Mini", .classic),
        Product("Classic 1K", 0x0004, 0x08, "MIFARE Classic 1K", .classic),
        Product("Classic 1K, 7-byte UID", 0x0044, 0x08, "MIFARE Classic 1K", .classic),
        Product("Classic 1K of Infineon", 0x0004, 0x88, "MIFARE Classic 1K (Infineon)", .classic),
        Product("Classic 2K", 0x0004, 0x19, "MIFARE Classic 2K", .classic),
        Product("Classic 4K", 0x0002, 0x18, "MIFARE Classic 4K", .classic),
        Product("Classic 4K, 7-byte UID", 0x0042, 0x18, "MIFARE Classic 4K", .classic),
        // Plus in its security levels.
        Product("Plus S 2K SL1", 0x0004, 0x08, "MIFARE Classic 1K", .classic),
        Product("Plus S 4K SL1", 0x0002, 0x18, "MIFARE Classic 4K", .classic),
        Product("Plus EV1 2K SL1 with ATS", 0x0044, 0x28, ats: plusX, "MIFARE Plus", .plus),
        Product("Plus EV1 4K SL1 with ATS", 0x0042, 0x38, ats: plusX, "MIFARE Plus", .plus),
        Product("Plus X 2K SL2", 0x0044, 0x10, "MIFARE Plus 2K (SL2)", .plus),
        Product("Plus X 4K SL2", 0x0042, 0x11, "MIFARE Plus 4K (SL2)", .plus),
        Product("Plus S SL3", 0x0044, 0x20, ats: plusS, "MIFARE Plus", .plus),
        Product("Plus X SL3", 0x0042, 0x20, ats: plusX, "MIFARE Plus", .plus),
        Product("Plus SE SL3", 0x0004, 0x20, ats: plusSE, "MIFARE Plus", .plus),
        // DESFire and what looks like it.
        Product("DESFire EV1", 0x0344, 0x20, ats: desfire, "MIFARE DESFire", .desfire),
        Product("DESFire EV2", 0x0344, 0x20, ats: desfire, "MIFARE DESFire", .desfire),
        Product("DESFire EV3", 0x0344, 0x20, ats: desfire, "MIFARE DESFire", .desfire),
        Product("DESFire with random UID", 0x0304, 0x20, ats: desfire, "MIFARE DESFire", .desfire),
        Product("DESFire Light", 0x0344, 0x20, ats: "067777710280", light, .desfire),
        Product("NTAG 424 DNA", 0x0344, 0x20, ats: "067777710280", light, .desfire),
        // Smart cards, with a Classic inside and without.
        Product(
            "SmartMX 1K",
            0x0004,
            0x28,
            ats: "0578807002",
            "ISO 14443-4 with MIFARE Classic 1K",
            .other
        ),
        Product(
            "SmartMX 4K",
            0x0002,
            0x38,
            ats: "0578807002",
            "ISO 14443-4 with MIFARE Classic 4K",
            .other
        ),
        Product("JCOP31", 0x0048, 0x20, ats: "0d7877b1024a434f5076323431", "ISO 14443-4", nil),
        Product("phone", 0x0004, 0x20, ats: "0578807002", "ISO 14443-4", nil),
        Product("phone with NFC-DEP", 0x0004, 0x60, ats: "0578807002", "ISO 14443-4", nil),
        Product(
            "type 4 tag with history 80",
            0x0044,
            0x20,
            ats: "067880800280",
            "ISO 14443-4",
            nil
        ),
        Product("ISO-DEP without ATS", 0x0004, 0x20, "ISO 14443-4", nil),
        Product("ISO-DEP with an empty ATS", 0x0004, 0x20, ats: "00", "ISO 14443-4", nil),
        // Other makers.
        Product("Skylander (TNP3xxx)", 0x0F01, 0x01, "ISO 14443 type A", .other),
        Product("SAK 00 with another ATQA", 0x0004, 0x00, "ISO 14443 type A", .other),
    ]

    @Test("A product is told by ATQA, SAK and ATS", arguments: products)
    func product(_ example: Product) {
        let tag = TypeATarget(
            atqa: example.atqa,
            sak: example.sak,
            uid: hex("04112233445566"),
            ats: example.ats.map { hex($0) }
        )
        let product = TypeAProduct(tag)
        #expect(product.name == example.name)
        #expect(product.family == example.family)
        #expect(TagType.name(of: .typeA(tag)) == example.name)
        #expect(TagType.needsVersion(.typeA(tag)) == (example.family == .ultralight))
    }
}
