import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// Faults that strike the reader as a whole, when they strike, and in which phase of the host's work.
@Suite struct ReaderFaultsTests {
    private static let versionCommand = "00 00 ff 02 fe d4 02 2a 00"
    private static let versionAnswer = "0000ff06fad50332010607e800"
    private static let preamble = "55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00"
    private let good = Bench.acknowledge + versionAnswer

    private func bench(_ faults: Fault...) -> Bench {
        let bench = Bench()
        bench.makeFinite()
        bench.link.faults.list = faults
        return bench
    }

    private func versions(_ bench: Bench) -> [String] {
        (0..<3).map { _ in bench.exchange(Self.versionCommand) }
    }

    // MARK: - What

    @Test func aSlowChipAcknowledgesLate() {
        let bench = bench(Fault(.lateAcknowledge(.milliseconds(12)), .nth(1)))
        #expect(bench.exchange(Self.versionCommand) == "")
        bench.now += .milliseconds(11)
        #expect(bench.output() == "")
        bench.now += .milliseconds(1)
        #expect(bench.output() == good)
    }

    @Test func theAnswerBeforeCanComeOnceMore() {
        let bench = bench(Fault(.previousAnswer, .nth(2)))
        #expect(bench.exchange(Self.versionCommand) == good)
        #expect(bench.command("00 00 6c") == "0332010607")
        #expect(bench.command("00 00 6c") == "01006c")
    }

    @Test func aChipThatFellAsleepHearsNothingUntilItIsWoken() throws {
        let bench = bench(Fault(.sleep, .nth(2)))
        bench.tray.place(try Type2Tag())
        #expect(versions(bench) == [good, "", ""])
        #expect(bench.exchange(Self.preamble) == "")
        // It still knows its configuration: SAMConfiguration and finite searches.
        #expect(bench.command("4a 01 00")?.hasPrefix("4b01") == true)
    }

    @Test func aBrownOutForgetsEverything() throws {
        let bench = bench(Fault(.brownOut, .nth(2), command: 0x4A))
        bench.tray.place(try Type2Tag())
        _ = bench.command("12 04")
        #expect(bench.command("4a 01 00")?.hasPrefix("4b01") == true)
        #expect(bench.link.isFieldOn)
        #expect(bench.command("4a 01 00") == "no ACK: ")
        #expect(!bench.link.isFieldOn)
        _ = bench.exchange(Self.preamble)
        #expect(bench.command("4a 01 00") == nil, "not configured")
        #expect(bench.command("14 01") == "15")
        #expect(bench.command("04") == "05" + "00000080", "no target, no error")
    }

    @Test func silenceLosesWhatIsSentMeanwhileInBothDirections() {
        let bench = bench(Fault(.delay(.milliseconds(500)), .nth(1)))
        #expect(bench.exchange(Self.versionCommand) == Bench.acknowledge)
        bench.link.faults = Faults(Fault(.silence(.seconds(1)), .immediately))
        #expect(bench.exchange(Self.versionCommand) == "")
        bench.now += .milliseconds(500)
        #expect(bench.output() == "")
        bench.now += .milliseconds(499)
        #expect(bench.exchange(Self.versionCommand) == "")
        bench.now += .milliseconds(1)
        #expect(bench.exchange(Self.versionCommand) == good)
    }

    @Test func silenceCanBeForGood() {
        let bench = bench(Fault(.silence(), .nth(2)))
        #expect(versions(bench) == [good, "", ""])
        bench.now += .seconds(100_000)
        #expect(versions(bench) == ["", "", ""])
    }

    @Test func aHostAtAnotherRateReachesNothing() {
        let bench = bench(Fault(.baudRate(921_600), .immediately))
        bench.link.hostBaudRate = 115_200
        #expect(versions(bench) == ["", "", ""])
        bench.link.hostBaudRate = 921_600
        #expect(bench.exchange(Self.versionCommand) == good)
        // SetSerialBaudRate 115200: the answer comes at the old rate, the new one counts from the host's ACK on, which
        // may arrive when the host's port has changed already.
        #expect(bench.command("10 04") == "11")
        bench.link.hostBaudRate = 115_200
        #expect(bench.exchange("00 00 ff 00 ff 00") == "")
        #expect(bench.exchange(Self.versionCommand) == good)
        bench.link.hostBaudRate = 921_600
        #expect(bench.exchange(Self.versionCommand) == "")
    }

