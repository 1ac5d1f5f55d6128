import Bytes
import Foundation
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// Scenarios as text, and what a chip makes of them in virtual time.
@Suite struct ScenarioTests {
    /// A chip that is awake and configured and has finite searches, with this scenario, whose tags are NTAG213s with UIDs
    /// that end in the tags' names.
    private func bench(_ text: String) throws -> Bench {
        let bench = Bench()
        bench.makeFinite()
        let scenario = try Scenario(text)
        var tags: [String: any VirtualTag] = [:]
        for name in scenario.steps.flatMap(\.tagNames) where tags[name] == nil {
            tags[name] = try Type2Tag(kind: .ntag213, uid: .fixed(hex("040000000000" + name)))
        }
        try bench.link.play(scenario, tags: tags)
        return bench
    }

    /// The last byte of the UID of the tag that a search finds; `-` for none.
    private func found(_ bench: Bench) -> String {
        guard let answer = bench.command("4a 01 00"), answer.hasPrefix("4b01") else { return "-" }
        return String(answer.suffix(2))
    }

    @Test func tagsComeAndGoByTime() throws {
        let bench = try bench(
            """
            at 1s do place 01     # the first card
            at 2s do swap 01 02

            at 2.5s do remove 02
            """
        )
        var seen: [String] = []
        for _ in 0..<7 {
            seen.append(found(bench))
            bench.now += .milliseconds(500)
        }
        #expect(seen == ["-", "-", "01", "01", "02", "-", "-"])
    }

    @Test func tagsComeAndGoByCommand() throws {
        let bench = try bench(
            """
            at start do place 01
            at InListPassiveTarget 3 do remove 01
            at detecting 4 do place 02
            """
        )
        // The second search finds a chip that knows a target: only the first, fourth and so on detect.
        #expect((0..<5).map { _ in found(bench) } == ["01", "01", "-", "-", "-"])
        #expect((0..<2).map { _ in found(bench) } == ["02", "02"])
    }

