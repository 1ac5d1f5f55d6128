import Bytes
import Foundation
import TestSupport
import VirtualReader

/// A virtual chip without thread and port: bytes go in and come out at once, at a time the test chooses.
final class Bench {
    let tray = TagTray()
    let link: HostLink
    var now = ContinuousClock.Instant.now

    /// - Parameters:
    ///   - tags: what lies on the antenna.
    ///   - isReady: whether the chip has been woken and configured, as by libnfc's first frames.
    init(
        _ tags: any VirtualTag..., timing: Timing = .immediate, isReady: Bool = true,
        deselectsBeforeListing: Bool = false
    ) {
        let clock = ChipClock(timing, now: now)
        let field = RadioField(tray: tray, clock: clock)
        link = HostLink(
            chip: PN532(
                clock: clock, field: field, deselectsBeforeListing: deselectsBeforeListing))
        for tag in tags { tray.place(tag) }
        guard isReady else { return }
        _ = exchange("55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00")
        _ = command("14 01")
    }

    /// What the chip sends on these bytes by now, as lower-case hex.
    func exchange(_ bytes: String) -> String {
        link.receive(hex(bytes), at: now)
        return output()
    }

    /// What the chip sends by now without being asked.
    func output() -> String {
        link.tagsMayHaveChanged(at: now)
        link.advance(to: now)
        return link.takeOutput(at: now).hex
    }

    /// The answer to a command, both without TFI, as lower-case hex; nil when the chip only sends an ACK. Anything
    /// else comes back as the bytes on the wire.
    func command(_ body: String) -> String? {
        let bytes = exchange(HostFrame.command(hex(body)).encoded.hex)
        guard bytes.hasPrefix(Self.acknowledge) else { return "no ACK: \(bytes)" }
        return answer(in: String(bytes.dropFirst(Self.acknowledge.count)))
    }

    /// The answer that is in these bytes.
    func answer(in bytes: String) -> String? {
        guard !bytes.isEmpty else { return nil }
        var reader = FrameReader()
        reader.append(hex(bytes))
        if case .answer(let body) = reader.next() { return body.hex }
        return bytes
    }

    /// Switches the field off and on.
    func cycleField() {
        _ = command("32 01 00")
        _ = command("32 01 01")
    }

    /// Has searches end after three tries, as libnfc does for finite selects.
    func makeFinite() {
        _ = command("32 05 00 01 02")
    }

    static let acknowledge = "0000ff00ff00"
    static let errorFrame = "0000ff01ff7f8100"
}
