import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// What host and chip say to each other, by the bytes of facts/pn532.md, 1 and 2.
@Suite struct DialogueTests {
    /// libnfc's open, initialisation and close as seen on the wire (2.1): what it sends and what the chip answers.
    static let libnfcSession: [(command: String, answer: String)] = [
        ("00 00 ff 03 fd d4 14 01 17 00", "0000ff02fed5151600"),
        (
            "00 00 ff 09 f7 d4 00 00 6c 69 62 6e 66 63 be 00",
            "0000ff09f7d501006c69626e6663bc00"
        ),
        ("00 00 ff 02 fe d4 02 2a 00", "0000ff06fad50332010607e800"),
        ("00 00 ff 03 fd d4 12 14 06 00", "0000ff02fed5131800"),
        (
            "00 00 ff 0c f4 d4 06 63 02 63 03 63 0d 63 38 63 3d b0 00",
            "0000ff07f9d50700000000002400"
        ),
        ("00 00 ff 08 f8 d4 08 63 02 80 63 03 80 59 00", "0000ff02fed5092200"),
        ("00 00 ff 04 fc d4 32 01 00 f9 00", "0000ff02fed533f800"),
        ("00 00 ff 04 fc d4 32 01 01 f8 00", "0000ff02fed533f800"),
        ("00 00 ff 06 fa d4 32 05 ff ff ff f8 00", "0000ff02fed533f800"),
        (
            "00 00 ff 0e f2 d4 06 63 02 63 03 63 05 63 38 63 3c 63 3d 19 00",
            "0000ff08f8d5078080000000002400"
        ),
        ("00 00 ff 08 f8 d4 08 63 05 40 63 3c 10 cd 00", "0000ff02fed5092200"),
        ("00 00 ff 03 fd d4 52 00 da 00", "0000ff03fdd55300d800"),
        ("00 00 ff 04 fc d4 32 01 00 f9 00", "0000ff02fed533f800"),
        ("00 00 ff 03 fd d4 16 f0 26 00", "0000ff03fdd517001400"),
    ]

    @Test func libnfcsOwnSessionIsAnsweredByteForByte() {
        let bench = Bench(isReady: false)
        #expect(bench.exchange("55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00") == "")
        for (command, answer) in Self.libnfcSession {
            #expect(bench.exchange(command) == Bench.acknowledge + answer, "\(command)")
        }
    }

