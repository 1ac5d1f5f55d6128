internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Polling of FeliCa cards (JIS X 6319-4; facts/pn532.md, 8). Frames begin with their length byte.
extension Card {
    func receiveFeliCa(
        _ bytes: Data,
        _ idm: Data,
        _ pmm: Data,
        _ systemCodes: [UInt16]
    ) -> RadioReply? {
        guard bytes.first.map(Int.init) == bytes.count else { return nil }
        var reader = ByteReader(Data(bytes.dropFirst()))
        guard (try? reader.byte()) == 0x00, reader.remaining == 4 else { return ask(bytes) }
        guard let wanted = try? reader.uint16(), let request = try? reader.byte(),
            let code = systemCodes.first(where: { Self.matches($0, wanted) })
        else { return nil }
        var answer = Data([0x01]) + idm + pmm
        switch request {
        case 0x01: answer += [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)]
        // The card can do 212 and 424 kbit/s.
        case 0x02: answer += [0x00, 0x83]
        default: break
        }
        return RadioReply(Data([UInt8(truncatingIfNeeded: answer.count + 1)]) + answer)
    }

    /// FF in either byte of the wanted code stands for any value.
    private static func matches(_ code: UInt16, _ wanted: UInt16) -> Bool {
        (wanted >> 8 == 0xFF || wanted >> 8 == code >> 8)
            && (wanted & 0xFF == 0xFF || wanted & 0xFF == code & 0xFF)
    }
}
