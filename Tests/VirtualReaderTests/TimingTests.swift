import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// Real timing against the times of facts/pn532.md, 6. The bench's clock is moved by hand, so nothing waits.
@Suite struct TimingTests {
    private func bench(_ tags: any VirtualTag...) -> Bench {
        let bench = Bench(timing: .real, isReady: false)
        for tag in tags { bench.tray.place(tag) }
        _ = bench.exchange("55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00")
        for command in ["14 01", "32 05 00 01 02", "32 01 01"] { _ = time(command, on: bench) }
        bench.now += .seconds(1)
        return bench
    }

    /// Lets time pass until the chip has answered, and says how much that was and what it answered.
    private func time(_ body: String, on bench: Bench) -> (milliseconds: Double, answer: String?) {
        let start = bench.now
        var bytes = bench.exchange(HostFrame.command(hex(body)).encoded.hex)
        while let due = bench.link.nextDue, bytes.count <= 12 {
            bench.now = due
            bytes += bench.output()
        }
        return ((bench.now - start) / .milliseconds(1), bench.answer(in: String(bytes.dropFirst(12))))
    }

    @Test func theAcknowledgeComesWithin15Milliseconds() throws {
        let bench = bench()
        #expect(bench.exchange("00 00 ff 02 fe d4 02 2a 00") == "")
        let due = try #require(bench.link.nextDue)
        // 9 bytes in and 6 out take 1.3 ms on the wire alone.
        #expect(due > bench.now + .microseconds(1_300) && due < bench.now + .milliseconds(15))
    }

    @Test func simpleCommandsTakeThreeToFourMilliseconds() {
        let bench = bench()
        for body in ["02", "12 14", "32 05 00 01 02", "06 63 02"] {
            #expect((2.5...4).contains(time(body, on: bench).milliseconds), "\(body)")
        }
    }

    @Test func findingATagTakesAsLongAsOnARealChip() throws {
        let cases: [(any VirtualTag, ClosedRange<Double>)] = [
            (try MifareClassicTag(), 8...12),
            (try Type2Tag(), 10...15),
            (try ISODEPTag(application: EchoApplication()), 15...25),
        ]
        for (tag, range) in cases {
            let (milliseconds, answer) = time("4a 01 00", on: bench(tag))
            #expect(answer?.hasPrefix("4b01") == true)
            #expect(range.contains(milliseconds), "\(tag.name): \(milliseconds) ms")
        }
    }

    @Test func anEmptyFieldTakesFiveToTenMillisecondsATry() {
        let (milliseconds, answer) = time("4a 01 00", on: bench())
        #expect(answer == "4b00")
        #expect((15...35).contains(milliseconds), "\(milliseconds) ms")
    }

    @Test func aTagThatComesDuringASearchIsFoundByTheNextTry() throws {
        let bench = bench()
        _ = bench.exchange("00 00 ff 04 fc d4 4a 01 00 e1 00")
        bench.now += .milliseconds(8)
        #expect(bench.output() == Bench.acknowledge)
        bench.tray.place(try MifareClassicTag())
        var bytes = bench.output()
        while let due = bench.link.nextDue, bytes.isEmpty {
            bench.now = due
            bytes = bench.output()
        }
        #expect(bench.answer(in: bytes) == "4b010100040804deadbeef")
    }

    /// As measured on a chip: 20 rounds, 6 types, 300 ms each are 36.28 s (libnfc issue 536).
    @Test func anAutoPollOfAnEmptyFieldTakesAllItsPeriods() {
        let (milliseconds, answer) = time("60 14 02 20 10 03 11 12 04", on: bench())
        #expect(answer == "6100")
        #expect((36_000...36_500).contains(milliseconds), "\(milliseconds) ms")
    }

    @Test func autoPollFindsAtOnceWhatLiesThere() throws {
        let (milliseconds, answer) = time("60 14 02 10", on: bench(try MifareClassicTag()))
        #expect(answer?.hasPrefix("6101") == true)
        #expect(milliseconds < 20)
    }

    @Test func silenceTakesTheRetryTimeout() throws {
        let bench = bench(try Type2Tag(kind: .ultralight))
        _ = time("4a 01 00", on: bench)
        // The code 0A stands for 51.2 ms, 0C for 204.8 ms.
        #expect((51...58).contains(time("42 60", on: bench).milliseconds))
        _ = time("32 02 00 0b 0c", on: bench)
        #expect((204...212).contains(time("42 60", on: bench).milliseconds))
    }

    @Test func theCardsWorkingTimeIsWaitedFor() throws {
        let application = EchoApplication(workingTime: .milliseconds(120))
        let bench = bench(try ISODEPTag(application: application))
        _ = time("4a 01 00", on: bench)
        let (milliseconds, answer) = time("40 01 00 88", on: bench)
        #expect(answer == "4100" + "00889000")
        #expect((120...140).contains(milliseconds), "\(milliseconds) ms")
    }

    @Test func aHigherBaudRateShortensTheWire() {
        let bench = bench()
        let data = "00 00" + String(repeating: " 00", count: 200)
        let slow = time(data, on: bench).milliseconds
        #expect(time("10 07", on: bench).answer == "11")
        _ = bench.exchange(Bench.acknowledge)
        // 212 bytes each way at 115200 baud: 37 ms; at 921600: 5 ms.
        #expect(slow > 36)
        #expect(time(data, on: bench).milliseconds < 8)
    }

    /// Real chips lose a command sent right after the ACK that aborts another (libnfc issue 167).
    @Test func aCommandWithinAMillisecondOfAnAbortIsLost() {
        let bench = bench()
        _ = time("32 05 ff ff ff", on: bench)
        _ = bench.exchange("00 00 ff 04 fc d4 4a 01 00 e1 00")
        bench.now += .milliseconds(20)
        #expect(bench.output() == Bench.acknowledge)
        _ = bench.exchange(Bench.acknowledge)
        #expect(bench.exchange("00 00 ff 02 fe d4 02 2a 00") == "")
        #expect(bench.link.nextDue == nil)
        bench.now += .milliseconds(10)
        #expect(time("02", on: bench).answer == "0332010607")
    }

    @Test func anAnswerIsNotOutBeforeItsTime() {
        let bench = bench()
        _ = bench.exchange("00 00 ff 02 fe d4 02 2a 00")
        bench.now += .milliseconds(2)
        let early = bench.output()
        #expect(early == "" || early == Bench.acknowledge)
        bench.now += .milliseconds(3)
        #expect(early + bench.output() == Bench.acknowledge + "0000ff06fad50332010607e800")
    }
}
