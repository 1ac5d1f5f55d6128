internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Commands about targets that have been found (facts/pn532.md, 3).
extension PN532 {
    /// 44 InDeselect: the tags are put to sleep, but the chip still knows them.
    func deselect(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let number = try parameters.byte()
        guard parameters.isAtEnd else { return .syntaxError }
        guard number == 0 || targets[number] != nil else { return answer(to: 0x44, .wrongContext) }
        for other in targets.keys where number == 0 || other == number { putToSleep(other) }
        return answer(to: 0x44, .ok)
    }

    /// 52 InRelease: the tags are put to sleep and forgotten.
    func release(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let number = try parameters.byte()
        guard parameters.isAtEnd else { return .syntaxError }
        guard number == 0 || targets[number] != nil else { return answer(to: 0x52, .wrongContext) }
        for other in targets.keys where number == 0 || other == number {
            putToSleep(other)
            targets[other] = nil
        }
        return answer(to: 0x52, .ok)
    }

    /// 54 InSelect.
    func select(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let number = try parameters.byte()
        guard parameters.isAtEnd else { return .syntaxError }
        do throws(ChipStatus) {
            _ = try awakeTarget(number)
            return answer(to: 0x54, .ok)
        } catch {
            return answer(to: 0x54, error)
        }
    }

    /// 4E InPSL: other bit rates for an ISO-DEP card, by PPS.
    func selectBitRates(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let number = try parameters.byte()
        let (receive, send) = (try parameters.byte(), try parameters.byte())
        guard parameters.isAtEnd, receive <= 2, send <= 2 else { return .syntaxError }
        do throws(ChipStatus) {
            let target = try awakeTarget(number)
            guard case .typeA = target.kind, let isoDEP = target.isoDEP else {
                throw .wrongContext
            }
            try isoDEP.selectParameters(send << 2 | receive, over: field)
            targets[number]?.rates = (receive, send)
            return answer(to: 0x4E, .ok)
        } catch {
            return answer(to: 0x4E, error)
        }
    }

    /// 50 InATR: no virtual tag speaks NFC-DEP, so a target stays silent.
    func requestAttributes(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let number = try parameters.byte()
        _ = try parameters.byte()
        return answer(to: 0x50, targets[number] == nil ? .wrongContext : .timeout)
    }

    /// 46 InJumpForPSL and 56 InJumpForDEP: there is no peer, in passive mode (0) as in active mode (1).
    func jump(_ code: UInt8, _ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let mode = try parameters.byte()
        let (rate, next) = (try parameters.byte(), try parameters.byte())
        guard mode <= 1, rate <= 2, next <= 7 else { return .syntaxError }
        targets = [:]
        field.switchOn()
        return answer(to: code, mode == 1 ? .noField : .timeout)
    }
}
