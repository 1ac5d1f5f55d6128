import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// Passwords and what they protect (facts/nbt.md, 2.2 and 2.5).
@Suite struct NBTApplicationPasswordTests {
    private static let select = Step("00A4040007D276000085010100", "9000")
    private static let selectFAP = Step("00A4000C02E1AF00", "9000")
    /// Password 1 = 11223344, response 9001, three tries.
    private static let createMaster = Step("00E1000009 01 11223344 9001 0003", "9000")
    private static let protectFAP = [selectFAP, Step("00D6000006E1AF40404081", "9000")]
    /// Password 2 = AABBCCDD, response 9002, two tries; needed to read the NDEF file.
    private static let protectNDEF = [
        Step("00E1000009 02 AABBCCDD 9002 0002", "9000"), selectFAP,
        Step("00D6000006E10440408240", "9000"),
    ]

    static let cases: [CardCase] = [
        CardCase(
            "the worked example of the sheet",
            [select, createMaster] + protectFAP + [
                selectFAP, Step("00D6000006E10440404040", "6982"),
                Step("00A4000C08E1AF54041122334400", "9001 9000"),
                Step("00D6000006E10440404040", "9000"),
                Step("00E100000D 11223344 02 AABBCCDD 9002 FFFF", "9000"),
                Step("00E1000009 02 AABBCCDD 9002 FFFF", "6982"),
                Step("00A4000C08E1AF54041122334400", "9001 9000"),
                Step("00D6000006E10440408240", "9000"),
                Step("00A4000C08E1045204AABBCCDD00", "9002 9000"),
                Step("00B0000002", "00009000"),
            ]
        ),
        CardCase(
            "a wrong password answers 0000 and the file stays closed",
            [select] + protectNDEF + [
                Step("00A4000C08E10452040000000000", "0000 9000"), Step("00B0000002", "6982"),
            ]
        ),
        CardCase(
            "a password is blocked after its tries, and unblocked",
            [select] + protectNDEF + [
                Step("00A4000C08E10452040000000000", "0000 9000"),
                Step("00A4000C08E10452040000000000", "0000 9000"),
                Step("00A4000C08E1045204AABBCCDD00", "FFFF 9000"), Step("00B0000002", "6982"),
                Step("0024004204 11111111", "6985"), Step("00240002", "9000"),
                Step("00A4000C08E1045204AABBCCDD00", "9002 9000"), Step("00B0000002", "00009000"),
            ]
        ),
        CardCase(
            "the right password clears the count",
            [select] + protectNDEF + [
                Step("00A4000C08E10452040000000000", "0000 9000"),
                Step("00A4000C08E1045204AABBCCDD00", "9002 9000"),
                Step("00A4000C08E10452040000000000", "0000 9000"),
                Step("00A4000C08E1045204AABBCCDD00", "9002 9000"),
            ]
        ),
        CardCase(
            "the next SELECT forgets the password",
            [select] + protectNDEF + [
                Step("00A4000C08E1045204AABBCCDD00", "9002 9000"),
                Step("00A4000C02E104", "9000"), Step("00B0000002", "6982"),
            ]
        ),
        CardCase(
            "a read password does not open for writing, and a condition without password ignores it",
            [
                select, createMaster, Step("00E1000009 02 AABBCCDD 9002 0002", "9000"), selectFAP,
                Step("00D6000006E10440408281", "9000"),
                Step("00A4000C08E1045204AABBCCDD00", "9002 9000"), Step("00B0000002", "00009000"),
                Step("00D6000001EE", "6982"),
                Step("00A4000C0E E104 5204AABBCCDD 540411223344 00", "9002 9001 9000"),
                Step("00B0000002", "00009000"), Step("00D6000001EE", "9000"),
                Step("00A4000C0E E104 540411223344 5204AABBCCDD 00", "9001 9002 9000"),
                Step("00A4000C0E E104 5204AABBCCDD 540400000000 00", "9002 0000 9000"),
                Step("00B0000001", "EE9000"), Step("00D6000001EE", "6982"),
            ]
        ),
        CardCase(
            "a condition that names an unknown password stays closed",
            [
                select, selectFAP, Step("00D6000006E10440409F40", "9000"),
                Step("00A4000C08E1045204AABBCCDD00", "FFFF 9000"), Step("00B0000002", "6982"),
            ]
        ),
        CardCase(
            "CREATE refuses lengths and P1-P2",
            [
                select, Step("00E1000008 01 AABBCCDD 0102 00", "6700"),
                Step("00E100000A 01 AABBCCDD 0102 0003 00", "6700"), Step("00E10000", "6700"),
                Step("00E1000009 01 AABBCCDD 0102 0003 00", "6700"),
                Step("00E1000109 01 AABBCCDD 0102 0003", "6A86"),
                Step("00E1010009 01 AABBCCDD 0102 0003", "6A86"),
            ]
        ),
        CardCase(
            "CREATE refuses values",
            [
                select, Step("00E1000009 00 AABBCCDD 0102 0003", "6A80"),
                Step("00E1000009 20 AABBCCDD 0102 0003", "6A80"),
                Step("00E1000009 01 AABBCCDD 0000 0003", "6A80"),
                Step("00E1000009 01 AABBCCDD FFFF 0003", "6A80"),
                Step("00E1000009 01 AABBCCDD 0102 0000", "6A80"),
                Step("00E1000009 01 AABBCCDD 0102 0080", "6A80"),
                Step("00E1000009 01 AABBCCDD 0102 FFFE", "6A80"),
                Step("00E1000009 01 AABBCCDD 0102 0001", "9000"),
                Step("00E1000009 1F AABBCCDD 0102 007F", "9000"),
            ]
        ),
        CardCase(
            "CREATE refuses an identifier that exists",
            [select, createMaster, Step("00E1000009 01 AABBCCDD 0102 0003", "6985")]
        ),
        CardCase(
            "CREATE refuses the 29th password",
            [select]
                + (1...28).map { Step("00E1000009 \(UInt8($0).hex) AABBCCDD 0102 0003", "9000") }
                + [Step("00E1000009 1D AABBCCDD 0102 0003", "6985")]
        ),
        CardCase(
            "CREATE and DELETE with a wrong or blocked master",
            [select, createMaster] + protectFAP + [
                Step("00E100000D 00000000 02 AABBCCDD 9002 FFFF", "6982"),
                Step("00E4000104 00000000", "6982"), Step("00E40001", "6982"),
                Step("00E4000104 00000000", "6982"),
                // Three wrong tries: now the right one does not help.
                Step("00E4000104 11223344", "6982"),
                Step("00E100000D 11223344 02 AABBCCDD 9002 FFFF", "6982"),
            ]
        ),
        CardCase(
            "DELETE removes a password",
            [
                select, createMaster, Step("00E40001", "9000"), Step("00E40001", "6A88"),
                createMaster,
            ]
        ),
        CardCase(
            "DELETE refuses what it does not know",
            [
                select, Step("00E4001F", "6A88"), Step("00E400FF", "6A88"),
                Step("00E4010104 11223344", "6A86"), Step("00E4000103 112233", "6700"),
            ]
        ),
        CardCase(
            "DELETE with the master password",
            [select, createMaster] + protectFAP + [
                Step("00E100000D 11223344 1F AABBCCDD 9001 FFFF", "9000"),
                Step("00E4001F04 11223344", "9000"), Step("00E4001F04 11223344", "6A88"),
            ]
        ),
        CardCase(
            "CHANGE sets another value",
            [select] + protectNDEF + [
                Step("0024004204 01020304", "9000"),
                Step("00A4000C08E1045204AABBCCDD00", "0000 9000"),
                Step("00A4000C08E10452040102030400", "9002 9000"),
            ]
        ),
        CardCase(
            "CHANGE and UNBLOCK with the master password",
            [select, createMaster] + protectFAP + [
                Step("00E100000D 11223344 1F AABBCCDD 9003 FFFF", "9000"),
                Step("0024005F08 11223344 01020304", "9000"),
                Step("0024001F04 11223344", "9000"), Step("0024001F", "6985"),
                Step("0024005F04 01020304", "6985"), Step("0024001F04 00000000", "6982"),
                Step("0024005F08 00000000 01020304", "6982"),
                Step("0024001F04 00000000", "6982"), Step("0024001F04 11223344", "6985"),
                Step("0024005F08 11223344 01020304", "6985"),
            ]
        ),
        CardCase(
            "CHANGE and UNBLOCK refuse lengths, P1, P2 and identifiers",
            [
                select, createMaster, Step("0024004103 010203", "6700"),
                Step("0024004105 0102030405", "6700"), Step("00240041", "6700"),
                Step("0024000101 01", "6700"), Step("0024014104 01020304", "6A86"),
                Step("0024008104 01020304", "6A86"), Step("002400C104 01020304", "6A86"),
                Step("0024004204 01020304", "6A88"), Step("00240002", "6A88"),
                Step("0024004004 01020304", "6A88"), Step("0024006104 01020304", "6A88"),
            ]
        ),
        CardCase(
            "without a password condition the master is not asked for",
            [
                select, createMaster, Step("00E100000D 00000000 02 AABBCCDD 9002 FFFF", "9000"),
                Step("0024004104 01020304", "9000"), Step("00E40002", "9000"),
            ]
        ),
    ]

