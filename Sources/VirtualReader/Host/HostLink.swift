internal import Bytes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// The chip's serial port: finds commands among the host's bytes, has the chip carry them out, and sends ACK and
/// answers when they are due (facts/pn532.md, 1).
package final class HostLink {
    /// What goes wrong.
    ///
    /// Setting it starts counting anew, for chip and field too.
    package var faults = Faults.none {
        didSet { script = FaultScript(FaultProgram(faults), now: clock.now) }
    }
    /// Has what a scenario says happen, in place of `faults`.
    package func play(
        _ scenario: Scenario,
        tags: [String: any VirtualTag],
        report: (@Sendable (Scenario.Step) -> Void)? = nil
    ) throws(ScenarioError) {
        script = FaultScript(try scenario.program(tags: tags, report: report), now: clock.now)
    }

    /// The same and changes of the field, as they are counted.
    var script: FaultScript {
        didSet {
            chip.faults = script
            chip.field.faults = script
        }
    }
    /// Called with each frame as it goes over the wire.
    package var trace: ((TraceEvent) -> Void)?
    private var statistics = Statistics()
    /// Set by a fault: the port must go away now.
    package internal(set) var unplugging: Unplugging?
    /// What the host's end of the port is set to, in baud; nil when that cannot be known and fits.
    package var hostBaudRate: Int?

    let chip: PN532
    let clock: ChipClock
    private var reader = FrameReader()
    private var output: [(due: ContinuousClock.Instant, bytes: Data, isAnswer: Bool)] = []
    private var lastAnswer: Data?
    /// The faults of the command that is being carried out.
    private var running: (code: UInt8, effects: [Fault.Effect])?
    /// What the host does with the reader.
    var stage = Stage.opening

    /// Nothing is heard before enough rising edges have come: after a cold start and after PowerDown.
    private var isAsleep = true
    private var wakeUpEdges = 0
    /// The rate of the chip's port.
    var baudRate = 115_200
    /// While nothing gets through: since when it does again, if ever.
    var silence: Silence?
    /// Until when the host's bytes are on the wire, and when it last aborted a command.
    private var receivedUntil: ContinuousClock.Instant
    private var abortedAt: ContinuousClock.Instant?

    package init(chip: PN532) {
        self.chip = chip
        clock = chip.clock
        receivedUntil = clock.now
        script = FaultScript(FaultProgram(.none), now: clock.now)
    }

    // MARK: - From the host

    /// Takes bytes that the host has written.
    package func receive(_ bytes: Data, at now: ContinuousClock.Instant) {
        clock.catchUp(with: now)
        script.now = now
        performWhatIsDue()
        guard !bytes.isEmpty else { return }
        script.hostHasWritten()
        guard !isSilent(at: now) else { return }
        receivedUntil = max(now, receivedUntil) + wireTime(bytes.count)
        for byte in bytes {
            // Edges are edges at any rate.
            if isAsleep {
                wakeUp(by: byte)
            } else if isReadable {
                reader.append(Data([byte]))
                while let frame = reader.next() { receive(frame) }
            }
        }
    }

    /// Five rising edges on the line wake the chip (1.2).
    ///
    /// The byte that completes them is lost.
    private func wakeUp(by byte: UInt8) {
        wakeUpEdges += Self.risingEdges(in: byte)
        guard wakeUpEdges >= 5 else { return }
        isAsleep = false
        wakeUpEdges = 0
        stage = .opening
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

    static let baudRates = [
        9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600, 1_288_000,
    ]

    /// Forgets the running command and an answer that is not out yet.
    func drop() {
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
        notePhase(of: code)
        let actions = script.actions(of: .command, command: code)
        for action in actions { perform(action) }
        let effects = actions.compactMap(\.effect)
        if effects.contains(where: { $0 == .swallow || $0.strikesReader }) { return }
        drop()
        clock.restart(at: receivedUntil)
        clock.spend(.milliseconds(1))
        let delay = effects.map(\.acknowledgeDelay).reduce(.zero, +)
        send(HostFrame.acknowledge.encoded, isAnswer: false, after: delay)

        running = (code, effects)
        finish(effects.contains(.errorFrame) ? .syntaxError : chip.execute(command))
    }

    // MARK: - To the host

    /// Goes on with what takes time, as far as it is due.
    package func advance(to now: ContinuousClock.Instant) {
        script.now = now
        performWhatIsDue()
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
        unplugging = nil
        drop()
        powerOff()
    }

    /// The bytes that are due by now, and not before.
    package func takeOutput(at now: ContinuousClock.Instant) -> Data {
        var bytes = Data()
        while let first = output.first, first.due <= now {
            if isReadable, !isSilent(at: now) { bytes += first.bytes }
            output.removeFirst()
            if first.isAnswer { answerSent() }
        }
        return bytes
    }

    /// When something is due next; nil when only host or tags can bring news.
    package var nextDue: ContinuousClock.Instant? {
        [output.first?.due, chip.nextTry, script.nextDue].compactMap(\.self).min()
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
        if effects.contains(.acknowledgeOnly) { return }
        if case .answer(let body) = frame { frame = .answer(Self.altered(body, code, by: effects)) }
        var bytes = frame.encoded
        // SetParameters bit 6: no preamble, no postamble.
        if chip.parameters & 0x40 != 0 { bytes = Data(bytes.dropFirst().dropLast()) }
        if effects.contains(.previousAnswer) { bytes = lastAnswer ?? bytes }
        lastAnswer = bytes
        let delay = effects.map(\.answerDelay).reduce(.zero, +)
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
        if chip.wantsToSleep { fallAsleep() }
    }

    /// Until a host wakes the chip.
    func fallAsleep() {
        chip.sleep()
        isAsleep = true
        wakeUpEdges = 0
    }

    /// Ten bits a byte: start, eight, stop.
    private func wireTime(_ count: Int) -> Duration {
        clock.timing == .real ? .nanoseconds(count * 10_000_000_000 / baudRate) : .zero
    }
}
