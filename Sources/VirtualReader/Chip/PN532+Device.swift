internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Commands about the chip itself (facts/pn532.md, 3).
extension PN532 {
    /// 00 Diagnose.
    func diagnose(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let test = try parameters.byte()
        let data = parameters.rest()
        switch test {
        // The host's own bytes come back.
        case 0x00: return answer(to: 0x00, [test] + data)
        // ROM, RAM and antenna are as they should be.
        case 0x01, 0x02, 0x07: return answer(to: 0x00, .ok)
        case 0x04: return answer(to: 0x00, Data([countPollingFailures()]))
        case 0x05: return .never
        case 0x06:
            guard let target = targets[1], target.isSelected, let isoDEP = target.isoDEP else {
                return answer(to: 0x00, .wrongContext)
            }
            return answer(to: 0x00, isoDEP.isPresent(over: field) ? .ok : .timeout)
        default: return .syntaxError
        }
    }

    /// 128 pollings for a FeliCa card; none fails with a card there.
    private func countPollingFailures() -> UInt8 {
        let polling = RadioFrame(
            technology: .feliCa,
            bytes: Data([0x06, 0x00, 0xFF, 0xFF, 0x00, 0x00])
        )
        return (try? field.exchange(polling, within: .milliseconds(2))) == nil ? 0x80 : 0x00
    }

    /// 02 GetFirmwareVersion: IC 32, version 1.6, all three kinds of tag.
    func firmwareVersion(_ parameters: inout ByteReader) -> Outcome {
        guard parameters.isAtEnd else { return .syntaxError }
        return answer(to: 0x02, Data([0x32, 0x01, 0x06, 0x07]))
    }

    /// 04 GetGeneralStatus.
    ///
    /// There never is an external field.
    func generalStatus(_ parameters: inout ByteReader) -> Outcome {
        guard parameters.isAtEnd else { return .syntaxError }
        var body = Data([lastStatus.rawValue, 0x00, UInt8(targets.count)])
        for (number, target) in targets.sorted(by: { $0.key < $1.key }) {
            var type: UInt8 = 0x00
            if case .feliCa = target.kind { type = 0x10 }
            body += [number, target.rates.receive, target.rates.send, type]
        }
        return answer(to: 0x04, body + [0x80])
    }

    /// 06 ReadRegister.
    func readRegister(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        var values = Data()
        repeat {
            let address = try parameters.uint16()
            let drivers: UInt8 =
                address == Registers.Address.txControl && field.isOn ? 0x03 : 0x00
            values.append(registers[address] | drivers)
        } while !parameters.isAtEnd
        return answer(to: 0x06, values)
    }

    /// 08 WriteRegister.
    func writeRegister(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        var changed = registers
        repeat {
            let address = try parameters.uint16()
            changed[address] = try parameters.byte()
        } while !parameters.isAtEnd
        registers = changed
        return answer(to: 0x08)
    }

    /// 0C ReadGPIO: P3, P7, and the interface pins of HSU.
    func readGPIO(_ parameters: inout ByteReader) -> Outcome {
        guard parameters.isAtEnd else { return .syntaxError }
        return answer(to: 0x0C, Data([ports.p3, ports.p7, 0x02]))
    }

    /// 0E WriteGPIO: bit 7 of each byte says whether to write that port.
    func writeGPIO(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let (p3, p7) = (try parameters.byte(), try parameters.byte())
        guard parameters.isAtEnd else { return .syntaxError }
        if p3 & 0x80 != 0 { ports.p3 = p3 & 0x3F }
        if p7 & 0x80 != 0 { ports.p7 = p7 & 0x06 }
        return answer(to: 0x0E)
    }

    /// 10 SetSerialBaudRate: the answer still comes at the old rate.
    func setSerialBaudRate(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let rate = try parameters.byte()
        guard parameters.isAtEnd, rate <= 0x08 else { return .syntaxError }
        requestedBaudRate = rate
        return answer(to: 0x10)
    }

    /// 12 SetParameters.
    func setParameters(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let flags = try parameters.byte()
        guard parameters.isAtEnd else { return .syntaxError }
        self.parameters = flags
        return answer(to: 0x12)
    }

    /// 14 SAMConfiguration.
    ///
    /// There is no SAM: every mode works like the normal one.
    func configureSAM(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let mode = try parameters.byte()
        guard (1...4).contains(mode), parameters.remaining <= 2 else { return .syntaxError }
        isConfigured = true
        return answer(to: 0x14)
    }

    /// 16 PowerDown.
    func powerDown(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        _ = try parameters.byte()
        guard parameters.remaining <= 1 else { return .syntaxError }
        wantsToSleep = true
        return answer(to: 0x16, .ok)
    }

    /// 58 RFRegulationTest: the chip transmits until the next command.
    func testRF(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        _ = try parameters.byte()
        return parameters.isAtEnd ? .never : .syntaxError
    }

    /// 32 RFConfiguration.
    ///
    /// The analog settings 0A to 0D change nothing in a virtual field.
    func configureRF(_ parameters: inout ByteReader) throws(EndOfBytes) -> Outcome {
        let item = try parameters.byte()
        let data = [UInt8](parameters.rest())
        switch (item, data.count) {
        case (0x01, 1):
            if data[0] & 0x01 != 0 { field.switchOn() } else { field.switchOff() }
        case (0x02, 3): retryTimeout = data[2]
        case (0x04, 1): communicationRetries = data[0]
        case (0x05, 3): activationRetries = data[2]
        case (0x0A, 11), (0x0B, 8), (0x0C, 3), (0x0D, 9): break
        default: return .syntaxError
        }
        return answer(to: 0x32)
    }

    /// fRetryTimeout: how long a tag may take that does not speak ISO-DEP.
    ///
    /// Code 0 means no limit, for which one second stands: a virtual tag is never slower.
    var answerTime: Duration {
        guard (0x01...0x10).contains(retryTimeout) else { return .seconds(1) }
        return .microseconds(100 << Int(retryTimeout - 1))
    }

    /// The chip sleeps: the field is off, what it knew of targets is gone.
    func sleep() {
        wantsToSleep = false
        scan = nil
        targets = [:]
        registers.isEncrypting = false
        field.switchOff()
    }

    /// The power was gone: what the host has set is forgotten.
    func coldStart() {
        sleep()
        parameters = 0x14
        isConfigured = false
        retryTimeout = 0x0A
        communicationRetries = 0
        activationRetries = 0xFF
        registers = Registers()
        ports = (0x3F, 0x00)
        lastStatus = .ok
        requestedBaudRate = nil
    }

    /// Commands of target mode (facts/pn532.md, 9).
    ///
    /// No reader ever comes near this one.
    func targetCommand(_ code: UInt8) -> Outcome {
        switch code {
        case 0x8C: .never
        case 0x8A: answer(to: code, Data([0x00, 0x00]))
        case 0x86, 0x88, 0x8E, 0x90, 0x92, 0x94: answer(to: code, .wrongContext)
        default: .syntaxError
        }
    }
}