    @Test("passwords protect files and themselves", arguments: cases)
    func protects(_ example: CardCase) throws {
        expect(try NBTApplication(), answers: example.steps)
    }

    @Test("an unlimited password is never blocked")
    func neverBlocks() throws {
        let tag = try NBTApplication()
        expect(
            tag,
            answers: [
                Self.select, Step("00E1000009 02 AABBCCDD 9002 FFFF", "9000"), Self.selectFAP,
                Step("00D6000006E10440408240", "9000"),
            ]
        )
        let wrong = Array(repeating: Step("00A4000C08E10452040000000000", "0000 9000"), count: 200)
        expect(tag, answers: wrong + [Step("00A4000C08E1045204AABBCCDD00", "9002 9000")])
        #expect(tag.triesLeft(ofPassword: 2) == nil)
    }

    @Test("tries are counted without power")
    func countsAcrossReset() throws {
        let tag = try NBTApplication()
        expect(tag, answers: [Self.select] + Self.protectNDEF)
        #expect(tag.triesLeft(ofPassword: 2) == 2)
        #expect(tag.passwordIdentifiers == [2])
        let wrong = Step("00A4000C08E10452040000000000", "0000 9000")
        expect(tag, answers: [wrong])
        tag.reset()
        expect(tag, answers: [Self.select, wrong])
        #expect(tag.triesLeft(ofPassword: 2) == 0)
        tag.reset()
        expect(tag, answers: [Self.select, Step("00A4000C08E1045204AABBCCDD00", "FFFF 9000")])
    }

    @Test("the strict setting answers 6982 to a wrong password, and other settings hold")
    func strictSettings() throws {
        var settings = NBTApplication.Settings()
        settings.wrongPassword = .securityStatus
        settings.successClearsTries = false
        settings.wrongMasterStatus = 0x6A80
        let tag = try NBTApplication(settings: settings)
        expect(
            tag,
            answers: [Self.select] + Self.protectNDEF + [
                Step("00A4000C08E10452040000000000", "6982"),
                Step("00A4000C08E1045204AABBCCDD00", "9002 9000"),
                Step("00A4000C08E10452040000000000", "6982"),
                // The success in between has not cleared the first wrong try.
                Step("00A4000C08E1045204AABBCCDD00", "6982"),
                Self.createMaster,
            ] + Self.protectFAP + [Step("0024001F04 00000000", "6A80")]
        )
    }
}
