internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What an ATS says about a card (ISO 14443-4, 5.2).
struct AnswerToSelect: Equatable {
    /// FSC: the longest frame, CRC included, that the card takes, in bytes.
    var frameSize = 32
    /// FWT: how long the card may take for an answer.
    var waitingTime = FrameWaitingTime.duration(of: 4)
    /// Whether the card understands a CID.
    var supportsCID = true

    /// Reads an ATS that starts with its length byte.
    ///
    /// Missing interface bytes mean the standard's defaults.
    init(_ ats: Data) {
        var reader = ByteReader(Data(ats.dropFirst()))
        guard let format = try? reader.byte() else { return }
        frameSize = FrameSize.bytes(of: format & 0x0F)
        if format & 0x10 != 0 { _ = try? reader.byte() }
        if format & 0x20 != 0, let tb = try? reader.byte() {
            waitingTime = FrameWaitingTime.duration(of: tb >> 4)
        }
        if format & 0x40 != 0, let tc = try? reader.byte() { supportsCID = tc & 0x02 != 0 }
    }
}

/// FSDI and FSCI: frame sizes as codes (ISO 14443-4, 5.1).
enum FrameSize {
    private static let sizes = [16, 24, 32, 40, 48, 64, 96, 128, 256]

    /// Bytes in a frame, CRC included.
    ///
    /// Codes above 8 count as 8.
    static func bytes(of code: UInt8) -> Int {
        sizes[min(Int(code), sizes.count - 1)]
    }
}

/// FWI: waiting times as codes (ISO 14443-4, 7.2).
enum FrameWaitingTime {
    /// 302 us times 2 to the power of FWI; 15 is reserved and counts as 4.
    static func duration(of code: UInt8) -> Duration {
        .microseconds(302 << Int(code < 15 ? code : 4))
    }
}
