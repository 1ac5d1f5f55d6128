import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// InDataExchange and InCommunicateThru by bytes (facts/pn532.md, 3.4).
@Suite struct ExchangeTests {
    private func bench(_ tag: any VirtualTag) throws -> Bench {
        let bench = Bench(tag)
        bench.makeFinite()
        #expect(try #require(bench.command("4a 01 00")).hasPrefix("4b0101"))
        return bench
    }

    // MARK: - ISO-DEP

    @Test func apdusGoThroughTheBlockProtocol() throws {
        let application = EchoApplication()
        let bench = try bench(ISODEPTag(application: application))
        #expect(bench.command("40 01 00 a4 04 00") == "4100" + "00a404009000")
        #expect(bench.command("40 01 00 b0 00 00 02") == "4100" + "00b00000029000")
        #expect(application.commands == [hex("00 a4 04 00"), hex("00 b0 00 00 02")])
    }

    /// FSC 16, 32, 64 and 256: the chip chains to the card, the card to the chip's FSD of 64.
    @Test(arguments: [0, 2, 5, 8])
    func longAPDUsAreChainedBothWays(fsci: Int) throws {
        let application = EchoApplication { Data($0.reversed()) + hex("90 00") }
        let ats = Data([0x05, 0x70 | UInt8(fsci), 0x80, 0x80, 0x02])
        let bench = try bench(ISODEPTag(ats: ats, application: application))
        let command = Data((0..<258).map { UInt8(truncatingIfNeeded: $0) })
        let expected = Data(command.reversed()) + hex("90 00")
        #expect(bench.command("40 01 " + command.hex) == "4100" + expected.hex)
        #expect(application.commands == [command])
    }

    /// MI towards the card: the parts but the last are answered `41 00` without data.
    @Test func commandsOfSeveralPartsReachTheCardWhole() throws {
        let application = EchoApplication { Data([UInt8($0.count >> 8), UInt8($0.count & 0xFF)]) }
        let bench = try bench(ISODEPTag(application: application))
        let part = Data(repeating: 0xAB, count: 200)
        #expect(bench.command("40 41 " + part.hex) == "4100")
        #expect(bench.command("40 41 " + part.hex) == "4100")
        #expect(bench.command("40 01 " + part.hex) == "4100" + "0258")
        #expect(application.commands == [part + part + part])
    }

    /// MI towards the host: 262 bytes an answer, status 40 until the last.
    @Test func longResponsesComeInParts() throws {
        let response = Data((0..<600).map { UInt8(truncatingIfNeeded: $0) })
        let bench = try bench(ISODEPTag(application: EchoApplication { _ in response }))
        #expect(bench.command("40 01 00 b0") == "4140" + response.prefix(262).hex)
        #expect(bench.command("40 01") == "4140" + response[262..<524].hex)
        #expect(bench.command("40 01") == "4100" + response[524...].hex)
    }

    @Test func aSlowCardAsksForMoreTimeAndGetsIt() throws {
        // FWI 8 allows 77 ms.
        let application = EchoApplication(workingTime: .milliseconds(500))
        let bench = try bench(ISODEPTag(application: application))
        #expect(bench.command("40 01 00 88") == "4100" + "00889000")
        #expect(application.commands.count == 1)
    }

    @Test func presenceIsSeenByRawNAKWithoutDisturbingTheProtocol() throws {
        let tag = try ISODEPTag(application: EchoApplication())
        let bench = try bench(tag)
        #expect(bench.command("42 b2") == "4300a3")
        #expect(bench.command("40 01 00 01") == "410000019000")
        // The card's last block had number 0: it is repeated.
        #expect(bench.command("42 b2") == "4300" + "0200019000")
        #expect(bench.command("40 01 00 02") == "410000029000")
        #expect(bench.command("42 b2") == "4300a3")
        #expect(bench.command("00 06") == "0100")
        bench.tray.remove(tag)
        #expect(bench.command("42 b2") == "4301")
        #expect(bench.command("40 01 00 03") == "4101")
        #expect(bench.command("00 06") == "0101")
    }

    @Test func ppsIsSentForOtherBitRates() throws {
        let bench = try bench(ISODEPTag(application: EchoApplication()))
        #expect(bench.command("4e 01 01 01") == "4f00")
        #expect(bench.command("04") == "050000" + "01" + "01010100" + "80")
        #expect(bench.command("40 01 00 01") == "410000019000")
    }

    @Test func deselectedCardsAreWokenByTheNextExchange() throws {
        let application = EchoApplication()
        let bench = try bench(ISODEPTag(application: application))
        _ = bench.command("40 01 00 01")
        #expect(bench.command("44 01") == "4500")
        #expect(bench.command("40 01 00 02") == "410000029000")
        #expect(bench.command("52 01") == "5300")
        #expect(bench.command("40 01 00 03") == "4127")
    }

    @Test func aReplacedCardDoesNotAnswerForTheOldOne() throws {
        let (old, new) = (
            try ISODEPTag(application: EchoApplication()),
            try ISODEPTag(uid: .fixed(hex("01020304")), application: EchoApplication())
        )
        let bench = try bench(old)
        bench.tray.swap(old, for: new)
        #expect(bench.command("40 01 00 01") == "4101")
    }

