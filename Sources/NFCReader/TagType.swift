#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The product name of a tag, as far as it can be told (facts/pn532.md, 7.1, 7.2 and 7.4; NXP AN10833).
package enum TagType {
    /// What activation alone says, and for type 2 tags the answer to GET_VERSION when it was asked for.
    package static func name(of target: Target, version: Data? = nil) -> String {
        switch target {
        case .typeA(let tag): typeA(tag, version: version)
        case .typeB: "ISO 14443 type B"
        case .feliCa: "FeliCa"
        }
    }

    /// Whether GET_VERSION can tell more than activation did: SAK 00 is everything from Ultralight to NTAG216.
    package static func needsVersion(_ target: Target) -> Bool {
        guard case .typeA(let tag) = target else { return false }
        return tag.sak == 0x00 && tag.atqa == 0x0044
    }

    private static func typeA(_ tag: TypeATarget, version: Data?) -> String {
        switch tag.sak {
        case 0x00 where tag.atqa == 0x0044:
            version.map(type2) ?? "MIFARE Ultralight or NTAG"
        case 0x09: "MIFARE Classic Mini"
        case 0x08: "MIFARE Classic 1K"
        case 0x18: "MIFARE Classic 4K"
        case 0x28: "ISO 14443-4 with MIFARE Classic 1K"
        case 0x38: "ISO 14443-4 with MIFARE Classic 4K"
        case let sak where sak & 0x20 != 0: isoDEP(tag)
        default: "ISO 14443 type A"
        }
    }

    private static func isoDEP(_ tag: TypeATarget) -> String {
        guard let ats = tag.ats else { return "ISO 14443-4" }
        if ats == Data([0x06, 0x75, 0x77, 0x81, 0x02, 0x80]), tag.atqa == 0x0344 {
            return "MIFARE DESFire"
        }
        if ats == Data([0x06, 0x77, 0x77, 0x71, 0x02, 0x80]), tag.atqa == 0x0344 {
            return "NTAG 424 DNA"
        }
        // Plus in security level 3 names itself in its historical bytes (C1 05 2F 2F ..).
        if tag.historicalBytes?.starts(with: [0xC1, 0x05, 0x2F, 0x2F]) == true {
            return "MIFARE Plus"
        }
        return "ISO 14443-4"
    }

    /// GET_VERSION: fixed 00, vendor 04, type 03 Ultralight or 04 NTAG, subtype, versions, size, protocol 03.
    private static func type2(_ version: Data) -> String {
        guard version.count == 8 else { return "MIFARE Ultralight or NTAG" }
        let bytes = [UInt8](version)
        return switch (bytes[2], bytes[3], bytes[6]) {
        case (0x03, _, 0x0B): "MIFARE Ultralight EV1 MF0UL11"
        case (0x03, _, 0x0E): "MIFARE Ultralight EV1 MF0UL21"
        case (0x04, 0x01, 0x0B): "NTAG210"
        case (0x04, 0x01, 0x0E): "NTAG212"
        case (0x04, 0x02, 0x0F): "NTAG213"
        case (0x04, 0x02, 0x11): "NTAG215"
        case (0x04, 0x02, 0x13): "NTAG216"
        case (0x04, 0x05, 0x13): "NTAG I2C plus 1k"
        case (0x04, 0x05, 0x15): "NTAG I2C plus 2k"
        default: "MIFARE Ultralight or NTAG"
        }
    }
}