    @Test func nfcpysFirstFramesAreAnswered() {
        let bench = Bench(isReady: false)
        let preamble = String(repeating: "00 ", count: 10)
        #expect(
            bench.exchange(preamble + "00 00 ff 02 fe d4 02 2a 00")
                == Bench.acknowledge + "0000ff06fad50332010607e800")
        #expect(
            bench.exchange(preamble + "00 00 ff 05 fb d4 14 01 00 00 17 00")
                == Bench.acknowledge + "0000ff02fed5151600")
        #expect(
            bench.exchange(preamble + "00 00 ff 03 fd d4 10 07 15 00")
                == Bench.acknowledge + "0000ff02fed5111a00")
        #expect(bench.exchange(Bench.acknowledge) == "")
        let data = (0..<262).map { UInt8(truncatingIfNeeded: $0) }
        let answer = bench.exchange(HostFrame.command([0x00, 0x00] + Data(data)).encoded.hex)
        #expect(
            answer == Bench.acknowledge
                + HostFrame.answer([0x01, 0x00] + Data(data)).encoded.hex)
    }

    // MARK: - Wake-up

    @Test func aSleepingChipMissesAFrameWithoutPreamble() {
        let bench = Bench(isReady: false)
        #expect(bench.exchange("00 00 ff 02 fe d4 02 2a 00") == "")
        // Those bytes had rising edges enough: the next frame is heard.
        #expect(bench.command("02") == "0332010607")
    }

    @Test(arguments: ["55", "00 00 00 00 00", "ff ff ff ff ff", "55 55 00 00 00"])
    func fiveRisingEdgesWakeTheChip(preamble: String) {
        let bench = Bench(isReady: false)
        #expect(bench.exchange(preamble) == "")
        #expect(bench.command("02") == "0332010607")
    }

    @Test func powerDownPutsTheChipToSleepAndTheFieldOff() {
        let bench = Bench()
        _ = bench.command("32 01 01")
        #expect(bench.link.isFieldOn)
        #expect(bench.command("16 f0") == "1700")
        #expect(!bench.link.isFieldOn)
        #expect(bench.exchange("00 00 00") == "")
        #expect(bench.exchange("00 00 ff 02 fe d4 02 2a 00") == "")
        #expect(bench.command("02") == "0332010607")
    }

    @Test func theWakeUpPreambleIsJunkToAChipThatIsAwake() {
        let bench = Bench()
        #expect(
            bench.exchange(
                "55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 ff 02 fe d4 02 2a 00")
                == Bench.acknowledge + "0000ff06fad50332010607e800")
    }

    @Test func radioCommandsGetNoAnswerBeforeSAMConfiguration() throws {
        let bench = Bench(try Type2Tag(), isReady: false)
        _ = bench.exchange("55 55 00 00 00")
        #expect(bench.command("4a 01 00") == nil)
        #expect(bench.command("14 01") == "15")
        #expect(bench.command("4a 01 00") == "4b010100440007" + "04a1b2c3d4e580")
    }

    // MARK: - Dialogue rules

    @Test(arguments: [
        "ff",  // no such command
        "02 00",  // GetFirmwareVersion has no parameter
        "06 63",  // half an address
        "06", "08 63 02",  // nothing, or no value
        "12", "14", "14 05", "16", "32 05 ff", "32 01", "32 0a 00", "10 09",
        "4a 01", "4a 03 00", "4a 00 00", "4a 01 05", "4a 01 00 01 02 03", "4a 01 01 00 ff",
        "4a 02 04", "60 01 01", "60 00 01 00", "60 01 10 00", "60 01 01 30", "44", "40", "00 08",
    ])
    func wrongCommandsGetTheErrorFrame(body: String) {
        #expect(Bench().command(body) == Bench.errorFrame)
    }

    @Test func aFrameWithAWrongChecksumGetsNothing() {
        #expect(Bench().exchange("00 00 ff 02 fe d4 02 2b 00") == "")
    }

    @Test func nackRepeatsTheLastAnswer() {
        let bench = Bench()
        _ = bench.command("02")
        #expect(bench.exchange("00 00 ff ff 00 00") == "0000ff06fad50332010607e800")
    }

    @Test func ackAbortsARunningSearchInSilence() throws {
        let bench = Bench()
        #expect(bench.command("4a 01 00") == nil)
        #expect(bench.exchange(Bench.acknowledge) == "")
        bench.tray.place(try Type2Tag())
        #expect(bench.output() == "")
    }

    @Test func aNewCommandDropsTheRunningOne() throws {
        let bench = Bench()
        #expect(bench.command("4a 01 00") == nil)
        #expect(bench.command("02") == "0332010607")
        bench.tray.place(try Type2Tag())
        #expect(bench.output() == "")
    }

    @Test func anEndlessSearchAnswersWhenATagArrives() throws {
        let bench = Bench()
        #expect(bench.command("4a 01 00") == nil)
        #expect(bench.output() == "")
        bench.tray.place(try Type2Tag())
        #expect(bench.answer(in: bench.output()) == "4b010100440007" + "04a1b2c3d4e580")
    }

    @Test func preambleAndPostambleCanBeSwitchedOff() {
        let bench = Bench()
        _ = bench.command("12 54")
        #expect(
            bench.exchange("00 00 ff 02 fe d4 02 2a 00")
                == Bench.acknowledge + "00ff06fad50332010607e8")
    }

    // MARK: - Commands about the chip

    @Test(arguments: [
        ("04", "0500000080"), ("00 01", "0100"), ("00 02", "0100"), ("00 07", "0100"),
        ("00 04", "0180"), ("00 06", "0127"), ("0c", "0d3f0002"), ("44 00", "4500"),
        ("44 01", "4527"), ("52 00", "5300"), ("54 01", "5527"), ("4e 01 01 01", "4f27"),
        ("50 01 00", "5127"), ("56 00 00 00", "5701"), ("56 01 00 00", "570a"),
        ("46 00 00 00", "4701"), ("40 01 30 00", "4127"), ("86", "8727"), ("8a", "8b0000"),
        ("32 0a 59 f4 3f 11 4d 85 61 6f 26 62 87", "33"), ("32 04 00", "33"),
        ("32 02 00 0b 0a", "33"),
    ])
    func statesAndTestsAreAnswered(body: String, answer: String) {
        #expect(Bench().command(body) == answer)
    }

    @Test(arguments: ["00 05", "58 00", "8c 00" + String(repeating: " 00", count: 36)])
    func someCommandsNeverAnswer(body: String) {
        #expect(Bench().command(body) == nil)
    }

    @Test func portsKeepWhatIsWrittenWithBit7() {
        let bench = Bench()
        #expect(bench.command("0e 81 00") == "0f")
        #expect(bench.command("0c") == "0d010002")
    }

    @Test func txControlShowsTheField() {
        let bench = Bench()
        #expect(bench.command("06 63 04") == "0780")
        _ = bench.command("32 01 01")
        #expect(bench.command("06 63 04") == "0783")
    }

    /// One MIFARE at 106 (facts/pn532.md, 3).
    @Test func generalStatusListsTheTarget() throws {
        let bench = Bench(try MifareClassicTag())
        _ = bench.command("4a 01 00")
        #expect(bench.command("04") == "050000010100000080")
    }
}
