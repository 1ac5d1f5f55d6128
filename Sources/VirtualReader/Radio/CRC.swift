#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The 2-byte checks that frames carry on air, in the order in which they are sent.
package enum CRC {
    /// CRC_A (ISO 14443-3, annex B), low byte first.
    package static func typeA(_ bytes: Data) -> Data {
        reflected(bytes, start: 0x6363, inverted: false)
    }

    /// CRC_B (ISO 14443-3, annex B), low byte first.
    package static func typeB(_ bytes: Data) -> Data {
        reflected(bytes, start: 0xFFFF, inverted: true)
    }

    /// The CRC of FeliCa frames (JIS X 6319-4), over the length byte and all that follows, high byte first.
    package static func feliCa(_ bytes: Data) -> Data {
        var crc: UInt16 = 0
        for byte in bytes {
            crc ^= UInt16(byte) << 8
            for _ in 0..<8 { crc = crc & 0x8000 != 0 ? crc << 1 ^ 0x1021 : crc << 1 }
        }
        return Data([UInt8(crc >> 8), UInt8(truncatingIfNeeded: crc)])
    }

    /// The CRC that frames of a technology carry.
    static func of(_ bytes: Data, _ technology: Technology) -> Data {
        switch technology {
        case .typeA: typeA(bytes)
        case .typeB: typeB(bytes)
        case .feliCa: feliCa(bytes)
        }
    }

    private static func reflected(_ bytes: Data, start: UInt16, inverted: Bool) -> Data {
        var crc = start
        for byte in bytes {
            crc ^= UInt16(byte)
            for _ in 0..<8 { crc = crc & 1 != 0 ? crc >> 1 ^ 0x8408 : crc >> 1 }
        }
        if inverted { crc = ~crc }
        return Data([UInt8(truncatingIfNeeded: crc), UInt8(crc >> 8)])
    }
}
