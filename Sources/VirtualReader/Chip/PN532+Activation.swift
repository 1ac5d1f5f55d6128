#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Finding, selecting and releasing tags on air (facts/pn532.md, 3.1, 3.2, 7.5 and 8).
extension PN532 {
    /// Looks once for type A tags of the wanted types.
    func searchTypeA(_ scan: Scan) -> [Target] {
        var wanted: Data?
        if case .uid(let uid) = scan.detail { wanted = Data(uid) }
        var found: [Target] = []
        while found.count < scan.maximum,
            var target = try? activateTypeA(wanted, position: found.count)
        {
            let isWanted = target.type(among: scan.types) != nil
            // The next one can only be heard when this one is silent.
            if !isWanted || found.count + 1 < scan.maximum { target = asleep(target) }
            guard isWanted else { break }
            found.append(target)
        }
        // The last one found stays active.
        if let last = found.popLast() { found.append((try? awake(last, found.count)) ?? last) }
        return found
    }

    /// Looks once for type B cards and activates them, with CID 1 for the first.
    func searchTypeB(_ scan: Scan) -> [Target] {
        var family: UInt8 = 0x00
        if case .family(let wanted) = scan.detail { family = wanted }
        let request = RadioFrame(technology: .typeB, bytes: Data([0x05, family, 0x00]))
        guard let replies = try? field.broadcast(request) else { return [] }
        var found: [Target] = []
        for reply in replies.prefix(scan.maximum) {
            let cid = UInt8(found.count + 1)
            if let target = try? activateTypeB(reply.bytes, cid: cid) { found.append(target) }
        }
        return found
    }

    /// Looks once for FeliCa cards.
    ///
    /// With one time slot, two cards destroy each other's answer.
    func searchFeliCa(rate: UInt8, _ scan: Scan) -> [Target] {
        var payload: [UInt8] = [0x00, 0xFF, 0xFF, 0x01, 0x00]
        if case .polling(let wanted) = scan.detail { payload = wanted }
        let polling = RadioFrame(technology: .feliCa, bytes: [0x06] + Data(payload))
        guard let replies = try? field.broadcast(polling) else { return [] }
        let slots = Int(payload.last ?? 0) + 1
        guard replies.count <= slots else { return [] }
        return replies.prefix(scan.maximum).map { reply in
            var target = Target(kind: .feliCa(rate: rate), record: reply.bytes)
            target.rates = (rate, rate)
            return target
        }
    }

    /// A target that listens; if it was asleep, the other one was put to sleep and this one woken.
    func awakeTarget(_ number: UInt8) throws(ChipStatus) -> Target {
        guard let target = targets[number] else { throw .wrongContext }
        guard !target.isSelected else { return target }
        for other in targets.keys where other != number { putToSleep(other) }
        let woken = try awake(target, Int(number) - 1)
        targets[number] = woken
        return woken
    }

    /// Takes a target out of the conversation, but keeps it.
    func putToSleep(_ number: UInt8) {
        targets[number] = targets[number].map(asleep)
    }

    /// The target after HLTA, or after S(DESELECT) for one that speaks ISO-DEP.
    ///
    /// FeliCa has no sleep.
    private func asleep(_ target: Target) -> Target {
        guard target.isSelected else { return target }
        var target = target
        switch target.kind {
        case .typeA, .typeB:
            if let isoDEP = target.isoDEP {
                isoDEP.deselect(over: field)
            } else {
                _ = try? field.broadcast(.typeA(Data([0x50, 0x00])))
            }
            target.isSelected = false
        case .feliCa: break
        }
        registers.isEncrypting = false
        return target
    }

    /// The target after it was woken and selected again.
    private func awake(_ target: Target, _ position: Int) throws(ChipStatus) -> Target {
        guard !target.isSelected else { return target }
        switch target.kind {
        case .typeA(let uid, _):
            return try activateTypeA(uid, wakeUp: true, position: position)
        case .typeB(let pupi):
            let request = RadioFrame(technology: .typeB, bytes: Data([0x05, 0x00, 0x08]))
            let replies = try field.broadcast(request)
            guard let reply = replies.first(where: { $0.bytes.dropFirst().prefix(4) == pupi })
            else { throw .timeout }
            return try activateTypeB(reply.bytes, cid: target.isoDEP?.cid ?? 1)
        case .feliCa: return target
        }
    }

