internal import Bytes
internal import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A FeliCa card: polling, Request Response and Request System Code (JIS X 6319-4), and with the memory of a Type 3 Tag
/// reading and writing it without encryption.
///
/// To anything else it stays silent. Its memory may be looked at from any thread.
public final class FeliCaTag: VirtualTag {
    /// What the tag is.
    public let name = "FeliCa"
    private let idm: Data
    private let pmm: Data
    private let systemCodes: [UInt16]
    private let state: Mutex<Type3Memory?>

    /// The blocks of a Type 3 Tag.
    public var memory: Type3Memory? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// A card.
    ///
    /// - Parameters:
    ///   - idm: its identifier, 8 bytes.
    ///   - pmm: what it says about its maker and its times, 8 bytes.
    ///   - systemCodes: the systems on it, 1 to 31; it answers a polling for any of them. 12FC is NFC Forum's.
    ///   - memory: the blocks of a Type 3 Tag; nil for a card that can only be identified.
    /// - Throws: when something has the wrong length.
    public init(
        idm: Data = Data([0x01, 0x2E, 0x3D, 0x4C, 0x5B, 0x6A, 0x79, 0x88]),
        pmm: Data = Data([0x03, 0x01, 0x4B, 0x02, 0x4F, 0x49, 0x93, 0xFF]),
        systemCodes: [UInt16] = [0x12FC],
        memory: Type3Memory? = nil
    ) throws(VirtualReaderError) {
        guard idm.count == 8, pmm.count == 8, (1...31).contains(systemCodes.count) else {
            throw .invalidTag(
                "a FeliCa card has 8 bytes of IDm, 8 of PMm, and 1 to 31 system codes"
            )
        }
        self.idm = Data(idm)
        self.pmm = Data(pmm)
        self.systemCodes = systemCodes
        state = Mutex(memory)
    }

    /// IDm, PMm and system codes.
    public var identification: Identification {
        .feliCa(idm: idm, pmm: pmm, systemCodes: systemCodes)
    }

    /// Answers Request Response (04) with mode 0, Request System Code (0C), and reads (06) and writes (08).
    ///
    /// Frames begin with their length.
    public func receive(_ frame: Frame) -> Answer? {
        var reader = ByteReader(frame.bytes)
        guard let length = try? reader.byte(), Int(length) == frame.bytes.count,
            let code = try? reader.byte(), (try? reader.bytes(8)) == idm
        else { return nil }
        let parameters = reader.rest()
        switch (code, parameters.count) {
        case (0x04, 0): return Self.answer(0x05, idm, [0x00])
        case (0x06, _):
            let answer = state.withLock { $0?.read(parameters) }
            return answer.map { Self.answer(0x07, idm, [UInt8]($0)) }
        case (0x08, _):
            let answer = state.withLock { $0?.write(parameters) }
            return answer.map { Self.answer(0x09, idm, [UInt8]($0)) }
        case (0x0C, 0):
            let codes = systemCodes.flatMap {
                [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)]
            }
            return Self.answer(0x0D, idm, [UInt8(systemCodes.count)] + codes)
        default: return nil
        }
    }

    /// Nothing is lost: what the card keeps needs no power.
    public func fieldLost() {}

    private static func answer(_ code: UInt8, _ idm: Data, _ content: [UInt8]) -> Answer {
        let body = Data([code]) + idm + content
        return Answer(Data([UInt8(body.count + 1)]) + body, after: .milliseconds(1))
    }
}
