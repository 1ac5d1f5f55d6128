import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// Each fault switch by what the host gets on the wire (facts/pn532.md, 10.7).
@Suite(.serialized) struct FaultsTests {
    private static let versionCommand = "00 00 ff 02 fe d4 02 2a 00"
    private static let versionAnswer = "0000ff06fad50332010607e800"

    private func bench(_ faults: Fault..., tag: (any VirtualTag)? = nil) -> Bench {
        let bench = Bench()
        bench.makeFinite()
        if let tag { bench.tray.place(tag) }
        bench.link.faults.list = faults
        return bench
    }

    /// What GetFirmwareVersion gets, three times in a row.
    private func versions(_ bench: Bench) -> [String] {
        (0..<3).map { _ in bench.exchange(Self.versionCommand) }
    }

    private let good = Bench.acknowledge + versionAnswer

    // MARK: - Commands

    @Test func swallowedCommandsGetNothing() {
        #expect(versions(bench(Fault(.swallow, .nth(2)))) == [good, "", good])
        #expect(versions(bench(Fault(.swallow, .from(2)))) == [good, "", ""])
        #expect(versions(bench(Fault(.swallow, .every(2)))) == [good, "", good])
        #expect(versions(bench(Fault(.swallow))) == ["", "", ""])
        #expect(versions(bench(Fault(.swallow, command: 0x4A))) == [good, good, good])
    }

