import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// The plain Type 4 Tag.
@Suite struct Type4ApplicationTests {
    private static let select = Step("00A4040007D276000085010100", "9000")
    private static let selectCC = Step("00A4000C02E103", "9000")
    private static let selectNDEF = Step("00A4000C02E104", "9000")
    /// http://www.infineon.com (facts/nbt.md, vector 96).
    private static let message = "D1010D5501696E66696E656F6E2E636F6D"

    static let cases: [CardCase] = [
        CardCase(
            "reading container and message",
            [
                select, selectCC, Step("00B000000F", "000F2000FF00FF0406E104080000009000"),
                selectNDEF, Step("00B0000002", "00119000"), Step("00B0000211", message + "9000"),
            ]
        ),
        CardCase(
            "SELECT by name",
            [
                Step("00A4040007D2760000850101", "9000"),
                Step("00A4040C07D276000085010100", "9000"),
                Step("00A4040007D276000085010000", "6A82"), Step("00A4040000", "6700"),
                Step("00A4040111 \(zeros(17))", "6A86"),
                Step("00A4040011 \(zeros(17))", "6700"),
            ]
        ),
        CardCase(
            "SELECT by identifier",
            [
                Step("00A4000C02E104", "6A82"), select, selectNDEF, Step("00A4000C02E105", "6A82"),
                Step("00A4000C02E10400", "9000"), Step("00A4000C01E1", "6700"),
                Step("00A4000002E104", "6A86"), Step("00A4020C02E104", "6A86"),
            ]
        ),
        CardCase(
            "no file",
            [
                Step("00B0000001", "6986"), select, Step("00B0000001", "6986"),
                Step("00D6000001EE", "6986"), selectNDEF, select, Step("00B0000001", "6986"),
            ]
        ),
        CardCase(
            "writing and reading to the end of 2048 bytes",
            [
                select, selectNDEF, Step("00D607FE02AABB", "9000"), Step("00B007FE05", "AABB9000"),
                Step("00D607FF02AABB", "6A84"), Step("00D6080001AA", "6B00"),
                Step("00B0080001", "6B00"), Step("00B0800001", "6A86"),
                Step("00D6800001AA", "6A86"),
            ]
        ),
        CardCase(
            "lengths beyond MLe and without Lc or Le",
            [
                select, selectNDEF, Step("00B0000000", "6700"), Step("00B00000", "6700"),
                Step("00B00000FF", "0011\(message)\(zeros(236))9000"), Step("00D60000", "6700"),
                Step("00D6000001AA00", "6700"), Step("00B0000001AA01", "6700"),
            ]
        ),
        CardCase("the container is not written", [select, selectCC, Step("00D6000001AA", "6982")]),
        CardCase(
            "unknown INS and CLA",
            [select, Step("00880000", "6D00"), Step("80B0000001", "6E00"), Step("00A4", "6700")]
        ),
    ]

    @Test("a Type 4 Tag answers", arguments: cases)
    func answers(_ example: CardCase) throws {
        expect(try Type4Application(ndefMessage: hex(Self.message)), answers: example.steps)
    }

    @Test("a read-only tag says so and keeps its message")
    func readOnly() throws {
        let tag = try Type4Application(ndefMessage: hex(Self.message), isReadOnly: true)
        expect(
            tag,
            answers: [
                Self.select, Self.selectCC, Step("00B0000E01", "FF9000"), Self.selectNDEF,
                Step("00D6000001EE", "6982"), Step("00B0000002", "00119000"),
            ]
        )
    }

    @Test("sizes are those of the container")
    func sizes() throws {
        let tag = try Type4Application(
            ndefMessage: Data(count: 998),
            ndefFileSize: 1000,
            maximumResponseData: 0x3B,
            maximumCommandData: 0x34
        )
        expect(
            tag,
            answers: [
                Self.select, Self.selectCC,
                Step("00B000000F", "000F20003B00340406E10403E800009000"),
                Self.selectNDEF, Step("00B000003B", "03E6\(zeros(57))9000"),
                Step("00B000003C", "6700"), Step("00D6000034\(zeros(52))", "9000"),
                Step("00D6000035\(zeros(53))", "6700"),
            ]
        )
    }

    @Test("a tag with more than 256 bytes of MLe takes extended lengths")
    func extendedLengths() throws {
        let tag = try Type4Application(
            ndefMessage: Data(count: 500),
            maximumResponseData: 0x0200,
            maximumCommandData: 0x0200
        )
        expect(
            tag,
            answers: [
                Self.select, Self.selectNDEF, Step("00B00000000200", "01F4\(zeros(510))9000"),
                Step("00B00000000201", "6700"), Step("00D60000 00012C \(zeros(300))", "9000"),
            ]
        )
        #expect(tag.ndefFile.prefix(2) == hex("0000"))
    }

    @Test("a message fills the file but for NLEN")
    func refusesArguments() throws {
        _ = try Type4Application(ndefMessage: Data(count: 98), ndefFileSize: 100)
        #expect(throws: CardError.doesNotFit(bytes: 99, limit: 98)) {
            try Type4Application(ndefMessage: Data(count: 99), ndefFileSize: 100)
        }
        #expect(throws: CardError.self) { try Type4Application(ndefFileSize: 4) }
        #expect(throws: CardError.self) { try Type4Application(ndefFileSize: 0xFFFF) }
        #expect(throws: CardError.self) { try Type4Application(maximumResponseData: 14) }
        let tag = try Type4Application(ndefFileSize: 100)
        try tag.overwriteNDEFFile(with: hex("FFFF"))
        #expect(tag.ndefFile == hex("FFFF") + Data(count: 98))
        #expect(throws: CardError.self) { try tag.overwriteNDEFFile(with: Data(count: 101)) }
    }

    @Test("a field loss forgets the selection")
    func forgets() throws {
        let tag = try Type4Application()
        expect(tag, answers: [Self.select, Self.selectNDEF])
        tag.reset()
        expect(tag, answers: [Step("00B0000001", "6986"), Step("00A4000C02E104", "6A82")])
    }
}
