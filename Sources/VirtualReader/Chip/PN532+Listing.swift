internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Searches: InListPassiveTarget and InAutoPoll (facts/pn532.md, 3.1 to 3.3).
extension PN532 {
    /// 4A InListPassiveTarget.
    func listPassiveTargets(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let maximum = Int(try parameters.byte())
        let kind = try parameters.byte()
        let data = [UInt8](parameters.rest())
        guard (1...2).contains(maximum) else { return .syntaxError }
        let request: (type: TargetType, detail: TargetDetail, interval: Int)?
        switch kind {
        case 0x00: request = Self.uid(from: data).map { (.genericA, $0, 5) }
        case 0x01, 0x02:
            // Payload of the polling command: 00, system code, request code, time slots.
            guard data.count == 5, data[0] == 0x00 else { return .syntaxError }
            request = (kind == 0x01 ? .feliCa212 : .feliCa424, .polling(data), 20)
        case 0x03:
            guard (1...2).contains(data.count) else { return .syntaxError }
            request = (.typeB, .family(data[0]), 10)
        case 0x04: request = maximum == 1 && data.isEmpty ? (.jewel, .none, 5) : nil
        default: return .syntaxError
        }
        guard let request else { return .syntaxError }
        clock.spend(.milliseconds(2))
        return begin(
            Scan(
                command: 0x4A,
                types: [request.type],
                maximum: maximum,
                detail: request.detail,
                tries: activationRetries == 0xFF ? nil : Int(activationRetries) + 1,
                interval: .milliseconds(request.interval),
                start: clock.now
            )
        )
    }

    /// 60 InAutoPoll.
    ///
    /// Each type is tried once in each of its periods.
    func autoPoll(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let (rounds, period) = (try parameters.byte(), try parameters.byte())
        let types = parameters.rest().map { TargetType(rawValue: $0) }
        guard rounds > 0, (1...15).contains(period), (1...15).contains(types.count),
            !types.contains(nil)
        else { return .syntaxError }
        return begin(
            Scan(
                command: 0x60,
                types: types.compactMap { $0 },
                maximum: 2,
                tries: rounds == 0xFF ? nil : Int(rounds) * types.count,
                interval: .milliseconds(150 * Int(period)),
                start: clock.now
            )
        )
    }

    /// Goes on with the search that runs; nil when there is none, or it has to wait.
    package func continueScan(at now: ContinuousClock.Instant) -> Outcome? {
        guard let due = scan?.nextTry, due <= now else { return nil }
        clock.catchUp(with: due)
        return tryOnce()
    }

    /// When the search that runs must go on; nil when only a tag that comes or goes can help it.
    package var nextTry: ContinuousClock.Instant? { scan?.nextTry }

    /// Looks whether tags have come or gone, and if so, has the search that runs try again.
    func tagsMayHaveChanged(at now: ContinuousClock.Instant) {
        let before = field.changes
        field.refresh()
        guard field.changes != before else { return }
        scan?.tagsChanged(at: now, timing: clock.timing)
    }

    private func begin(_ scan: Scan) -> Outcome {
        forgetTargets()
        field.switchOn()
        self.scan = scan
        return tryOnce() ?? .pending
    }

    private func forgetTargets() {
        if deselectsBeforeListing {
            for target in targets.values where target.isSelected {
                target.isoDEP?.deselect(over: field)
            }
        }
        targets = [:]
        registers.isEncrypting = false
    }

    /// Makes the tries that are due and returns the answer once there is one.
    private func tryOnce() -> Outcome? {
        while var scan {
            if scan.isOver { return finish(scan, found: []) }
            let before = field.changes
            let found = search(for: scan.nextType, scan)
            if !found.isEmpty { return finish(scan, found: found) }
            scan.triesMade += 1
            scan.quietTries = field.changes == before ? scan.quietTries + 1 : 0

            let isEndless = scan.tries == nil
            if clock.timing == .immediate, scan.isFutile, !isEndless {
                return finish(scan, found: [])
            }
            if isEndless, scan.isFutile {
                scan.nextTry = nil
            } else if clock.timing == .real {
                scan.nextTry = scan.start + scan.interval * scan.triesMade
            } else {
                // Noise can keep a field from ever being quiet; even then a search must not spin.
                let pause = isEndless && scan.triesMade % 16 == 0
                scan.nextTry = pause ? clock.now + scan.interval : clock.now
            }
            self.scan = scan
            guard let next = scan.nextTry, next <= clock.now else { return nil }
        }
        return nil
    }

    private func finish(_ scan: Scan, found: [Target]) -> Outcome {
        self.scan = nil
        targets = [:]
        var body = Data([UInt8(found.count)])
        for (number, target) in zip(UInt8(1)..., found) {
            targets[number] = target
            let record = [number] + target.record
            if scan.command == 0x60 {
                let type = target.type(among: scan.types) ?? .genericA
                body += [type.rawValue, UInt8(truncatingIfNeeded: record.count)]
            }
            body += record
        }
        return answer(to: scan.command, body)
    }

    private func search(for type: TargetType, _ scan: Scan) -> [Target] {
        registers.prepare(for: type)
        switch type {
        case .genericA, .mifare, .isoDEPA: return searchTypeA(scan)
        case .typeB, .isoDEPB: return searchTypeB(scan)
        case .generic212, .feliCa212: return searchFeliCa(rate: 1, scan)
        case .generic424, .feliCa424: return searchFeliCa(rate: 2, scan)
        // No virtual tag is a Jewel or speaks NFC-DEP.
        case .jewel, .depPassive106, .depPassive212, .depPassive424, .depActive106, .depActive212,
            .depActive424:
            return []
        }
    }

    /// The UID in InListPassiveTarget's data, without the cascade tags 88; nil when it is none.
    private static func uid(from data: [UInt8]) -> TargetDetail? {
        switch data.count {
        case 0: TargetDetail.none
        case 4: .uid(data)
        case 8 where data[0] == 0x88: .uid(Array(data[1...]))
        case 12 where data[0] == 0x88 && data[4] == 0x88: .uid(Array(data[1...3] + data[5...]))
        default: nil
        }
    }
}