    @Test func withTheFieldOffNothingAnswers() throws {
        let bench = try bench(ISODEPTag(application: EchoApplication()))
        _ = bench.command("32 01 00")
        #expect(bench.command("40 01 00 01") == "4101")
        #expect(bench.command("42 b2") == "4301")
    }

    // MARK: - MIFARE commands

    @Test func unknownMifareCommandsGetTheErrorFrame() throws {
        let bench = try bench(Type2Tag())
        // `AF 00` as seen on a real chip (libnfc issue 516), an APDU, GET_VERSION, and wrong lengths.
        for data in ["af 00", "00 a4 04 00", "60", "30", "a2 04 00", "60 00 ff ff"] {
            #expect(bench.command("40 01 " + data) == Bench.errorFrame, "\(data)")
        }
        #expect(bench.command("40 01 30 03") == "4100" + "e1101200" + String(repeating: "00", count: 12))
    }

    @Test func aNAKIsStatus13AndLeavesTheTagIdle() throws {
        let bench = try bench(Type2Tag())
        #expect(bench.command("40 01 30 2d") == "4113")
        #expect(bench.command("40 01 30 00") == "4101")
        #expect(try #require(bench.command("4a 01 00")).hasPrefix("4b0101"))
        #expect(try #require(bench.command("40 01 30 00")).hasPrefix("4100"))
    }

    // MARK: - Raw

    @Test func rawCommandsCarryTheChipsCRC() throws {
        let bench = try bench(Type2Tag())
        #expect(bench.command("42 60") == "4300" + "0004040201000f03")
        #expect(bench.command("42 3a 00 01") == "4300" + "04a1b29f" + "c3d4e580")
        // Length and page do not fit: silence would be as good, NAK it is; with the chip's CRC check that is 02.
        #expect(bench.command("42 60 00") == "4302")
        #expect(bench.command("42 60") == "4301")
    }

    /// CRC_A of `60` is F8 32 (facts/pn532.md, 2.1); the answer carries its own.
    @Test func hostAndTagDoTheCRCWhenTheChipDoesNot() throws {
        let bench = try bench(Type2Tag())
        #expect(bench.command("08 63 02 00 63 03 00") == "09")
        let version = hex("00 04 04 02 01 00 0f 03")
        #expect(bench.command("42 60 f8 32") == "4300" + (version + CRC.typeA(version)).hex)
        #expect(bench.command("42 60 f8 33") == "4301", "a wrong CRC is not answered")
        // NAK: four bits.
        #expect(bench.command("42 3a 02 01" + CRC.typeA(hex("3a 02 01")).hex) == "430000")
        #expect(bench.command("06 63 3c") == "0714")
    }

    @Test func anticollisionCanBeDoneByHand() throws {
        let bench = Bench(try MifareClassicTag())
        _ = bench.command("32 01 01")
        #expect(bench.command("08 63 02 00 63 03 00 63 3d 07") == "09")
        #expect(bench.command("42 26") == "4300" + "0400")
        #expect(bench.command("08 63 3d 00") == "09")
        // UID and its exclusive or; SELECT with CRC; SAK with CRC.
        #expect(bench.command("42 93 20") == "4300" + "deadbeef22")
        let select = hex("93 70 de ad be ef 22")
        #expect(
            bench.command("42 " + (select + CRC.typeA(select)).hex)
                == "4300" + (hex("08") + CRC.typeA(hex("08"))).hex)
        // HLTA 50 00 with its CRC 57 CD; WUPA finds the tag, REQA does not.
        #expect(bench.command("42 50 00 57 cd") == "4301")
        _ = bench.command("08 63 3d 07")
        #expect(bench.command("42 26") == "4301")
        #expect(bench.command("42 52") == "4300" + "0400")
    }

    @Test func twoTagsCollideInRawMode() throws {
        let bench = Bench(try MifareClassicTag(), try Type2Tag())
        _ = bench.command("32 01 01")
        _ = bench.command("08 63 02 00 63 03 00 63 3d 07")
        #expect(bench.command("42 26") == "4306")
    }

    @Test func typeAFramesAreNotHeardInOtherFramings() throws {
        let bench = try bench(Type2Tag())
        _ = bench.command("08 63 02 83 63 03 83")
        #expect(bench.command("42 30 00") == "4301")
        _ = bench.command("08 63 02 80 63 03 80")
        #expect(try #require(bench.command("42 30 00")).hasPrefix("430004a1b29f"))
        #expect(bench.command("42") == "4301", "an empty frame is none")
    }
}

/// The checks of ISO 14443-3 annex B and JIS X 6319-4, by the standards' examples.
@Suite struct CRCTests {
    @Test func typeA() {
        // ISO 14443-3, annex B.1.
        #expect(CRC.typeA(hex("00 00")) == hex("a0 1e"))
        #expect(CRC.typeA(hex("12 34")) == hex("26 cf"))
    }

    @Test func typeB() {
        // ISO 14443-3, annex B.2.
        #expect(CRC.typeB(hex("00 00 00")) == hex("cc c6"))
        #expect(CRC.typeB(hex("0f aa ff")) == hex("fc d1"))
        #expect(CRC.typeB(hex("0a 12 34 56")) == hex("2c f6"))
    }

    @Test func feliCa() {
        // The common polling command for all systems, `06 00 FF FF 00 00`, has CRC 09 21.
        #expect(CRC.feliCa(hex("06 00 ff ff 00 00")) == hex("09 21"))
    }
}
