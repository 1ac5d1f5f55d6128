#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The field of the antenna: powers the cards, carries frames to all of them and their answers back.
package final class RadioField {
    /// Whether the field is on.
    private(set) var isOn = false
    /// Goes up whenever something happened after which another try may find what the last one did not.
    private(set) var changes = 0
    /// Frames sent so far.
    private(set) var frameCount = 0
    /// What goes wrong; replaced when the virtual reader gets other faults.
    var faults = FaultScript(FaultProgram(.none))

    private let clock: ChipClock
    /// What lies on the antenna.
    let tray: TagTray
    private var cards: [Card] = []
    private var poweredSince: ContinuousClock.Instant
    private var spoilsChip = true

    package init(tray: TagTray, clock: ChipClock) {
        self.tray = tray
        self.clock = clock
        poweredSince = clock.now
    }

    /// Switches the field on, if it is off.
    func switchOn() {
        guard !isOn else { return }
        isOn = true
        poweredSince = clock.now
        refresh()
    }

    /// Switches the field off: every card loses its power.
    func switchOff() {
        guard isOn else { return }
        refresh()
        isOn = false
        changes += 1
        for card in cards { card.losePower() }
    }

    /// Looks which tags have come or gone.
    ///
    /// Done before each frame, so that a removal counts at once.
    func refresh() {
        let placements = tray.placements
        guard placements.map(\.id) != cards.map(\.id) else { return }
        changes += 1
        let known = Dictionary(uniqueKeysWithValues: cards.map { ($0.id, $0) })
        let left = Set(placements.map(\.id))
        for card in cards where isOn && !left.contains(card.id) { card.losePower() }
        cards = placements.map { known[$0.id] ?? Card($0) }
    }

    /// Sends a frame and returns all answers, which may be none.
    func broadcast(_ frame: RadioFrame) throws(ChipStatus) -> [RadioReply] {
        guard isOn else { return [] }
        refresh()
        waitForPower()
        frameCount += 1
        clock.spend(Self.airTime(of: frame.bytes.count, frame.technology))
        let isSpoiled = !faults.effects(of: .radioFrame).isEmpty
        if isSpoiled {
            changes += 1
            spoilsChip.toggle()
        }
        if isSpoiled && !spoilsChip { return [] }

        let before = cards.map(\.state)
        let replies = cards.compactMap { $0.receive(frame) }
        if cards.map(\.state) != before { changes += 1 }
        if let longest = replies.map(\.bytes.count).max() {
            clock.spend(Self.airTime(of: longest, frame.technology))
            if isSpoiled { throw .crc }
        }
        return replies
    }

    /// Sends a frame and returns the one answer to it.
    ///
    /// - Throws: a timeout when no card answers in time, a collision when cards answer differently.
    func exchange(_ frame: RadioFrame, within time: Duration) throws(ChipStatus) -> RadioReply {
        let replies = try broadcast(frame)
        guard let reply = replies.first, clock.timing == .immediate || reply.delay <= time else {
            clock.spend(time)
            throw .timeout
        }
        guard replies.allSatisfy({ $0.bytes == reply.bytes }) else { throw .collision }
        clock.spend(reply.delay)
        return reply
    }

    /// Starts counting frames anew.
    func resetFrameCount() {
        frameCount = 0
    }

    /// The selected type A card, to which the chip's Crypto1 unit speaks.
    var selectedCard: Card? {
        refresh()
        return isOn ? cards.first { $0.state == .active } : nil
    }

    /// Takes the cards that are selected, or could be spoken to without selection, off the antenna.
    func loseSelectedTags() {
        refresh()
        for card in cards where card.isSelected || card.technology == .feliCa {
            tray.remove(id: card.id)
        }
        refresh()
    }

    /// A card may need 5 ms of power before it hears anything (ISO 14443-3, 6.1.5).
    private func waitForPower() {
        guard clock.timing == .real else { return }
        clock.catchUp(with: poweredSince + .milliseconds(5))
    }

    /// How long a frame of `count` bytes with CRC takes, and the pause after it: 9 bits a byte at 106 kbit/s for
    /// ISO 14443, 8 bits at 212 kbit/s with 8 bytes of preamble for FeliCa.
    private static func airTime(of count: Int, _ technology: Technology) -> Duration {
        switch technology {
        case .typeA, .typeB: .microseconds((count + 2) * 85 + 86)
        case .feliCa: .microseconds((count + 10) * 38 + 1200)
        }
    }
}
