#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Requests and activation of type B cards (ISO 14443-3, 7; facts/pn532.md, 8).
extension Card {
    func receiveTypeB(
        _ bytes: Data,
        _ pupi: Data,
        _ applicationData: Data,
        _ protocolInfo: Data
    ) -> RadioReply? {
        if state == .isoDEP {
            let reply = ask(bytes)
            if reply != nil, Self.isDeselect(bytes) { state = .halted }
            return reply
        }
        switch bytes.first {
        case 0x05 where bytes.count == 3:
            let parameters = Array(bytes.dropFirst())
            let isWakeUp = parameters[1] & 0x08 != 0
            guard state != .halted || isWakeUp,
                Self.matches(family: parameters[0], of: applicationData.first ?? 0)
            else { return nil }
            state = .ready(level: 0)
            return RadioReply(Data([0x50]) + pupi + applicationData + protocolInfo)
        case 0x1D where state == .ready(level: 0) && bytes.dropFirst().prefix(4) == pupi:
            tag.selected()
            // The tag answers ATTRIB itself: it must know the CID and the frame size given there.
            let reply = ask(bytes)
            if reply != nil { state = .isoDEP }
            return reply
        case 0x50 where state == .ready(level: 0) && bytes.dropFirst() == pupi:
            state = .halted
            return RadioReply(Data([0x00]))
        default: return nil
        }
    }

    /// Whether a card with application family identifier `own` answers a request for `family` (ISO 14443-3, 7.7.3):
    /// 00 asks for all, a zero in either half for all of the other half.
    private static func matches(family: UInt8, of own: UInt8) -> Bool {
        let (high, low) = (family & 0xF0, family & 0x0F)
        return (high == 0 || high == own & 0xF0) && (low == 0 || low == own & 0x0F)
    }
}
