import Foundation
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// A tag that rests for 600 rounds, which is a minute at a gate, while 5 % of all frames are spoiled.
///
/// Most of the time goes into waiting for answers that do not come, so all kinds are tested side by side.
@Suite struct NoiseTests {
    @Test("never reports a resting tag removed in noise", arguments: 0..<9)
    func restsInNoise(kind: Int) async throws {
        let tag = try PresenceTests.everyKind()[kind]
        try await withReader(tag) { virtual, reader in
            var presence = Presence(
                technologies: NFCReader.Technology.allCases,
                rules: PresenceRules(holdTime: .seconds(1_000))
            )
            for _ in 0..<5 { _ = try await presence.nextRound(of: reader) }
            #expect(presence.targets.count == 1)
            virtual.faults = .noise(wire: 0.05, radio: 0.05, seed: UInt64(kind) + 1)
            for _ in 0..<600 {
                let events = try await presence.nextRound(of: reader)
                #expect(events.isEmpty)
            }
        }
    }
}
