#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The product name of a tag, as far as it can be told.
package enum TagType {
    /// What activation alone says (`TypeAProduct`), and for type 2 tags the answer to GET_VERSION when it was asked for.
    package static func name(of target: Target, version: Data? = nil) -> String {
        switch target {
        case .typeA(let tag):
            needsVersion(target)
                ? version.flatMap(type2) ?? TypeAProduct(tag).name : TypeAProduct(tag).name
        case .typeB: "ISO 14443 type B"
        case .feliCa: "FeliCa"
        }
    }

    /// Whether GET_VERSION can tell more than activation did: SAK 00 is everything from Ultralight to NTAG216.
    package static func needsVersion(_ target: Target) -> Bool {
        guard case .typeA(let tag) = target else { return false }
        return TypeAProduct(tag).family == .ultralight
    }

    /// GET_VERSION: fixed 00, vendor 04, type 03 Ultralight or 04 NTAG, subtype, version, size, protocol 03
    /// (facts/pn532.md, 7.4; Nano, AES and the first NTAG I2C as Proxmark3 lists them).
    ///
    /// Nil for an answer that no known product gives.
    private static func type2(_ version: Data) -> String? {
        let bytes = [UInt8](version)
        guard bytes.count == 8, bytes[1] == 0x04 else { return nil }
        let (subtype, major, minor, size) = (bytes[3], bytes[4], bytes[5], bytes[6])
        switch bytes[2] {
        case 0x03:
            switch (major, size) {
            case (0x02, 0x0B): return "MIFARE Ultralight Nano"
            case (0x04, 0x0F): return "MIFARE Ultralight AES"
            case (_, 0x0B): return "MIFARE Ultralight EV1 MF0UL11"
            case (_, 0x0E): return "MIFARE Ultralight EV1 MF0UL21"
            default: return nil
            }
        case 0x04:
            switch (subtype, minor, size) {
            case (0x01, _, 0x0B): return "NTAG210"
            case (0x01, _, 0x0E): return "NTAG212"
            case (0x02, _, 0x0F): return "NTAG213"
            case (0x02, _, 0x11): return "NTAG215"
            case (0x02, _, 0x13): return "NTAG216"
            case (0x05, 0x02, 0x13): return "NTAG I2C plus 1k"
            case (0x05, 0x02, 0x15): return "NTAG I2C plus 2k"
            case (0x05, _, 0x13): return "NTAG I2C 1k"
            case (0x05, _, 0x15): return "NTAG I2C 2k"
            default: return nil
            }
        default: return nil
        }
    }
}
