#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Anticollision and selection of type A cards (ISO 14443-3, 6; facts/pn532.md, 3.1 and 7.1).
extension Card {
    func receiveTypeA(_ frame: RadioFrame, atqa: UInt16, sak: UInt8, uid: Data) -> RadioReply? {
        if frame.isShort { return receiveRequest(frame.bytes, atqa: atqa) }
        switch state {
        case .idle, .halted: return nil
        case .ready(let level):
            return receiveSelection(frame.bytes, level: level, sak: sak, uid: uid)
        case .active: return receiveActive(frame.bytes)
        case .isoDEP:
            let reply = ask(frame.bytes)
            if reply != nil, Self.isDeselect(frame.bytes) { state = .halted }
            return reply
        }
    }

    /// The card took something for an error and waits for the next request.
    func fallSilent() {
        state = wasHalted ? .halted : .idle
    }

    /// REQA (26) finds idle cards, WUPA (52) halted ones too. A card that is already selected takes either for an
    /// error and falls back, so that only the next one finds it; in ISO-DEP state it ignores both.
    private func receiveRequest(_ bytes: Data, atqa: UInt16) -> RadioReply? {
        let isWakeUp = bytes.first == 0x52
        switch state {
        case .idle: wasHalted = false
        case .halted where isWakeUp: wasHalted = true
        case .halted, .isoDEP: return nil
        case .ready, .active:
            fallSilent()
            return nil
        }
        state = .ready(level: 0)
        return RadioReply(
            Data([UInt8(truncatingIfNeeded: atqa), UInt8(atqa >> 8)]), .withoutCRC)
    }

    private func receiveSelection(
        _ bytes: Data, level: Int, sak: UInt8, uid: Data
    ) -> RadioReply? {
        let levels = CascadeLevel.levels(of: uid)
        guard level < levels.count else { return nil }
        let current = levels[level]
        if bytes == Data([current.command, 0x20]) {
            return RadioReply(current.uidAndCheck, .withoutCRC)
        }
        guard bytes == Data([current.command, 0x70]) + current.uidAndCheck else {
            fallSilent()
            return nil
        }
        let isLast = level + 1 == levels.count
        state = isLast ? .active : .ready(level: level + 1)
        if isLast { tag.selected() }
        // Bit 3 of SAK: the UID is not complete.
        return RadioReply(Data([isLast ? sak & ~0x04 : 0x04]))
    }

    private func receiveActive(_ bytes: Data) -> RadioReply? {
        if bytes == Data([0x50, 0x00]) {
            state = .halted
            return nil
        }
        let answer = ask(bytes)
        guard let reply = answer, reply.form == .withCRC || reply.isAcknowledge else {
            // Silence or NAK: the command was an error to the tag.
            fallSilent()
            return answer
        }
        if bytes.first == 0xE0, reply.form == .withCRC { state = .isoDEP }
        return reply.bytes.isEmpty ? nil : reply
    }
}

/// What a type A card shows of its UID at one level of the cascade.
struct CascadeLevel: Equatable {
    /// SEL: 93, 95 or 97.
    let command: UInt8
    /// Four bytes of UID, the first of them 88 when more levels follow, and their exclusive or.
    let uidAndCheck: Data

    /// The levels of a UID of 4, 7 or 10 bytes; none for another length.
    static func levels(of uid: Data) -> [CascadeLevel] {
        guard TagUID.lengths.contains(uid.count) else { return [] }
        var rest = Data(uid)
        var levels: [CascadeLevel] = []
        for command: UInt8 in [0x93, 0x95, 0x97] where !rest.isEmpty {
            let isLast = rest.count == 4
            let part = isLast ? rest : [0x88] + rest.prefix(3)
            rest = Data(rest.dropFirst(isLast ? 4 : 3))
            levels.append(
                CascadeLevel(command: command, uidAndCheck: part + [part.reduce(0, ^)]))
        }
        return levels
    }
}
