import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What product a type A tag is, as far as its activation tells, without a command to it.
///
/// This is the one place that knows; names in reports and families in CoreNFC come from here. The first row that fits
/// counts (NXP AN10833; facts/pn532.md, 7.1 and 7.2; the historical bytes of Plus SE as Proxmark3 names them):
///
/// | SAK        | ATQA | historical bytes | product                                                 | family     |
/// |------------|------|------------------|---------------------------------------------------------|------------|
/// | 00         | xx44 | -                | Ultralight, Ultralight C, EV1, Nano, AES; NTAG21x, I2C  | ultralight |
/// | 09         |      | -                | Classic Mini                                            | classic    |
/// | 08         |      | -                | Classic 1K; Plus 2K in security level 1                 | classic    |
/// | 88         |      | -                | Classic 1K of Infineon                                  | classic    |
/// | 19         |      | -                | Classic 2K                                              | classic    |
/// | 18         |      | -                | Classic 4K; Plus 4K in security level 1                 | classic    |
/// | 10, 11     |      | -                | Plus 2K, 4K in security level 2                         | plus       |
/// | 20, 28, 38 |      | C1 05 ..         | Plus S, X, SE, EV1 in level 3, or in level 1 with ATS   | plus       |
/// | 20         | 03xx | 80               | DESFire EV1 to EV3, DESFire Light, NTAG 424 DNA         | desfire    |
/// | 28         |      | others           | smart card (SmartMX) with a Classic 1K inside           | other      |
/// | 38         |      | others           | smart card (SmartMX, Infineon) with a Classic 4K inside | other      |
/// | 20 set     |      | others           | no MIFARE product: JCOP, passports, phones              | none       |
/// | others     |      | -                | other makers' tags: TNP3xxx (SAK 01), Jewel-like        | other      |
///
/// Plus in level 1 cannot be told from a Classic, which it takes the place of.
package struct TypeAProduct: Sendable, Equatable {
    /// Products that take the same commands.
    package enum Family: Sendable, CaseIterable {
        case ultralight
        case classic
        case plus
        case desfire
        /// A type A tag of another kind, or a smart card with a Classic inside.
        case other
    }

    /// What to call it in a report.
    package let name: String
    /// Nil for an ISO 14443-4 tag that is no MIFARE product.
    package let family: Family?

    /// What activation says of the tag.
    package init(_ tag: TypeATarget) {
        (name, family) = tag.sak & 0x20 == 0 ? Self.ofLayer3(tag) : Self.ofLayer4(tag)
    }

    private static func ofLayer3(_ tag: TypeATarget) -> (String, Family?) {
        switch tag.sak {
        case 0x00 where tag.atqa & 0x00FF == 0x0044: ("MIFARE Ultralight or NTAG", .ultralight)
        case 0x09: ("MIFARE Classic Mini", .classic)
        case 0x08: ("MIFARE Classic 1K", .classic)
        case 0x88: ("MIFARE Classic 1K (Infineon)", .classic)
        case 0x19: ("MIFARE Classic 2K", .classic)
        case 0x18: ("MIFARE Classic 4K", .classic)
        case 0x10: ("MIFARE Plus 2K (SL2)", .plus)
        case 0x11: ("MIFARE Plus 4K (SL2)", .plus)
        default: ("ISO 14443 type A", .other)
        }
    }

    private static func ofLayer4(_ tag: TypeATarget) -> (String, Family?) {
        let history = tag.historicalBytes ?? Data()
        if history.starts(with: [0xC1, 0x05]) { return ("MIFARE Plus", .plus) }
        switch tag.sak {
        case 0x20 where tag.atqa & 0x0F00 == 0x0300 && history == Data([0x80]):
            // DESFire Light and NTAG 424 DNA say 77 77 71 02, the others 75 77 81 02.
            let isLight = tag.ats?.dropFirst().starts(with: [0x77, 0x77, 0x71]) == true
            return (isLight ? "NTAG 424 DNA or MIFARE DESFire Light" : "MIFARE DESFire", .desfire)
        case 0x28: return ("ISO 14443-4 with MIFARE Classic 1K", .other)
        case 0x38: return ("ISO 14443-4 with MIFARE Classic 4K", .other)
        default: return ("ISO 14443-4", nil)
        }
    }
}
