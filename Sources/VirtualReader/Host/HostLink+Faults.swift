internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// What faults do to the chip's serial port.
extension HostLink {
    /// The port goes away.
    package struct Unplugging: Equatable {
        /// When it comes back; nil for not by itself.
        package let end: ContinuousClock.Instant?
        /// Where its link stands from then on; nil for where it stood before.
        package let path: String?
    }

    /// How far a host is in its use of the reader.
    enum Stage { case opening, open, closing }

    /// Nothing gets through.
    enum Silence { case forGood, until(ContinuousClock.Instant) }

    // MARK: - The reader as a whole

    /// Does what a rule says and its time has come for.
    func performWhatIsDue() {
        for action in script.dueActions() { perform(action) }
    }

    /// Changes the field, or strikes the reader as a whole; faults of single commands wait for those.
    func perform(_ action: FaultRule.Action) {
        if chip.field.tray.perform(action) {
            chip.tagsMayHaveChanged(at: clock.now)
        } else if let effect = action.effect {
            strike(by: effect)
        }
    }

    private func strike(by effect: Fault.Effect) {
        switch effect {
        case .hangUp: unplugging = Unplugging(end: nil, path: nil)
        case .replug(let pause, let path):
            unplugging = Unplugging(end: script.now + pause, path: path)
        case .silence(let time): silence = time.map { .until(script.now + $0) } ?? .forGood
        case .sleep:
            drop()
            fallAsleep()
        case .brownOut:
            drop()
            chip.coldStart()
            fallAsleep()
            baudRate = 115_200
        case .baudRate(let rate) where Self.baudRates.contains(rate): baudRate = rate
        default: break
        }
    }

    /// Whether the wire is dead now.
    func isSilent(at now: ContinuousClock.Instant) -> Bool {
        switch silence {
        case .forGood: true
        case .until(let end): now < end
        case nil: false
        }
    }

    /// Whether chip and host can read each other's bytes: both ports run at the same rate, or the host has changed to
    /// the one it has just asked for.
    var isReadable: Bool {
        guard let hostBaudRate else { return true }
        let asked = chip.requestedBaudRate.map { Self.baudRates[Int($0)] }
        return hostBaudRate == baudRate || hostBaudRate == asked
    }

    // MARK: - Phases

    /// Notes what the host is doing, judged by the command it sends and the target the chip knows.
    func notePhase(of code: UInt8) {
        let isSearch = code == 0x4A || code == 0x60
        let isExchange = code == 0x40 || code == 0x42
        switch code {
        // SAMConfiguration: how every host begins, with a chip that is awake already too.
        case 0x14: stage = .opening
        // PowerDown, InRelease.
        case 0x16, 0x52: stage = .closing
        case _ where isSearch || isExchange: stage = .open
        default: break
        }
        script.phase =
            switch stage {
            case .opening: .opening
            case .closing: .closing
            case .open where isExchange: .exchanging
            case .open where !chip.targets.isEmpty: .connected
            case .open: isSearch ? .detecting : .idle
            }
    }

    // MARK: - Answers

    static func altered(_ body: Data, _ code: UInt8, by effects: [Fault.Effect]) -> Data {
        var body = body
        for effect in effects {
            switch effect {
            case .answerCode(let other): body = [other] + body.dropFirst()
            case .zeroATSLength where code == 0x4A: body = withoutATSLength(body)
            default: continue
            }
        }
        return body
    }

    /// InListPassiveTarget's answer for one ISO-DEP tag with 0 for TL: code, NbTg, Tg, ATQA, SAK, UID length, UID, ATS.
    private static func withoutATSLength(_ body: Data) -> Data {
        var bytes = [UInt8](body)
        guard bytes.count > 6, bytes[1] == 1, bytes[5] & 0x20 != 0 else { return body }
        let index = 7 + Int(bytes[6])
        guard index < bytes.count else { return body }
        bytes[index] = 0x00
        return Data(bytes)
    }

    static func damaged(_ frame: Data, by effects: [Fault.Effect]) -> Data {
        var frame = frame
        for effect in effects {
            switch effect {
            case .wrongChecksum where frame.count > 2: frame[frame.count - 2] ^= 0xFF
            case .truncate(let count): frame = Data(frame.prefix(max(0, count)))
            default: continue
            }
        }
        return frame
    }
}

extension Fault.Effect {
    /// How much later the ACK comes.
    var acknowledgeDelay: Duration {
        if case .lateAcknowledge(let delay) = self { delay } else { .zero }
    }

    /// How much later the answer comes.
    var answerDelay: Duration {
        if case .delay(let delay) = self { delay } else { .zero }
    }
}
