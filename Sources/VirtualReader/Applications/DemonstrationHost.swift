import Bytes
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The host of Infineon's demonstrations: a microcontroller with an LED, which the reader switches through
/// asynchronous data transfer or pass-through (facts/nbt.md, 4.1 to 4.3).
public final class DemonstrationHost: NBTHost {
    /// A command that the host sent through I2C, and the chip's answer.
    public struct Exchange: Sendable, Equatable {
        /// The command.
        public let command: Data
        /// The answer with its status word.
        public let answer: Data
    }

    private struct State {
        var isLedOn = false
        var isSelected = false
        var exchanges: [Exchange] = []
    }

    private static let aid = Data([0x01, 0x02, 0x03, 0x04, 0x05])
    private let state = Mutex(State())

    /// A host whose LED is off.
    public init() {}

    /// Whether the LED is on.
    public var isLedOn: Bool { state.withLock { $0.isLedOn } }

    /// What went over I2C so far.
    public var exchanges: [Exchange] { state.withLock { $0.exchanges } }

    /// Fetches the reader's command, works on it and puts the answer back.
    public func passThroughRequested(by chip: NBTApplication) {
        guard let fetched = send("38CA0000", to: chip), fetched.count >= 2 + 4 + 2 else { return }
        let answer = work(on: Data(fetched.dropFirst(2).dropLast(2)))
        _ = send(Data([0x38, 0xDA, 0x00, 0x00, 0x02]) + answer, to: chip)
    }

    /// Reads what the reader wants from proprietary file 1 and writes the LED's state into file 2.
    ///
    /// A chip that is not prepared for this refuses, and nothing happens.
    public func fieldLeft(_ chip: NBTApplication) {
        state.withLock { $0.isSelected = false }
        guard send("00A4040007D276000085010100", to: chip) == Self.done,
            send("00A4000C02E1A100", to: chip) == Self.done,
            let wanted = send("00B0000001", to: chip), wanted.count == 3
        else { return }
        state.withLock { $0.isLedOn = wanted.first != 0 }
        guard send("00A4000C02E1A200", to: chip) == Self.done else { return }
        _ = send(Data([0x00, 0xD6, 0x00, 0x00, 0x01, isLedOn ? 0x01 : 0x00]), to: chip)
    }

    private static let done = Data([0x90, 0x00])

    /// The status words of the demonstration's firmware (facts/nbt.md, 4.2).
    private func work(on bytes: Data) -> Data {
        let statusWord = state.withLock { state in
            do throws(Refusal) {
                try Self.work(on: try CardCommand(bytes), &state)
                return UInt16(0x9000)
            } catch {
                return error.statusWord
            }
        }
        return Data([UInt8(statusWord >> 8), UInt8(statusWord & 0xFF)])
    }

    private static func work(on command: CardCommand, _ state: inout State) throws(Refusal) {
        guard command.cla == 0x00 else { throw .unknownClass }
        if command.ins == 0xA4 {
            guard command.data == aid else { throw .notFound }
            state.isSelected = true
            return
        }
        guard state.isSelected, command.ins == 0x00 else { throw .unknownInstruction }
        guard command.parameters <= 1 else { throw .wrongOffset }
        guard command.data.isEmpty else { throw .wrongData }
        state.isLedOn = command.parameters == 1
    }

    private func send(_ hex: String, to chip: NBTApplication) -> Data? {
        send(Data(hex: hex) ?? Data(), to: chip)
    }

    private func send(_ command: Data, to chip: NBTApplication) -> Data? {
        guard let answer = chip.respondOverI2C(to: command) else { return nil }
        state.withLock { $0.exchanges.append(Exchange(command: command, answer: answer)) }
        return answer
    }
}
