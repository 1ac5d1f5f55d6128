import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// The employee card: SELECT, VERIFY, READ BINARY.
@Suite struct EmployeeCardApplicationTests {
    /// "NFC-SESSION" between F0 and 00000001.
    private static let select = Step("00A4040010 F0 4E46432D53455353494F4E 00000001 00", "9000")
    private static let verify = Step("00200081 04 31323334", "9000")
    private static let content = "454D504C4F594545203030303132333435204E46432053455353494F4E"

    static let cases: [CardCase] = [
        CardCase(
            "VERIFY, and READ BINARY by short identifier",
            [select, verify, Step("00B0810000", content + "9000")]
        ),
        CardCase(
            "VERIFY, SELECT and READ BINARY in pieces",
            [
                select, verify, Step("00A4020C020001", "9000"),
                Step("00B0000008", "454D504C4F5945459000"),
                Step("00B0001900", "53494F4E9000"), Step("00B0001D01", "6B00"),
                Step("00B0811D01", "6B00"),
            ]
        ),
        CardCase(
            "reading before the PIN",
            [
                select, Step("00B0810000", "6982"), Step("00A4000C020001", "9000"),
                Step("00B0000000", "6982"), verify, Step("00B0000001", "459000"),
            ]
        ),
        CardCase(
            "wrong PINs up to the block",
            [
                select, Step("0020008104 30303030", "63C2"), Step("0020008104 30303030", "63C1"),
                Step("0020008104 30303030", "63C0"), Step("0020008104 31323334", "6983"),
                Step("00200081", "6983"), Step("00B0810000", "6982"),
            ]
        ),
        CardCase(
            "the right PIN brings the tries back",
            [
                select, Step("0020008104 30303030", "63C2"), verify,
                Step("0020008104 30303030", "63C2"), Step("00B0810000", "6982"),
            ]
        ),
        CardCase(
            "a PIN of another length is a wrong PIN",
            [select, Step("0020008105 3132333435", "63C2"), Step("0020008103 313233", "63C1")]
        ),
        CardCase(
            "VERIFY without data asks",
            [select, Step("00200081", "63C3"), verify, Step("00200081", "9000")]
        ),
        CardCase(
            "VERIFY refuses P1, P2, lengths and a missing SELECT",
            [
                Step("0020008104 31323334", "6985"), select, Step("0020018104 31323334", "6A86"),
                Step("0020008204 31323334", "6A88"), Step("0020000104 31323334", "6A88"),
                Step("0020008111 \(zeros(17))", "6700"), Step("0020008104 31323334 00", "6700"),
            ]
        ),
        CardCase(
            "SELECT refuses",
            [
                Step("00A4040007D276000085010100", "6A82"), Step("00A4040000", "6700"),
                Step("00A4020C020001", "6A82"), select, Step("00A4020C020002", "6A82"),
                Step("00A4020C0100", "6700"), Step("00A4030C020001", "6A86"),
                Step("00A4020402 0001", "6A86"),
            ]
        ),
        CardCase(
            "READ BINARY refuses",
            [
                Step("00B0810000", "6A82"), Step("00B0000000", "6986"), select, verify,
                Step("00B0000000", "6986"), Step("00B0820000", "6A82"), Step("00B0E10000", "6A86"),
                Step("00B08100", "6700"), Step("00B0810001AA00", "6700"),
            ]
        ),
        CardCase(
            "another SELECT takes the verification back",
            [select, verify, select, Step("00B0810000", "6982")]
        ),
        CardCase(
            "unknown INS and CLA",
            [select, Step("00D6000001AA", "6D00"), Step("80B0810000", "6E00"), Step("", "6700")]
        ),
    ]

    @Test("an employee card answers", arguments: cases)
    func answers(_ example: CardCase) throws {
        expect(try EmployeeCardApplication(), answers: example.steps)
    }

    @Test("AID, PIN, its reference, tries and content can be chosen")
    func chosen() throws {
        let card = try EmployeeCardApplication(
            aid: hex("A0000000010203"),
            pin: hex("0102030405060708"),
            pinReference: 0x8F,
            tries: 15,
            content: hex("CAFE")
        )
        expect(
            card,
            answers: [
                Step("00A4040C07A0000000010203", "9000"), Step("0020008F", "63CF"),
                Step("0020008F01FF", "63CE"), Step("0020008F08 0102030405060708", "9000"),
                Step("00B0810000", "CAFE9000"),
            ]
        )
        #expect(card.triesLeft == 15)
    }

    @Test("a field loss closes the file, and the tries stay used")
    func reset() throws {
        let card = try EmployeeCardApplication()
        expect(card, answers: [Self.select, Self.verify, Step("0020008104 30303030", "63C2")])
        card.reset()
        #expect(card.triesLeft == 2)
        expect(card, answers: [Self.select, Step("00B0810000", "6982"), Step("00200081", "63C2")])
    }

    @Test("arguments outside the limits are refused")
    func refusesArguments() {
        #expect(throws: CardError.self) { try EmployeeCardApplication(aid: hex("01020304")) }
        #expect(throws: CardError.self) { try EmployeeCardApplication(pin: Data()) }
        #expect(throws: CardError.self) { try EmployeeCardApplication(pinReference: 0x01) }
        #expect(throws: CardError.self) { try EmployeeCardApplication(tries: 16) }
        #expect(throws: CardError.self) { try EmployeeCardApplication(content: Data()) }
    }
}