    @Test func aCommandCanBeAcknowledgedAndNeverAnswered() {
        #expect(
            versions(bench(Fault(.acknowledgeOnly, .nth(1)))) == [Bench.acknowledge, good, good]
        )
    }

    @Test func anAnswerCanComeLate() {
        let bench = bench(Fault(.delay(.milliseconds(400)), .nth(1)))
        #expect(bench.exchange(Self.versionCommand) == Bench.acknowledge)
        bench.now += .milliseconds(399)
        #expect(bench.output() == "")
        #expect(bench.link.nextDue == bench.now + .milliseconds(1))
        bench.now += .milliseconds(1)
        #expect(bench.output() == Self.versionAnswer)
    }

    @Test func aLateAnswerIsDroppedByTheNextCommand() {
        let bench = bench(Fault(.delay(.milliseconds(400)), .nth(1)))
        _ = bench.exchange(Self.versionCommand)
        #expect(bench.exchange(Self.versionCommand) == good)
        bench.now += .seconds(1)
        #expect(bench.output() == "")
    }

    @Test func anAnswerCanBeDamagedInEveryWay() {
        #expect(
            versions(bench(Fault(.wrongChecksum, .nth(1)))).first
                == Bench.acknowledge + "0000ff06fad503320106071700"
        )
        #expect(
            versions(bench(Fault(.truncate(7), .nth(1)))).first
                == Bench.acknowledge + "0000ff06fad503"
        )
        // As if it belonged to SetParameters: only the code and the checksum differ.
        #expect(
            versions(bench(Fault(.answerCode(0x13), .nth(1)))).first
                == Bench.acknowledge + "0000ff06fad51332010607d800"
        )
        #expect(
            versions(bench(Fault(.errorFrame, .nth(1)))).first
                == Bench.acknowledge + Bench.errorFrame
        )
    }

    @Test func aHalfOpenChipAnswersDiagnoseOnly() {
        for (faults, version) in [(Faults.halfOpen, nil), (.halfOpenWithError, Bench.errorFrame)] {
            let bench = Bench()
            bench.link.faults = faults
            #expect(bench.command("00 00 6c") == "01006c")
            #expect(bench.command("02") == version)
        }
    }

    @Test func theATSCanHaveLengthZero() throws {
        let tag = try ISODEPTag(application: EchoApplication())
        let bench = bench(Fault(.zeroATSLength), tag: tag)
        #expect(
            bench.command("4a 01 00") == "4b0101" + "00442007" + "04a1b2c3d4e5f6" + "007880800280"
        )
    }

    // MARK: - Exchanges

    @Test func aStatusCanBeForced() throws {
        let application = EchoApplication()
        let bench = bench(
            Fault(.status(0x13), .nth(2)),
            Fault(.status(0x80), .nth(3)),
            Fault(.noStatus, .nth(4)),
            tag: try ISODEPTag(application: application)
        )
        _ = bench.command("4a 01 00")
        #expect(bench.command("40 01 01") == "4100019000")
        #expect(bench.command("40 01 02") == "4113")
        #expect(bench.command("42 b2") == "4380")
        #expect(bench.command("40 01 03") == "41")
        #expect(bench.command("40 01 04") == "4100049000")
        #expect(application.commands.count == 4, "the card has seen them all")
    }

    @Test func aTagCanBeLostAtAnExchange() throws {
        let tag = try Type2Tag()
        let bench = bench(Fault(.tagLost, .nth(3)), tag: tag)
        _ = bench.command("4a 01 00")
        for _ in 0..<2 { #expect(bench.command("40 01 30 00")?.hasPrefix("4100") == true) }
        #expect(bench.command("40 01 30 00") == "4101")
        #expect(bench.command("4a 01 00") == "4b00")
    }

    @Test func anAnswerOfTheTagCanBeReplacedOrGarbled() throws {
        let bench = bench(
            Fault(.response(hex("69 82")), .nth(1)),
            Fault(.garbledResponse, .nth(2)),
            tag: try ISODEPTag(application: EchoApplication())
        )
        _ = bench.command("4a 01 00")
        #expect(bench.command("40 01 00 84") == "41006982")
        let garbled = try #require(bench.command("40 01 00 84"))
        let difference = zip(hex(garbled), hex("41 00 00 84 90 00")).map {
            ($0 ^ $1).nonzeroBitCount
        }
        #expect(difference.reduce(0, +) == 1 && difference.prefix(2) == [0, 0])
    }

    // MARK: - Frames

    @Test func aSpoiledCommandIsNotNoticed() {
        #expect(versions(bench(Fault(.spoiledFrameToChip, .nth(2)))) == [good, "", good])
    }

    @Test func aSpoiledAnswerDiffersInOneBit() {
        // Frames to the host: ACK, answer, ACK, answer.
        let bench = bench(Fault(.spoiledFrameToHost, .nth(2)))
        let bytes = hex(bench.exchange(Self.versionCommand))
        let difference = zip(bytes, hex(good)).map { ($0 ^ $1).nonzeroBitCount }
        #expect(difference.prefix(6).reduce(0, +) == 0 && difference.reduce(0, +) == 1)
        #expect(bench.exchange(Self.versionCommand) == good)
    }

    @Test func nackGetsTheUnspoiledAnswer() {
        let bench = bench(Fault(.spoiledFrameToHost, .nth(2)))
        _ = bench.exchange(Self.versionCommand)
        #expect(bench.exchange("00 00 ff ff 00 00") == Self.versionAnswer)
    }

    @Test func theChipRepeatsWhatTheFieldHasLost() throws {
        let application = EchoApplication { $0 + hex("90 00") }
        let tag = try ISODEPTag(application: application)
        let bench = bench(tag: tag)
        _ = bench.command("4a 01 00")
        bench.link.faults = Faults(Fault(.spoiledRadioFrame, .every(3)))
        let command = Data((0..<250).map { UInt8($0) })
        for _ in 0..<20 {
            #expect(bench.command("40 01 " + command.hex) == "4100" + command.hex + "9000")
        }
        #expect(application.commands.count == 20, "and no command twice")
    }

    @Test func aMifareReadIsNotRepeatedUnlessMaxRtyCOMSaysSo() throws {
        let bench = bench(tag: try Type2Tag())
        _ = bench.command("4a 01 00")
        bench.link.faults = Faults(Fault(.spoiledRadioFrame, .every(2)))
        let statuses = (0..<4).map { _ in bench.command("40 01 30 00")?.prefix(4) }
        #expect(statuses.contains("4101") || statuses.contains("4102"))
        bench.link.faults = .none
        _ = bench.command("32 04 05")
        #expect(bench.command("4a 01 00") != "4b00")
        bench.link.faults = Faults(Fault(.spoiledRadioFrame, .every(2)))
        for _ in 0..<4 { #expect(bench.command("40 01 30 00")?.hasPrefix("4100") == true) }
    }

    /// 5 % of all frames on air spoiled.
    ///
    /// A try needs five frames for a UID of 7 bytes, and the first of three only throws the active
    /// tag back to idle; when the second fails half-way, the third does the same again.
    @Test func inNoiseMostSearchesFindTheTag() throws {
        let bench = bench(tag: try Type2Tag())
        bench.link.faults = .noise(radio: 0.05)
        var misses = 0
        for _ in 0..<1_000 where bench.command("4a 01 00") == "4b00" { misses += 1 }
        #expect((1..<250).contains(misses))
    }

    @Test func theSameSeedGivesTheSameRun() throws {
        func run(seed: UInt64) -> [String] {
            let bench = Bench()
            bench.link.faults = .noise(wire: 0.3, seed: seed)
            return (0..<50).map { _ in bench.exchange(Self.versionCommand) }
        }
        #expect(run(seed: 7) == run(seed: 7))
        #expect(run(seed: 7) != run(seed: 8))
    }

    @Test func anEndlessSearchInTotalNoiseDoesNotSpin() throws {
        let bench = bench(tag: try Type2Tag())
        _ = bench.command("32 05 ff ff ff")
        bench.link.faults = .noise(radio: 1)
        #expect(bench.command("4a 01 00") == nil)
        let next = try #require(bench.link.nextDue)
        #expect(next > bench.now)
        // The noise ends: the next try finds the tag.
        bench.link.faults = .none
        bench.now = next
        #expect(bench.answer(in: bench.output())?.hasPrefix("4b01") == true)
    }

    @Test func settingFaultsStartsCountingAnew() {
        let bench = bench(Fault(.swallow, .nth(2)))
        #expect(versions(bench) == [good, "", good])
        bench.link.faults = bench.link.faults
        #expect(versions(bench) == [good, "", good])
    }
}
