internal import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A FeliCa card as far as it can be identified: polling, Request Response and Request System Code
/// (JIS X 6319-4).
///
/// To anything else it stays silent.
public final class FeliCaTag: VirtualTag {
    /// What the tag is.
    public let name = "FeliCa"
    private let idm: Data
    private let pmm: Data
    private let systemCodes: [UInt16]

    /// A card.
    ///
    /// - Parameters:
    ///   - idm: its identifier, 8 bytes.
    ///   - pmm: what it says about its maker and its times, 8 bytes.
    ///   - systemCodes: the systems on it, 1 to 31; it answers a polling for any of them. 12FC is NFC Forum's.
    /// - Throws: when something has the wrong length.
    public init(
        idm: Data = Data([0x01, 0x2E, 0x3D, 0x4C, 0x5B, 0x6A, 0x79, 0x88]),
        pmm: Data = Data([0x03, 0x01, 0x4B, 0x02, 0x4F, 0x49, 0x93, 0xFF]),
        systemCodes: [UInt16] = [0x12FC]
    ) throws(VirtualReaderError) {
        guard idm.count == 8, pmm.count == 8, (1...31).contains(systemCodes.count) else {
            throw .invalidTag(
                "a FeliCa card has 8 bytes of IDm, 8 of PMm, and 1 to 31 system codes"
            )
        }
        self.idm = Data(idm)
        self.pmm = Data(pmm)
        self.systemCodes = systemCodes
    }

    /// IDm, PMm and system codes.
    public var identification: Identification {
        .feliCa(idm: idm, pmm: pmm, systemCodes: systemCodes)
    }

    /// Answers Request Response (04) with mode 0, and Request System Code (0C).
    ///
    /// Frames begin with their length.
    public func receive(_ frame: Frame) -> Answer? {
        var reader = ByteReader(frame.bytes)
        guard let length = try? reader.byte(), Int(length) == frame.bytes.count,
            let code = try? reader.byte(), (try? reader.bytes(8)) == idm, reader.isAtEnd
        else { return nil }
        switch code {
        case 0x04: return Self.answer(0x05, idm, [0x00])
        case 0x0C:
            let codes = systemCodes.flatMap {
                [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]
            }
            return Self.answer(0x0D, idm, [UInt8(systemCodes.count)] + codes)
        default: return nil
        }
    }

    /// Nothing is lost: the card keeps no state.
    public func fieldLost() {}

    private static func answer(_ code: UInt8, _ idm: Data, _ content: [UInt8]) -> Answer {
        let body = Data([code]) + idm + content
        return Answer(Data([UInt8(body.count + 1)]) + body, after: .milliseconds(1))
    }
}