    /// Selects one type A tag and, if it and the parameters want it, starts ISO-DEP.
    ///
    /// `position` says how many tags have been found before: the first ISO-DEP card needs no CID.
    private func activateTypeA(
        _ wanted: Data?,
        wakeUp: Bool = false,
        position: Int
    ) throws(ChipStatus) -> Target {
        let requestReplies = try field.broadcast(.request(wakeUp: wakeUp))
        registers[Registers.Address.fifoData] = requestReplies.isEmpty ? 0x26 : 0x00
        // Several ATQA at once: a bit that any tag sends is there.
        let atqa = requestReplies.reduce(Data(count: 2)) { sum, reply in
            Data(zip(sum, reply.bytes).map { $0 | $1 })
        }
        guard !requestReplies.isEmpty else { throw .timeout }
        let (uid, sak) = try selectTypeA(wanted)

        var record = Data(atqa.reversed()) + [sak, UInt8(uid.count)] + uid
        var target = Target(kind: .typeA(uid: uid, sak: sak), record: record)
        if sak & 0x20 != 0, parameters & 0x10 != 0 {
            let cid = UInt8(position)
            // RATS with FSD 64.
            let rats = RadioFrame.typeA(Data([0xE0, 0x50 | cid]))
            let ats = try field.exchange(rats, within: .milliseconds(5)).bytes
            let answer = AnswerToSelect(ats)
            record += ats
            target = Target(kind: target.kind, record: record)
            target.isoDEP = ISODEPInitiator(
                technology: .typeA,
                cid: cid == 0 ? nil : cid,
                frameSize: answer.frameSize,
                waitingTime: answer.waitingTime
            )
        }
        return target
    }

    /// Anticollision and selection through all levels of the cascade (ISO 14443-3, 6.5).
    private func selectTypeA(_ wanted: Data?) throws(ChipStatus) -> (uid: Data, sak: UInt8) {
        let wantedLevels = wanted.map(CascadeLevel.levels(of:))
        var uid = Data()
        for (level, command) in ([0x93, 0x95, 0x97] as [UInt8]).enumerated() {
            let part: Data
            if let wantedLevels {
                guard level < wantedLevels.count else { throw .timeout }
                part = wantedLevels[level].uidAndCheck
            } else {
                let replies = try field.broadcast(.typeA(Data([command, 0x20])))
                guard let winner = Self.winner(among: replies.map(\.bytes)) else { throw .timeout }
                part = winner
            }
            guard part.count == 5, part.reduce(0, ^) == 0 else { throw .wrongBCC }
            let reply = try field.exchange(
                .typeA([command, 0x70] + part),
                within: .milliseconds(1)
            )
            guard let sak = reply.bytes.first else { throw .protocolError }
            let isCascadeTag = part.first == 0x88 && sak & 0x04 != 0
            uid += part.prefix(4).dropFirst(isCascadeTag ? 1 : 0)
            if sak & 0x04 == 0 { return (uid, sak) }
        }
        throw .protocolError
    }

    /// Who is left when tags answer ANTICOLLISION at once: bits come lowest first, and at a collision the chip goes
    /// on with those that sent a 1.
    private static func winner(among answers: [Data]) -> Data? {
        answers.max { first, second in
            for (a, b) in zip(first, second) where a != b {
                let lowestDifference = (a ^ b) & (0 &- (a ^ b))
                return b & lowestDifference != 0
            }
            return false
        }
    }

    /// Sends ATTRIB: FSD 64, ISO-DEP, a CID.
    private func activateTypeB(_ atqb: Data, cid: UInt8) throws(ChipStatus) -> Target {
        let bytes = [UInt8](atqb)
        guard bytes.count >= 12 else { throw .protocolError }
        let pupi = Data(bytes[1...4])
        let attrib = RadioFrame(
            technology: .typeB,
            bytes: Data([0x1D]) + pupi + Data([0x00, 0x05, 0x01, cid])
        )
        let response = try field.exchange(attrib, within: .milliseconds(5)).bytes
        var target = Target(
            kind: .typeB(pupi: pupi),
            record: atqb + Data([UInt8(truncatingIfNeeded: response.count)]) + response
        )
        target.isoDEP = ISODEPInitiator(
            technology: .typeB,
            cid: cid,
            frameSize: FrameSize.bytes(of: bytes[10] >> 4),
            waitingTime: FrameWaitingTime.duration(of: bytes[11] >> 4)
        )
        return target
    }
}
