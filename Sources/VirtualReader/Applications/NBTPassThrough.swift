#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What lies between reader and host in pass-through (facts/nbt.md, 4.3).
struct NBTPassThrough {
    /// Whether a reader has sent anything since the field came.
    private(set) var isInField = false
    /// What happened since the last FETCH DATA.
    ///
    /// After power-on all bits are set, as the log of a real chip shows it (8.10, vector 138).
    private var events: UInt16 = 0x0078
    private var command: Data?
    private var answer: Data?

    mutating func fieldUsed() {
        guard !isInField else { return }
        isInField = true
        // Field and layer 4 entered.
        events |= 0x0028
    }

    mutating func fieldLeft() {
        // Field and layer 4 left.
        if isInField { events |= 0x0050 }
        isInField = false
        command = nil
        answer = nil
    }

    mutating func pass(_ command: Data) {
        self.command = command
        answer = nil
    }

    mutating func takeAnswer() -> Data? {
        defer { (command, answer) = (nil, nil) }
        return answer
    }

    /// FETCH DATA: status and the waiting command.
    mutating func fetch() -> Data {
        let present: UInt16 = isInField ? 0x0003 : 0
        let status = present | (command == nil ? 0 : 0x0004) | events
        events = 0
        return Data([UInt8(status >> 8), UInt8(status & 0xFF)]) + (command ?? Data())
    }

    /// PUT RESPONSE: P2 and Lc together are the length of the R-APDU, at least 2.
    mutating func put(_ bytes: Data) throws(Refusal) {
        let header = [UInt8](bytes.prefix(5))
        guard header.count == 5, header[2] == 0 else { throw .wrongParameters }
        let response = Data(bytes.dropFirst(5))
        let length = Int(header[3]) << 8 | Int(header[4])
        guard length == response.count, length >= 2 else { throw .wrongLength }
        guard command != nil else { throw .conditionsOfUse }
        answer = response
    }
}

/// Commands of the two interfaces.
extension NBTDevice {
    /// Whether a command from the reader is the host's, as SELECT of an AID that is not on the chip makes it and all
    /// that follows.
    mutating func isForHost(_ bytes: Data) -> Bool {
        guard configuration[.gpioFunction] == Data([0x04]) else { return false }
        passThrough.fieldUsed()
        let command = try? CardCommand(bytes)
        var isSelect = false
        var isOnChip = false
        if let command, command.cla == 0, command.ins == 0xA4, command.parameters == 0x0400 {
            isSelect = true
            isOnChip = [Self.operationalAID, Self.configuratorAID].contains(command.data)
        }
        if session.application == .passThrough {
            return !(isOnChip && settings.chipSelectEndsPassThrough)
        }
        guard isSelect, !isOnChip else { return false }
        session = Session(application: .passThrough)
        return true
    }

    mutating func respondOverNFC(to command: Data) -> Data {
        passThrough.fieldUsed()
        return respond(to: command)
    }

    /// FETCH DATA and PUT RESPONSE, and everything else while no reader is there.
    mutating func respondOverI2C(to command: Data) -> Data? {
        switch [UInt8](command.prefix(2)) {
        case [0x38, 0xCA]: return passThrough.fetch() + [0x90, 0x00]
        case [0x38, 0xDA]:
            do throws(Refusal) {
                try passThrough.put(command)
                return Data([0x90, 0x00])
            } catch {
                return Data([UInt8(error.statusWord >> 8), UInt8(error.statusWord & 0xFF)])
            }
        default:
            guard !passThrough.isInField else { return nil }
            exchangeInterface()
            defer { exchangeInterface() }
            return respond(to: command)
        }
    }

    private mutating func exchangeInterface() {
        swap(&session, &otherSession)
        interface = interface == .nfc ? .i2c : .nfc
    }
}
