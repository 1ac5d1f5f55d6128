import Bytes
import Foundation
import NFCReader
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// Commands and answers that need more than one chip command: the more-information bit, MI (facts/pn532.md, 3.4).
@Suite(.serialized) struct ChainingTests {
    /// Bytes that differ from their neighbours and from those a frame away.
    static func pattern(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }

    static func tag(_ technology: NFCReader.Technology, _ card: some CardApplication) throws
        -> any VirtualTag
    {
        technology == .iso14443b
            ? try TypeBTag(application: card) : try ISODEPTag(application: card)
    }

    /// Runs `body` with a reader that has found a card of either type, and the chip commands and answers that pass.
    private func withCard(
        _ card: some CardApplication,
        _ technology: NFCReader.Technology = .iso14443a,
        _ body: (VirtualReader, Reader, Target, Wire) async throws -> Void
    ) async throws {
        try await withReader(try Self.tag(technology, card)) { virtual, reader in
            let target = try #require(try await reader.poll(technology).first)
            let wire = Wire()
            virtual.trace = wire.note
            virtual.resetStatistics()
            try await body(virtual, reader, target, wire)
        }
    }

    @Test(
        "An answer of any length arrives whole, 262 bytes a chip answer, from type A and B",
        arguments: [1, 2, 254, 255, 256, 257, 261, 262, 263, 523, 524, 525, 1000, 4000, 65_538],
        [NFCReader.Technology.iso14443a, .iso14443b]
    )
    func answers(length: Int, technology: NFCReader.Technology) async throws {
        let answer = Self.pattern(length)
        try await withCard(Recorder(answer: answer), technology) { _, reader, target, wire in
            let got = try await reader.exchange(hex("00b00000000000"), with: target)
            #expect(got == answer)
            let parts = (length + 261) / 262
            #expect(
                wire.commands == ["400100b00000000000"]
                    + [String](repeating: "4001", count: parts - 1)
            )
            let expected = (0..<parts).map { number in
                let part = answer.dropFirst(number * 262).prefix(262)
                return (number == parts - 1 ? "4100" : "4140") + Data(part).hex
            }
            #expect(wire.answers == expected)
        }
    }

    @Test(
        "A command of any length reaches the card whole, in parts of 262 bytes with MI but for the last",
        arguments: [
            1, 5, 254, 255, 256, 257, 261, 262, 263, 264, 523, 524, 525, 1000, 4000, 65_544,
        ],
        [NFCReader.Technology.iso14443a, .iso14443b]
    )
    func commands(length: Int, technology: NFCReader.Technology) async throws {
        let command = Self.pattern(length)
        let card = Recorder(answer: hex("9000"))
        try await withCard(card, technology) { _, reader, target, wire in
            let got = try await reader.exchange(command, with: target)
            #expect(got == hex("9000"))
            #expect(card.commands == [command])
            let parts = (length + 261) / 262
            let expected = (0..<parts).map { number in
                let part = command.dropFirst(number * 262).prefix(262)
                return (number == parts - 1 ? "4001" : "4041") + Data(part).hex
            }
            #expect(wire.commands == expected)
            #expect(
                wire.answers == [String](repeating: "4100", count: parts - 1) + ["41009000"]
            )
        }
    }

    @Test("Long both ways", arguments: [263, 4000])
    func bothWays(length: Int) async throws {
        let (command, answer) = (Self.pattern(length), Data(Self.pattern(length).reversed()))
        let card = Recorder(answer: answer)
        try await withCard(card) { _, reader, target, _ in
            for _ in 0..<3 {
                let got = try await reader.exchange(command, with: target)
                #expect(got == answer)
            }
            #expect(card.commands == [command, command, command])
        }
    }

    @Test(
        "What is longer than an extended APDU is refused before anything is sent",
        arguments: [65_545, 200_000]
    )
    func tooLong(length: Int) async throws {
        try await withCard(Parrot()) { virtual, reader, target, _ in
            await #expect(throws: ReaderError.commandTooLong(size: length, limit: 65_544)) {
                try await reader.exchange(Data(count: length), with: target)
            }
            #expect(virtual.statistics.totalCommands == 0)
        }
    }

    @Test("An answer longer than an extended APDU's is a clear error, and the next exchange works")
    func answerTooLong() async throws {
        let card = Recorder(answer: Self.pattern(65_539), then: hex("9000"))
        try await withCard(card) { _, reader, target, _ in
            await #expect(throws: ReaderError.answerTooLong(limit: 65_538)) {
                try await reader.exchange(hex("00b00000000000"), with: target)
            }
            let next = try await reader.exchange(hex("00b0000000"), with: target)
            #expect(next == hex("9000"))
        }
    }

    @Test(
        "Each driver has the limits of its reader (facts/libnfc.md, 7.1)",
        arguments: [
            ("pn532_uart:/dev/ttyUSB0", 65_544, 65_538, 262),
            ("pn532_spi:/dev/spidev0.0", 65_544, 65_538, 262),
            ("pn532_i2c:/dev/i2c-1", 65_544, 65_538, 262),
            ("arygon:/dev/ttyUSB0", 65_544, 65_538, 262),
            ("pn53x_usb:001:002", 65_544, 65_538, 262), ("acr122_usb:001:002", 252, 250, 252),
            ("ACR122S:/dev/ttyUSB0", 252, 250, 252), ("usb:001:002", 252, 250, 252),
        ]
    )
    func limits(reader: String, command: Int, answer: Int, part: Int) throws {
        let limits = try ConnectionString(reader).limits
        #expect(limits.command == command)
        #expect(limits.answer == answer)
        #expect(limits.part == part)
    }

    // MARK: Faults in the middle

    /// The command of 1000 bytes has four parts; the answer of 1000 bytes comes in four, too.
    static let faults: [(Fault.Effect, ReaderError)] = [
        (.tagLost, .tagLost), (.status(0x01), .tagLost), (.status(0x02), .tagError(status: 0x02)),
        (.status(0x0B), .tagError(status: 0x0B)), (.status(0x13), .tagError(status: 0x13)),
    ]

    @Test(
        "A fault in part k of a command is that fault; the half command is never carried out",
        arguments: 1...4
    )
    func faultInCommand(part: Int) async throws {
        for (effect, error) in Self.faults {
            let card = Recorder(answer: hex("9000"))
            try await withCard(card) { virtual, reader, target, wire in
                virtual.faults = Faults(Fault(effect, .nth(part)))
                await #expect(throws: error) {
                    try await reader.exchange(Self.pattern(1000), with: target)
                }
                // The chip has let the tag go.
                #expect(wire.commands.last == "5201")
                await #expect(throws: ReaderError.tagLost) {
                    try await reader.exchange(hex("00b0000000"), with: target)
                }
                guard effect != .tagLost else { return }
                try await reader.cycleField()
                let again = try #require(try await reader.poll(.iso14443a).first)
                _ = try await reader.exchange(hex("00b0000001"), with: again)
                let executed = part == 4 ? [Self.pattern(1000)] : []
                #expect(card.commands == executed + [hex("00b0000001")])
            }
        }
    }

    @Test(
        "A fault in part k of an answer is that fault, and the next exchange works",
        arguments: 2...4
    )
    func faultInAnswer(part: Int) async throws {
        for (effect, error) in Self.faults {
            let card = Recorder(answer: Self.pattern(1000), then: hex("9000"))
            try await withCard(card) { virtual, reader, target, _ in
                virtual.faults = Faults(Fault(effect, .nth(part)))
                await #expect(throws: error) {
                    try await reader.exchange(hex("00b00000000000"), with: target)
                }
                guard effect != .tagLost else { return }
                let next = try await reader.exchange(hex("00b0000001"), with: target)
                #expect(next == hex("9000"))
            }
        }
    }

    @Test(
        "A wire fault in the middle is the reader's, and the card is usable when found anew",
        arguments: [
            Fault.Effect.wrongChecksum, .truncate(7), .answerCode(0x43), .errorFrame, .swallow,
            .acknowledgeOnly,
        ],
        [hex("00b00000000000"), pattern(1000)]
    )
    func wireFaults(effect: Fault.Effect, command: Data) async throws {
        let card = Recorder(answer: Self.pattern(1000))
        try await withCard(card) { virtual, reader, target, _ in
            virtual.faults = Faults(Fault(effect, .nth(2), command: 0x40))
            await #expect {
                try await reader.exchange(command, with: target, timeout: .milliseconds(250))
            } throws: { error in
                (error as? ReaderError)?.kind == .reader
            }
            virtual.faults = .none
            try await reader.cycleField()
            let again = try #require(try await reader.poll(.iso14443a).first)
            let got = try await reader.exchange(hex("00b0000001"), with: again)
            #expect(got == Self.pattern(1000))
            #expect(card.commands.last == hex("00b0000001"))
        }
    }

    @Test(
        "Radio noise within a long exchange costs repetitions, never a wrong byte",
        arguments: 1...10
    )
    func radioNoise(seed: Int) async throws {
        let card = Recorder(answer: Self.pattern(1000))
        try await withCard(card) { virtual, reader, target, _ in
            virtual.faults = .noise(radio: 0.1, seed: UInt64(seed))
            do {
                let got = try await reader.exchange(Self.pattern(1000), with: target)
                #expect(got == Self.pattern(1000))
                #expect(card.commands == [Self.pattern(1000)])
            } catch {
                #expect((error as? ReaderError)?.kind == .tag)
                #expect(card.commands.allSatisfy { $0 == Self.pattern(1000) })
            }
        }
    }
}

/// A card that answers every command with the same bytes, or the first one so and the others otherwise, and remembers
/// the commands.
final class Recorder: CardApplication {
    private let first: Data
    private let others: Data
    private let log = Mutex<[Data]>([])

    init(answer: Data, then others: Data? = nil) {
        first = answer
        self.others = others ?? answer
    }

    var commands: [Data] { log.withLock { $0 } }

    func respond(to command: Data) -> Data {
        log.withLock { log in
            log.append(command)
            return log.count == 1 ? first : others
        }
    }

    func workingTime(of command: Data) -> Duration { .zero }
    func reset() {}
}

/// The chip commands and answers that pass, without TFI, in hexadecimal.
final class Wire: Sendable {
    private let log = Mutex<(commands: [String], answers: [String])>(([], []))

    var commands: [String] { log.withLock { $0.commands } }
    var answers: [String] { log.withLock { $0.answers } }

    var note: @Sendable (TraceEvent) -> Void {
        { event in
            var frames = FrameReader()
            frames.append(event.bytes)
            switch frames.next() {
            case .command(let body): self.log.withLock { $0.commands.append(body.hex) }
            case .answer(let body): self.log.withLock { $0.answers.append(body.hex) }
            default: break
            }
        }
    }
}
