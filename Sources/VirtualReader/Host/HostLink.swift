internal import Bytes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The chip's serial port: finds commands among the host's bytes, has the chip carry them out, and sends ACK and
/// answers when they are due (facts/pn532.md, 1).
package final class HostLink {
    /// What goes wrong. Setting it starts counting anew, for chip and field too.
    package var faults = Faults.none {
        didSet {
            script = FaultScript(faults)
            chip.faults = script
            chip.field.faults = script
        }
    }
    private var script = FaultScript(.none)
    /// Called with each frame as it goes over the wire.
    package var trace: ((TraceEvent) -> Void)?
    private var statistics = Statistics()
    /// Set by a fault: the port must go away now.
    package private(set) var wantsToHangUp = false

    let chip: PN532
    private let clock: ChipClock
    private var reader = FrameReader()
    private var output: [(due: ContinuousClock.Instant, bytes: Data, isAnswer: Bool)] = []
    private var lastAnswer: Data?
    /// The faults of the command that is being carried out.
    private var running: (code: UInt8, effects: [Fault.Effect])?

    /// Nothing is heard before enough rising edges have come: after a cold start and after PowerDown.
    private var isAsleep = true
    private var wakeUpEdges = 0
    private var baudRate = 115_200
    /// Until when the host's bytes are on the wire, and when it last aborted a command.
    private var receivedUntil: ContinuousClock.Instant
    private var abortedAt: ContinuousClock.Instant?

    package init(chip: PN532) {
        self.chip = chip
        clock = chip.clock
        receivedUntil = clock.now
    }

    // MARK: - From the host

    /// Takes bytes that the host has written.
    package func receive(_ bytes: Data, at now: ContinuousClock.Instant) {
        clock.catchUp(with: now)
        receivedUntil = max(now, receivedUntil) + wireTime(bytes.count)
        for byte in bytes {
            if isAsleep {
                wakeUp(by: byte)
            } else {
                reader.append(Data([byte]))
                while let frame = reader.next() { receive(frame) }
            }
        }
    }

    /// Five rising edges on the line wake the chip (1.2). The byte that completes them is lost.
    private func wakeUp(by byte: UInt8) {
        wakeUpEdges += Self.risingEdges(in: byte)
        guard wakeUpEdges >= 5 else { return }
        isAsleep = false
        wakeUpEdges = 0
        reader.clear()
    }

    /// Rising edges while a byte is sent: start bit 0, eight bits from the lowest on, stop bit 1.
    private static func risingEdges(in byte: UInt8) -> Int {
        let line = UInt16(byte) << 1 | 0x200
        return (line & ~(line << 1) & 0x3FE).nonzeroBitCount
    }

    private func receive(_ frame: HostFrame) {
        guard script.effects(of: .frameToChip).isEmpty else { return }
        statistics.framesFromHost += 1
        trace?(TraceEvent(direction: .toChip, bytes: frame.encoded))
        switch frame {
        case .acknowledge: abort()
        case .negativeAcknowledge:
            if let lastAnswer { send(lastAnswer, isAnswer: true) }
        case .command(let command): receive(command)
        case .answer, .error: break
        }
    }

    /// ACK from the host drops what runs and makes a new baud rate valid.
    private func abort() {
        if running != nil || output.contains(where: \.isAnswer) { abortedAt = receivedUntil }
        drop()
        if let rate = chip.requestedBaudRate {
            chip.requestedBaudRate = nil
            baudRate = Self.baudRates[Int(rate)]
        }
    }

    private static let baudRates = [
        9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 1_288_000,
    ]

    /// Forgets the running command and an answer that is not out yet.
    private func drop() {
        if output.contains(where: \.isAnswer) { clock.cutShort(at: receivedUntil) }
        chip.abort()
        running = nil
        output.removeAll(where: \.isAnswer)
    }

    private func receive(_ command: Data) {
        // A real chip needs a millisecond after an abort (1.1).
        if clock.timing == .real, let abortedAt,
            receivedUntil - wireTime(command.count + 8) < abortedAt + .milliseconds(1)
        {
            return
        }
        let code = command.first ?? 0
        statistics.commands[code, default: 0] += 1
        let effects = script.effects(of: .command, command: code)
        if effects.contains(.swallow) { return }
        if effects.contains(.hangUp) {
            wantsToHangUp = true
            return
        }
        drop()
        clock.catchUp(with: receivedUntil)
        clock.spend(.milliseconds(1))
        send(HostFrame.acknowledge.encoded, isAnswer: false)

        running = (code, effects)
        finish(effects.contains(.errorFrame) ? .syntaxError : chip.execute(command))
    }

    // MARK: - To the host

    /// Goes on with what takes time, as far as it is due.
    package func advance(to now: ContinuousClock.Instant) {
        while let outcome = chip.continueScan(at: now) { finish(outcome) }
    }

    /// Looks whether tags have come or gone; a search that waits for that goes on with `advance(to:)`.
    package func tagsMayHaveChanged(at now: ContinuousClock.Instant) {
        clock.catchUp(with: now)
        chip.tagsMayHaveChanged(at: now)
    }

    /// Whether the field is on.
    package var isFieldOn: Bool { chip.field.isOn }

    /// The power is gone, for chip and tags.
    func powerOff() {
        chip.sleep()
    }

    /// The port has gone away: nothing that was under way matters any more.
    func hungUp() {
        wantsToHangUp = false
        drop()
        powerOff()
    }

    /// The bytes that are due by now, and not before.
    package func takeOutput(at now: ContinuousClock.Instant) -> Data {
        var bytes = Data()
        while let first = output.first, first.due <= now {
            bytes += first.bytes
            output.removeFirst()
            if first.isAnswer { answerSent() }
        }
        return bytes
    }

    /// When something is due next; nil when only host or tags can bring news.
    package var nextDue: ContinuousClock.Instant? {
        [output.first?.due, chip.nextTry].compactMap(\.self).min()
    }

    /// All counts, the radio side's included.
    package var allStatistics: Statistics {
        var all = statistics
        all.tagExchanges = chip.exchangeCount
        all.radioFrames = chip.field.frameCount
        return all
    }

    /// Starts counting anew.
    package func resetStatistics() {
        statistics = Statistics()
        chip.exchangeCount = 0
        chip.field.resetFrameCount()
    }

    private func finish(_ outcome: PN532.Outcome) {
        guard let (code, effects) = running else { return }
        var frame: HostFrame
        switch outcome {
        case .answer(let body): frame = .answer(body)
        case .syntaxError: frame = .error
        case .pending, .never: return
        }
        running = nil
        var delay = Duration.zero
        for case .delay(let more) in effects { delay += more }
        if effects.contains(.acknowledgeOnly) { return }
        if case .answer(let body) = frame { frame = .answer(Self.altered(body, code, by: effects)) }
        var bytes = frame.encoded
        // SetParameters bit 6: no preamble, no postamble.
        if chip.parameters & 0x40 != 0 { bytes = Data(bytes.dropFirst().dropLast()) }
        lastAnswer = bytes
        send(Self.damaged(bytes, by: effects), isAnswer: true, after: delay)
    }

    private func send(_ bytes: Data, isAnswer: Bool, after delay: Duration = .zero) {
        var bytes = bytes
        if !script.effects(of: .frameToHost).isEmpty {
            bytes[script.number(below: bytes.count)] ^= 1 << script.number(below: 8)
        }
        clock.spend(wireTime(bytes.count))
        output.append((max(clock.now, output.last?.due ?? clock.now) + delay, bytes, isAnswer))
        statistics.framesToHost += 1
        trace?(TraceEvent(direction: .toHost, bytes: bytes))
    }

    private func answerSent() {
        guard chip.wantsToSleep else { return }
        chip.sleep()
        isAsleep = true
        wakeUpEdges = 0
    }

    /// Ten bits a byte: start, eight, stop.
    private func wireTime(_ count: Int) -> Duration {
        clock.timing == .real ? .nanoseconds(count * 10_000_000_000 / baudRate) : .zero
    }

    private static func altered(_ body: Data, _ code: UInt8, by effects: [Fault.Effect]) -> Data {
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

    private static func damaged(_ frame: Data, by effects: [Fault.Effect]) -> Data {
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