    @Test func aRateThatTheChipDoesNotHaveChangesNothing() {
        let bench = bench(Fault(.baudRate(0), .immediately), Fault(.baudRate(-5), .nth(2)))
        bench.link.hostBaudRate = 115_200
        #expect(versions(bench) == [good, "", good])
    }

    @Test func anUnpluggedReaderSaysWhenItReturns() {
        let bench = bench(Fault(.replug(after: .seconds(2), at: "/tmp/other"), .nth(2)))
        #expect(bench.exchange(Self.versionCommand) == good)
        #expect(bench.link.unplugging == nil)
        #expect(bench.exchange(Self.versionCommand) == "")
        #expect(bench.link.unplugging?.end == bench.now + .seconds(2))
        #expect(bench.link.unplugging?.path == "/tmp/other")
    }

    // MARK: - When

    @Test func timeStartsWithTheHostsFirstByte() {
        let bench = bench(Fault(.hangUp, .time(.seconds(3))))
        bench.now += .seconds(10)
        _ = bench.output()
        #expect(bench.link.unplugging == nil && bench.link.nextDue == nil)
        #expect(bench.exchange(Self.versionCommand) == good)
        #expect(bench.link.nextDue == bench.now + .seconds(3))
        bench.now += .milliseconds(2_999)
        _ = bench.output()
        #expect(bench.link.unplugging == nil)
        bench.now += .milliseconds(1)
        _ = bench.output()
        #expect(bench.link.unplugging != nil)
        #expect(bench.link.nextDue == nil, "once")
    }

    @Test func afterATimeTheNextCommandIsStruckAndNoOther() {
        let bench = bench(Fault(.swallow, .time(.seconds(3))))
        #expect(bench.exchange(Self.versionCommand) == good)
        bench.now += .seconds(4)
        #expect(bench.link.nextDue == nil, "it needs a command")
        #expect(versions(bench) == ["", good, good])
    }

    @Test func immediatelyIsTheFirstCommand() {
        #expect(versions(bench(Fault(.errorFrame, .immediately))).map(\.count) == [28, 38, 38])
    }

    // MARK: - Phases

    /// The phases of libnfc's session of facts/pn532.md, 2.1, with two searches and an exchange in between.
    @Test func thePhaseIsWhatTheHostIsDoing() throws {
        let session: [(command: String, phase: Fault.Phase)] =
            [
                ("14 01", .opening), ("00 00 6c", .opening), ("02", .opening), ("12 14", .opening),
                ("32 01 01", .opening), ("32 05 00 01 02", .opening),
                ("4a 01 03 00", .detecting), ("32 01 00", .idle), ("32 01 01", .idle),
                ("4a 01 00", .detecting), ("4a 01 00", .connected), ("06 63 02", .connected),
                ("40 01 30 00", .exchanging), ("42 30 00", .exchanging),
                ("32 01 00", .connected), ("52 00", .closing), ("32 01 00", .closing),
                ("16 f0", .closing),
            ]
        for phase in Fault.Phase.allCases {
            let bench = Bench(try Type2Tag(), isReady: false)
            _ = bench.exchange(Self.preamble)
            bench.link.faults = Faults(Fault(.errorFrame, phase: phase))
            for (index, (command, own)) in session.enumerated() {
                let bytes = HostFrame.command(hex(command)).encoded.hex
                let answer = bench.exchange(bytes)
                let isStruck = answer == Bench.acknowledge + Bench.errorFrame
                // What was struck was not carried out, so that later phases may differ: judge up to there.
                #expect(isStruck == (own == phase), "\(phase), command \(index): \(command)")
                if isStruck { break }
            }
        }
    }

    @Test func aSecondHostOpensAnAwakeChip() throws {
        let bench = Bench(try Type2Tag())
        bench.makeFinite()
        _ = bench.command("4a 01 00")
        bench.link.faults = Faults(Fault(.swallow, .nth(2), phase: .opening))
        #expect(bench.command("14 01") == "15")
        #expect(bench.command("02") == "no ACK: ")
    }

    @Test func aFaultOfAnExchangeCanBeBoundToItsPhase() throws {
        let bench = Bench(try Type2Tag())
        bench.makeFinite()
        bench.link.faults = Faults(
            Fault(.status(0x13), .nth(1), phase: .exchanging),
            Fault(.status(0x14), .always, phase: .detecting)
        )
        _ = bench.command("4a 01 00")
        #expect(bench.command("40 01 30 00") == "4113")
        #expect(bench.command("40 01 30 00")?.hasPrefix("4100") == true)
    }
}