    /// Every action on every kind of moment that fits it, by what it does to three commands.
    @Test(
        "each fault of a command",
        arguments: [
            ("at command 2 do swallow", ""),
            ("at GetFirmwareVersion 2 do swallow", ""),
            ("at 0x02 2 do swallow", ""),
            ("at opening 2 do swallow", ""),
            ("at command 2 do ack-only", "ack"),
            ("at command 2 do error-frame", "ack0000ff01ff7f8100"),
            ("at command 2 do truncate 7", "ack0000ff06fad503"),
            ("at command 2 do wrong-checksum", "ack0000ff06fad503320106071700"),
            // As if it belonged to SetParameters: code 13 and a checksum that fits.
            ("at command 2 do answer-of SetParameters", "ack0000ff06fad51332010607d800"),
            ("at command 2 do late-ack 10ms", ""),
            ("at command 2 do delay 10ms", "ack"),
            ("at command 2 do unplug", ""),
            ("at command 2 do replug after 1s", ""),
            ("at command 2 do silence 0s", ""),
        ]
    )
    func commandFault(line: String, second: String) throws {
        let bench = try bench(line)
        let answers = (0..<2).map { _ in bench.exchange("00 00 ff 02 fe d4 02 2a 00") }
        let good = Bench.acknowledge + "0000ff06fad50332010607e800"
        #expect(
            answers == [good, second.replacingOccurrences(of: "ack", with: Bench.acknowledge)]
        )
    }

    @Test(
        "each fault of an exchange",
        arguments: [
            ("at exchange 2 do status 13", "4113"), ("at exchanging 2 do status 80", "4180"),
            ("at InDataExchange 2 do no-status", "41"), ("at exchange 2 do tag-lost", "4101"),
            ("at exchange 2 do answer 69 82", nil), ("at exchange 2 do answer 6982", "41006982"),
            ("at exchange 2 do error-frame", Bench.errorFrame),
        ] as [(String, String?)]
    )
    func exchangeFault(line: String, second: String?) throws {
        guard let second else {
            #expect(throws: ScenarioError.self) { try Scenario(line) }
            return
        }
        let bench = try bench("at start do place 01\n" + line)
        _ = bench.output()
        _ = found(bench)
        #expect(bench.command("40 01 30 00")?.hasPrefix("410004") == true)
        #expect(bench.command("40 01 30 00") == second)
    }

    @Test func garbledAnswersDifferInOneBit() throws {
        let bench = try bench("at start do place 01\nat exchange 2 do garble")
        _ = found(bench)
        let (good, bad) = (bench.command("40 01 30 00"), bench.command("40 01 30 00"))
        let difference = zip(hex(good ?? ""), hex(bad ?? "")).map { ($0 ^ $1).nonzeroBitCount }
        #expect(difference.count == 18 && difference.reduce(0, +) == 1)
    }

    @Test(
        "each way to count",
        arguments: [
            ("at command do swallow", [1, 2, 3, 4, 5, 6]), ("at command 3 do swallow", [3]),
            ("at command 3+ do swallow", [3, 4, 5, 6]),
            ("at command every 2 do swallow", [2, 4, 6]),
            ("at command 0% do swallow", []), ("at command 100% do swallow", [1, 2, 3, 4, 5, 6]),
            ("at start do swallow", [1]), ("at 0s do swallow", [1]), ("at 1h do swallow", []),
        ]
    )
    func counting(line: String, swallowed: [Int]) throws {
        let bench = try bench(line)
        #expect((1...6).filter { _ in bench.command("00 00 6c") == "no ACK: " } == swallowed)
    }

    @Test func theSeedDecidesTheRun() throws {
        func run(_ text: String) throws -> [Bool] {
            let bench = try bench(text + "\nat frame-to-chip 50% do spoil")
            return (0..<40).map { _ in bench.command("00 00 6c") == "01006c" }
        }
        #expect(try run("seed 7") == run("seed 7"))
        #expect(try run("seed 7") != run("seed 8"))
        #expect(try run("seed 1") == run(""))
        #expect(try Set(run("seed 7")).count == 2)
    }

    @Test(
        "a time is a number and a unit",
        arguments: [
            ("0ms", Duration.zero), ("300ms", .milliseconds(300)), ("1.5s", .milliseconds(1_500)),
            ("2min", .seconds(120)), ("1h", .seconds(3_600)), ("1.4ms", .milliseconds(1)),
        ]
    )
    func times(text: String, expected: Duration) throws {
        let bench = try bench("at \(text) do unplug")
        _ = bench.exchange("00")
        if expected > .zero { #expect(bench.link.nextDue == bench.now + expected) }
        bench.now += expected
        _ = bench.output()
        #expect(bench.link.unplugging != nil)
    }

    @Test func stepsAreReportedAsTheyHappen() throws {
        let scenario = try Scenario(
            "seed 3\n# nothing\nat start do brown-out\nat command 2 do swallow\n"
        )
        #expect(scenario.steps.map(\.line) == [3, 4])
        #expect(scenario.steps.map(\.text) == ["brown-out", "swallow"])
        #expect(scenario.seed == 3)
        let reader = try VirtualReader()
        defer { reader.close() }
        let lines = Mutex<[Int]>([])
        try reader.play(scenario) { step in lines.withLock { $0.append(step.line) } }
        let port = try #require(HostPort(reader.path))
        #expect(port.version() == HostPort.version)
        port.send("00 00 ff 02 fe d4 02 2a 00 00 00 ff 02 fe d4 02 2a 00")
        #expect(port.receive(19) == HostPort.version)
        #expect(lines.withLock { $0 } == [3, 4])
    }

    // MARK: - Mistakes

    @Test(
        "a line that makes no sense is named with its number",
        arguments: [
            ("at 1s place 01", ScenarioError.notUnderstood(line: 1, "at 1s place 01")),
            ("at 1s do", .notUnderstood(line: 1, "at 1s do")),
            ("place 01", .notUnderstood(line: 1, "place 01")),
            ("\n\nseed", .notUnderstood(line: 3, "seed")),
            ("seed -1", .notUnderstood(line: 1, "seed -1")),
            ("at do swallow", .notUnderstood(line: 1, "at do swallow")),
            ("at noon do swallow", .unknownMoment(line: 1, "noon")),
            ("at command 0 do swallow", .unknownMoment(line: 1, "command 0")),
            ("at command -1 do swallow", .unknownMoment(line: 1, "command -1")),
            ("at command 101% do swallow", .unknownMoment(line: 1, "command 101%")),
            ("at command every do swallow", .unknownMoment(line: 1, "command every")),
            ("at -1s do swallow", .unknownMoment(line: 1, "-1s")),
            ("at nans do swallow", .unknownMoment(line: 1, "nans")),
            ("at 1s 2 do swallow", .unknownMoment(line: 1, "1s 2")),
            ("at 0x100 do swallow", .unknownMoment(line: 1, "0x100")),
            ("at command do explode", .unknownAction(line: 1, "explode")),
            (
                "at command do delay soon",
                .invalidValue(
                    line: 1,
                    "soon",
                    of: "delay",
                    expected: "a time such as 300ms or 2s"
                )
            ),
            (
                "at command do swallow it",
                .invalidValue(line: 1, "it", of: "swallow", expected: "nothing more")
            ),
            (
                "at exchange do status 1",
                .invalidValue(
                    line: 1,
                    "1",
                    of: "status",
                    expected: "a byte of two hexadecimal digits"
                )
            ),
            (
                "at 1s do swap 01",
                .invalidValue(
                    line: 1,
                    "01",
                    of: "swap",
                    expected: "the tag to take and the tag to place"
                )
            ),
            (
                "at 1s do replug 2s",
                .invalidValue(
                    line: 1,
                    "2s",
                    of: "replug",
                    expected: "'after TIME' or 'after TIME at PATH'"
                )
            ),
            (
                "at 1s do baud 1200",
                .invalidValue(
                    line: 1,
                    "1200",
                    of: "baud",
                    expected:
                        "one of 9600, 19200, 38400, 57600, 115200, 230400, 460800, 921600, 1288000"
                )
            ),
            (
                "at command 2 do status 13",
                .wrongMoment(
                    line: 1,
                    action: "status 13",
                    expected: "at a time, or at exchange, InDataExchange or InCommunicateThru"
                )
            ),
            (
                "at 1s do spoil",
                .wrongMoment(
                    line: 1,
                    action: "spoil",
                    expected: "at frame-to-chip, frame-to-host or frame-on-air"
                )
            ),
            (
                "at frame-to-host do unplug",
                .wrongMoment(
                    line: 1,
                    action: "unplug",
                    expected: "at a time, or at a command or state"
                )
            ),
        ]
    )
    func mistakes(text: String, error: ScenarioError) {
        #expect(throws: error) { try Scenario(text) }
    }

    @Test func aTagThatIsNotGivenIsNamed() throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let scenario = try Scenario("\nat 1s do place ntag213")
        #expect(throws: ScenarioError.missingTag(line: 2, "ntag213")) {
            try reader.play(scenario)
        }
    }

    @Test func noTextCrashesTheReader() {
        var generator = SeededGenerator(seed: 5)
        let words =
            ["at", "do", "start", "1s", "2", "every", "3+", "5%", "#", "seed", "command", "\n"]
            + ["exchange", "frame-to-host", "place", "swap", "replug", "after", "status", "spoil"]
        for _ in 0..<2_000 {
            let count = Int.random(in: 0..<12, using: &generator)
            let text = (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
                .joined(separator: " ")
            guard let scenario = try? Scenario(text) else { continue }
            #expect(scenario.steps.allSatisfy { $0.line >= 1 })
        }
    }
}
