import Foundation
import TestSupport
import Testing
import VirtualReader

/// InListPassiveTarget and InAutoPoll by bytes (facts/pn532.md, 3.1 to 3.3 and 7.1).
@Suite struct ListingTests {
    /// What the chip reported of real tags, without `4b 01 01` in front.
    @Test func recordsLookLikeThoseOfRealTags() throws {
        let application = EchoApplication()
        let cases: [(any VirtualTag, String)] = [
            (try MifareClassicTag(), "00040804deadbeef"),
            (
                try ISODEPTag(
                    uid: .fixed(hex("04 1e 20 61 80 1d 80")), atqa: 0x0344,
                    ats: hex("06 75 77 81 02 80"), application: application),
                "0344200704" + "1e2061801d80" + "067577810280"
            ),
            (
                try ISODEPTag(
                    uid: .fixed(hex("04 13 14 21 8b 20 80")), atqa: 0x0048,
                    ats: hex("0d 78 77 b1 02 4a 43 4f 50 76 32 34 31"), application: application),
                "0048200704" + "1314218b2080" + "0d7877b1024a434f5076323431"
            ),
            (try Type2Tag(), "0044000704a1b2c3d4e580"),
            (try MifareClassicTag(kind: .classic4K), "00021804deadbeef"),
            (
                try MifareClassicTag(kind: .mini, uid: .fixed(hex("04112233445566"))),
                "0044090704112233445566"
            ),
        ]
        for (tag, record) in cases {
            #expect(Bench(tag).command("4a 01 00") == "4b0101" + record, "\(tag.name)")
        }
    }

    @Test func withoutAutomaticRATSThereIsNoATS() throws {
        let bench = Bench(try ISODEPTag(application: EchoApplication()))
        _ = bench.command("12 04")
        #expect(bench.command("4a 01 00") == "4b0101" + "00442007" + "04a1b2c3d4e5f6")
    }

    @Test func anEmptyFieldIsReportedAfterTheRetries() {
        let bench = Bench()
        bench.makeFinite()
        for kind in ["00", "01 00 ff ff 01 00", "02 00 ff ff 01 00", "03 00", "04"] {
            #expect(bench.command("4a 01 " + kind) == "4b00")
        }
        // nfcpy reads the unanswered REQA back (2.2).
        _ = bench.command("4a 01 00")
        #expect(bench.command("06 63 39") == "0726")
    }

    @Test(arguments: [
        ("deadbeef", "de ad be ef"), ("04112233445566", "88 04 11 22 33 44 55 66"),
        ("04112233445566778899", "88 04 11 22 88 33 44 55 66 77 88 99"),
    ])
    func onlyTheTagWithTheGivenUIDIsSelected(uid: String, onWire: String) throws {
        let bench = Bench(
            try Type2Tag(), try ISODEPTag(uid: .fixed(hex(uid)), application: EchoApplication()))
        bench.makeFinite()
        let answer = try #require(bench.command("4a 01 00 " + onWire))
        #expect(answer.contains(uid))
        bench.cycleField()
        #expect(bench.command("4a 01 00 01 02 03 04") == "4b00")
    }

    // MARK: - States

