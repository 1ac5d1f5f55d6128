internal import Bytes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A PN532 with firmware 1.6, behind its serial interface: takes commands and says what it answers.
///
/// Section numbers in this type's files are those of facts/pn532.md, which stands for UM0701-02. It lives on one
/// thread, that of its virtual reader.
package final class PN532 {
    /// What comes of a command.
    package enum Outcome: Equatable {
        /// An answer: command code + 1 and what follows.
        case answer(Data)
        /// The error frame: no such command, or wrong parameters.
        case syntaxError
        /// The answer comes later, when `continueScan()` has it.
        case pending
        /// No answer ever, until another command.
        case never
    }

    let clock: ChipClock
    let field: RadioField
    /// What goes wrong; replaced when the virtual reader gets other faults.
    var faults = FaultScript(FaultProgram(.none))
    /// Whether InListPassiveTarget deselects an ISO-DEP target it knows before it looks for tags.
    ///
    /// Real firmware is not known to, so such a card stays unseen until it is released or the field
    /// goes off (3.1).
    let deselectsBeforeListing: Bool

    /// SetParameters flags; RATS is sent unless bit 4 is off.
    var parameters: UInt8 = 0x14
    /// After a cold start, radio commands get no answer before SAMConfiguration (1.2).
    var isConfigured = false
    /// RFConfiguration 02 and 04: fRetryTimeout as a code, and extra tries of a failed InDataExchange.
    var retryTimeout: UInt8 = 0x0A
    var communicationRetries: UInt8 = 0
    /// RFConfiguration 05: tries of a search beyond the first; FF for no end.
    var activationRetries: UInt8 = 0xFF
    var registers = Registers()
    var ports: (p3: UInt8, p7: UInt8) = (0x3F, 0x00)
    /// The targets by number, 1 and 2.
    var targets: [UInt8: Target] = [:]
    /// The search that runs.
    var scan: Scan?
    /// The last error, for GetGeneralStatus.
    var lastStatus = ChipStatus.ok
    /// Exchanges with tags so far.
    var exchangeCount = 0
    /// Set by PowerDown; the serial link puts the chip to sleep when the answer is out.
    var wantsToSleep = false
    /// Set by SetSerialBaudRate: a code, valid once the host has acknowledged the answer.
    var requestedBaudRate: UInt8?

    package init(clock: ChipClock, field: RadioField, deselectsBeforeListing: Bool = false) {
        self.clock = clock
        self.field = field
        self.deselectsBeforeListing = deselectsBeforeListing
    }

    /// Carries out a command: its code and parameters.
    ///
    /// A search that still runs is dropped.
    package func execute(_ command: Data) -> Outcome {
        scan = nil
        wantsToSleep = false
        var parameters = ByteReader(command)
        do throws(EndOfBytes) {
            let code = try parameters.byte()
            clock.spend(.microseconds(500))
            if Self.radioCommands.contains(code), !isConfigured { return .never }
            return try dispatch(code, &parameters)
        } catch {
            return .syntaxError
        }
    }

    /// The host has sent ACK: what runs is dropped in silence.
    func abort() {
        scan = nil
    }

    private static let radioCommands: Set<UInt8> = [
        0x40, 0x42, 0x46, 0x4A, 0x4E, 0x50, 0x54, 0x56, 0x60, 0x8C,
    ]

    private func dispatch(
        _ code: UInt8,
        _ parameters: inout ByteReader
    ) throws(EndOfBytes) -> Outcome {
        switch code {
        case 0x00: try diagnose(&parameters)
        case 0x02: firmwareVersion(&parameters)
        case 0x04: generalStatus(&parameters)
        case 0x06: try readRegister(&parameters)
        case 0x08: try writeRegister(&parameters)
        case 0x0C: readGPIO(&parameters)
        case 0x0E: try writeGPIO(&parameters)
        case 0x10: try setSerialBaudRate(&parameters)
        case 0x12: try setParameters(&parameters)
        case 0x14: try configureSAM(&parameters)
        case 0x16: try powerDown(&parameters)
        case 0x32: try configureRF(&parameters)
        case 0x58: try testRF(&parameters)
        case 0x40: try exchangeData(&parameters)
        case 0x42: communicateThrough(&parameters)
        case 0x44: try deselect(&parameters)
        case 0x46, 0x56: try jump(code, &parameters)
        case 0x4A: try listPassiveTargets(&parameters)
        case 0x4E: try selectBitRates(&parameters)
        case 0x50: try requestAttributes(&parameters)
        case 0x52: try release(&parameters)
        case 0x54: try select(&parameters)
        case 0x60: try autoPoll(&parameters)
        case 0x86...0x94: targetCommand(code)
        default: .syntaxError
        }
    }

    /// An answer to command `code`.
    func answer(to code: UInt8, _ body: Data = Data()) -> Outcome {
        .answer([code &+ 1] + body)
    }

    /// An answer that is only a status byte.
    func answer(to code: UInt8, _ status: ChipStatus) -> Outcome {
        if status != .ok { lastStatus = status }
        return .answer(Data([code &+ 1, status.rawValue]))
    }
}
