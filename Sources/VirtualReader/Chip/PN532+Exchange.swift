internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Exchanges with tags: InDataExchange and InCommunicateThru (facts/pn532.md, 3.4).
extension PN532 {
    /// The most data that fits an answer beside TFI, code and status.
    private static let longestAnswer = HostFrame.maximumLength - 3

    /// 40 InDataExchange.
    func exchangeData(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let header = try parameters.byte()
        let data = parameters.rest()
        let (number, hasMore) = (header & 0x3F, header & 0x40 != 0)
        guard let target = targets[number] else { return answer(to: 0x40, .wrongContext) }
        if target.isMifare, MifareCommand(data) == nil { return .syntaxError }

        let effects = strikes(on: 0x40)
        do throws(ChipStatus) {
            let part = try converse(data, hasMore: hasMore, with: number)
            if let fault = forcedAnswer(to: 0x40, effects) { return fault }
            // MI: the rest comes with the next commands, which carry no data.
            let isUnfinished = targets[number]?.isoDEP?.hasUnreadResponse == true
            let status: UInt8 = isUnfinished ? 0x40 : 0x00
            return answer(to: 0x40, [status] + altered(part, by: effects))
        } catch {
            return forcedAnswer(to: 0x40, effects) ?? answer(to: 0x40, error)
        }
    }

    /// 42 InCommunicateThru.
    func communicateThrough(_ parameters: inout ByteReader) -> Outcome {
        let effects = strikes(on: 0x42)
        do throws(ChipStatus) {
            let response = try exchangeRaw(parameters.rest())
            if let fault = forcedAnswer(to: 0x42, effects) { return fault }
            return answer(to: 0x42, [ChipStatus.ok.rawValue] + altered(response, by: effects))
        } catch {
            return forcedAnswer(to: 0x42, effects) ?? answer(to: 0x42, error)
        }
    }

    /// Exchanges data with a target: as much of the response as fits an answer.
    private func converse(
        _ data: Data,
        hasMore: Bool,
        with number: UInt8
    ) throws(ChipStatus) -> Data {
        var target = try awakeTarget(number)
        defer { targets[number] = target }
        if var isoDEP = target.isoDEP {
            defer { target.isoDEP = isoDEP }
            let limit = Self.longestAnswer
            guard data.isEmpty, isoDEP.hasUnreadResponse else {
                return try isoDEP.transceive(data, hasMore: hasMore, limit: limit, over: field)
            }
            return try isoDEP.continueResponse(limit: limit, over: field)
        }
        var triesLeft = communicationRetries
        while true {
            do throws(ChipStatus) {
                if let command = MifareCommand(data), target.isMifare {
                    return try perform(command)
                }
                let frame = RadioFrame(technology: target.technology, bytes: data)
                return try field.exchange(frame, within: answerTime).bytes
            } catch {
                guard triesLeft > 0, error == .timeout || error == .crc else { throw error }
                triesLeft -= 1
            }
        }
    }

    // MARK: - Bytes as they are

    /// Sends bytes in the framing that the registers ask for, and gives back what comes as they ask.
    private func exchangeRaw(_ data: Data) throws(ChipStatus) -> Data {
        guard let frame = rawFrame(data) else {
            // Nothing that a tag would understand goes on air.
            clock.spend(answerTime)
            throw .timeout
        }
        let reply = try exchange(frame)
        registers[Registers.Address.control] = reply.form == .nibble ? 0x14 : 0x10
        switch reply.form {
        case .withCRC where registers.checksCRC: return reply.bytes
        case .withCRC: return reply.bytes + CRC.of(reply.bytes, frame.technology)
        // Where the chip looks for a CRC there is none.
        case .withoutCRC, .nibble:
            if registers.checksCRC { throw .crc }
            return reply.bytes
        }
    }

    /// The frame that tags would see, or nil for bytes that are no frame to them.
    private func rawFrame(_ data: Data) -> RadioFrame? {
        guard let technology = registers.technology, !data.isEmpty else { return nil }
        let isShort = technology == .typeA && registers.lastBits == 7 && data.count == 1
        guard isShort || registers.lastBits == 0 else { return nil }
        var frame = RadioFrame(technology: technology, bytes: data, isShort: isShort)
        if frame.hasCRC, !registers.addsCRC {
            let content = Data(data.dropLast(2))
            guard data.suffix(2) == CRC.of(content, technology) else { return nil }
            frame = RadioFrame(technology: technology, bytes: content)
        }
        return frame.hasCRC || !registers.addsCRC ? frame : nil
    }

    /// Sends a frame to the tag that listens.
    ///
    /// A tag that encrypts while the chip does not, or the other way round, hears noise.
    func exchange(_ frame: RadioFrame) throws(ChipStatus) -> RadioReply {
        if let card = field.selectedCard, let tag = card.tag as? any Crypto1Tag,
            frame.technology == .typeA, tag.isEncrypting != registers.isEncrypting
        {
            card.fallSilent()
            clock.spend(answerTime)
            throw .timeout
        }
        return try field.exchange(frame, within: answerTime)
    }

    // MARK: - Faults

    private func strikes(on command: UInt8) -> [Fault.Effect] {
        exchangeCount += 1
        let effects = faults.effects(of: .exchange, command: command)
        if effects.contains(.tagLost) { field.loseSelectedTags() }
        return effects
    }

    private func forcedAnswer(to code: UInt8, _ effects: [Fault.Effect]) -> Outcome? {
        for effect in effects {
            switch effect {
            case .status(let status): return answer(to: code, Data([status]))
            case .noStatus: return answer(to: code)
            default: continue
            }
        }
        return nil
    }

    private func altered(_ response: Data, by effects: [Fault.Effect]) -> Data {
        var response = response
        for effect in effects {
            switch effect {
            case .response(let other): response = other
            case .garbledResponse where !response.isEmpty:
                response[faults.number(below: response.count)] ^= 1 << faults.number(below: 8)
            default: continue
            }
        }
        return response.prefix(Self.longestAnswer)
    }
}