    /// REQA throws an active tag back to idle, so one try sees it only every second time (3.1).
    @Test func withOneTryAnActiveTagIsSeenEverySecondTime() throws {
        let bench = Bench(try Type2Tag())
        _ = bench.command("32 05 00 01 00")
        let found = try (0..<4).map { _ in try #require(bench.command("4a 01 00")) != "4b00" }
        #expect(found == [true, false, true, false])
    }

    @Test func withThreeTriesAnActiveTagIsAlwaysSeen() throws {
        let bench = Bench(try Type2Tag())
        bench.makeFinite()
        for _ in 0..<4 { #expect(bench.command("4a 01 00") != "4b00") }
    }

    @Test func anISODEPTagStaysUnseenUntilTheFieldGoesOff() throws {
        let bench = Bench(try ISODEPTag(application: EchoApplication()))
        bench.makeFinite()
        #expect(bench.command("4a 01 00") != "4b00")
        #expect(bench.command("4a 01 00") == "4b00")
        bench.cycleField()
        #expect(bench.command("4a 01 00") != "4b00")
        // InDeselect leaves it in HALT, which REQA does not find.
        #expect(bench.command("44 00") == "4500")
        #expect(bench.command("4a 01 00") == "4b00")
        bench.cycleField()
        #expect(bench.command("4a 01 00") != "4b00")
    }

    @Test func theChipCanBeOneThatDeselectsBeforeListing() throws {
        let tag = try ISODEPTag(application: EchoApplication())
        let bench = Bench(tag, deselectsBeforeListing: true)
        bench.makeFinite()
        #expect(bench.command("4a 01 00") != "4b00")
        // Deselected means halted: the field must be cycled all the same, but the card is not stuck in ISO-DEP.
        #expect(bench.command("4a 01 00") == "4b00")
        #expect(bench.command("4a 01 00 88 04 a1 b2 c3 d4 e5 f6") == "4b00")
    }

    @Test func deselectedTagsAreHaltedUntilTheFieldGoesOff() throws {
        let bench = Bench(try MifareClassicTag(), try Type2Tag())
        bench.makeFinite()
        // Deselecting one shows the other, and then nothing (3.2).
        let first = try #require(bench.command("4a 01 00"))
        _ = bench.command("44 00")
        let second = try #require(bench.command("4a 01 00"))
        _ = bench.command("44 00")
        // REQA is answered by both, so the first answer has the ATQA bits of both.
        #expect(first == "4b0101" + "00440804deadbeef")
        #expect(second == "4b0101" + "00440007" + "04a1b2c3d4e580")
        #expect(bench.command("4a 01 00") == "4b00")
        bench.cycleField()
        #expect(bench.command("4a 01 00") == first, "the winner is always the same")
    }

    @Test func aRemovedTagIsGoneAtOnceAndItsSuccessorThere() throws {
        let (old, new) = (try MifareClassicTag(), try Type2Tag())
        let bench = Bench(old)
        bench.makeFinite()
        #expect(bench.command("4a 01 00") == "4b010100040804deadbeef")
        bench.tray.swap(old, for: new)
        #expect(bench.command("4a 01 00") == "4b0101004400" + "0704a1b2c3d4e580")
        bench.tray.remove(new)
        #expect(bench.command("4a 01 00") == "4b00")
    }

    @Test func aRandomUIDChangesOnlyWithTheField() throws {
        let bench = Bench(try ISODEPTag(uid: .random, application: EchoApplication()))
        bench.makeFinite()
        let first = try #require(bench.command("4a 01 00"))
        #expect(first.hasPrefix("4b0101" + "000420" + "0408"))
        bench.cycleField()
        #expect(try #require(bench.command("4a 01 00")) != first)
    }

    // MARK: - Two targets

    @Test func twoTypeATagsAreListedAndSpokenToInTurn() throws {
        let application = EchoApplication()
        let ntag = try Type2Tag()
        let card = try ISODEPTag(uid: .fixed(hex("01020304")), application: application)
        let bench = Bench(ntag, card)
        bench.makeFinite()
        let answer = try #require(bench.command("4a 02 00"))
        let ntagRecord = "00440007" + "04a1b2c3d4e580"
        // Both answered REQA at once for the first record: its ATQA has the bits of both.
        let cardRecord = "00442004" + "01020304" + "067880800280"
        #expect(answer == "4b02" + "01" + cardRecord + "02" + ntagRecord)
        let (cardNumber, ntagNumber) = ("01", "02")
        for _ in 0..<2 {
            #expect(bench.command("40 \(ntagNumber) 30 03") == "4100" + "e1101200" + String(repeating: "00", count: 12))
            #expect(bench.command("40 \(cardNumber) 00 a4") == "4100" + "00a49000")
        }
        #expect(bench.command("04") == "050000" + "02" + "01000000" + "02000000" + "80")
        #expect(bench.command("52 01") == "5300")
        #expect(bench.command("40 01 30 00") == "4127")
        #expect(bench.command("54 02") == "5500")
    }

    @Test func twoISODEPCardsHaveTheirOwnNumbers() throws {
        let (first, second) = (EchoApplication(), EchoApplication())
        let bench = Bench(
            try ISODEPTag(uid: .fixed(hex("01020304")), application: first),
            try ISODEPTag(uid: .fixed(hex("05060708")), application: second))
        bench.makeFinite()
        let answer = try #require(bench.command("4a 02 00"))
        #expect(answer.hasPrefix("4b02"))
        #expect(bench.command("40 01 00 01") == "410000019000")
        #expect(bench.command("40 02 00 02") == "410000029000")
        #expect(bench.command("40 01 00 03") == "410000039000")
        #expect(Set([first.commands.count, second.commands.count]) == [1, 2])
    }

    @Test func oneTagIsFoundWhenTwoAreAskedFor() throws {
        let bench = Bench(try ISODEPTag(application: EchoApplication()))
        bench.makeFinite()
        #expect(try #require(bench.command("4a 02 00")).hasPrefix("4b0101"))
        #expect(bench.command("42 b2") == "4300a3", "and it is still active")
    }

    // MARK: - Type B and FeliCa

    @Test func typeBIsActivatedWithCID1() throws {
        let bench = Bench(try TypeBTag(application: EchoApplication()))
        bench.makeFinite()
        #expect(bench.command("4a 01 03 00") == "4b0101" + "50b0b1b2b300000000008181" + "0101")
        #expect(bench.command("06 63 02 63 03") == "078383")
        // libnfc's and nfcpy's presence checks and DESELECT carry the CID (2.1, 2.2).
        #expect(bench.command("42 ba 01") == "4300" + "ab01")
        #expect(bench.command("40 01 00 84") == "410000849000")
        #expect(bench.command("42 ba 01") == "4300" + "0a01" + "00849000", "the last block again")
        #expect(bench.command("42 ca 01") == "4300" + "ca01")
        // In HALT: WUPB finds it, REQB does not.
        #expect(bench.command("4a 01 03 00") == "4b00")
        #expect(bench.command("42 05 00 00") == "4301")
        #expect(bench.command("42 05 00 08") == "4300" + "50b0b1b2b300000000008181")
    }

    @Test func typeBAnswersOnlyItsApplicationFamily() throws {
        for (family, isFound) in [("00", true), ("30", true), ("31", true), ("32", false), ("40", false)] {
            let bench = Bench(
                try TypeBTag(
                    applicationData: hex("31 00 00 00"), application: EchoApplication()))
            bench.makeFinite()
            #expect((bench.command("4a 01 03 " + family) != "4b00") == isFound, "AFI \(family)")
        }
    }

    @Test func aRandomPUPIChangesWithTheField() throws {
        let bench = Bench(try TypeBTag(pupi: nil, application: EchoApplication()))
        bench.makeFinite()
        let first = try #require(bench.command("4a 01 03 00"))
        bench.cycleField()
        #expect(try #require(bench.command("4a 01 03 00")) != first)
    }

    @Test func feliCaReportsItsSystemCodeWhenAsked() throws {
        let bench = Bench(try FeliCaTag(systemCodes: [0x8008, 0x12FC]))
        bench.makeFinite()
        let body = "01012e3d4c5b6a798803014b024f4993ff"
        #expect(bench.command("4a 01 01 00 ff ff 01 00") == "4b0101" + "14" + body + "8008")
        #expect(bench.command("4a 01 02 00 ff ff 00 00") == "4b0101" + "12" + body)
        #expect(bench.command("4a 01 01 00 12 fc 01 00") == "4b0101" + "14" + body + "12fc")
        #expect(bench.command("4a 01 01 00 00 03 01 00") == "4b00")
        _ = bench.command("4a 01 01 00 ff ff 01 00")
        // Request Response: mode 0.
        #expect(
            bench.command("40 01 0a 04 01 2e 3d 4c 5b 6a 79 88")
                == "4100" + "0b05012e3d4c5b6a798800")
    }

    @Test func twoFeliCaCardsNeedTimeSlots() throws {
        let other = hex("01 00 00 00 00 00 00 01")
        let bench = Bench(try FeliCaTag(), try FeliCaTag(idm: other))
        bench.makeFinite()
        #expect(bench.command("4a 02 01 00 ff ff 00 00") == "4b00")
        #expect(try #require(bench.command("4a 02 01 00 ff ff 00 03")).hasPrefix("4b02"))
    }

    // MARK: - InAutoPoll

    @Test func autoPollTellsISODEPCardsFromOthers() throws {
        func card() throws -> ISODEPTag {
            try ISODEPTag(uid: .fixed(hex("01020304")), application: EchoApplication())
        }
        for types in ["20 10", "10 20", "03 11 20 10"] {
            #expect(
                Bench(try MifareClassicTag()).command("60 14 02 " + types)
                    == "6101" + "1009" + "0100040804deadbeef", "\(types)")
            #expect(
                Bench(try card()).command("60 14 02 " + types)
                    == "6101" + "200f" + "010004200401020304" + "067880800280", "\(types)")
        }
        #expect(Bench(try card()).command("60 01 01 10") == "6100")
        #expect(
            Bench(try card()).command("60 01 01 00")
                == "6101" + "000f" + "010004200401020304" + "067880800280")
    }

    @Test func autoPollFindsTypeBAndFeliCa() throws {
        #expect(
            Bench(try TypeBTag(application: EchoApplication())).command("60 01 01 20 10 03 11 12")
                == "6101" + "030f" + "01" + "50b0b1b2b300000000008181" + "0101")
        #expect(
            try #require(Bench(try FeliCaTag()).command("60 01 01 20 10 03 11 12"))
                .hasPrefix("6101" + "1115" + "0114"))
    }

    @Test func autoPollReportsTwoTags() throws {
        let bench = Bench(try MifareClassicTag(), try Type2Tag())
        let answer = try #require(bench.command("60 01 01 20 10"))
        #expect(answer.hasPrefix("6102"))
        #expect(answer.contains("0804deadbeef") && answer.contains("0704a1b2c3d4e580"))
    }

    @Test func endlessAutoPollWaitsForATag() throws {
        let bench = Bench()
        #expect(bench.command("60 ff 01 20 10") == nil)
        bench.tray.place(try MifareClassicTag())
        #expect(bench.answer(in: bench.output()) == "6101" + "1009" + "0100040804deadbeef")
    }
}
