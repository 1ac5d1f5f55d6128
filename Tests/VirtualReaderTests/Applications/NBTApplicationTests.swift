import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// Selecting, reading, writing and authenticating (facts/nbt.md, 1.2 to 1.9 and 2.1 to 2.4).
@Suite struct NBTApplicationTests {
    static let select = Step("00A40400 07 D2760000850101 00", "9000")
    static let selectConfigurator = Step(
        "00A40400 0D D276000004150200000B000101 00",
        "9000"
    )
    static let deliveryFAP =
        "E10340004000 E10440404040 E1A140404040 E1A240404040 E1A340404040 E1A440404040 E1AF40404040"

    static let selection: [CardCase] = [
        CardCase(
            "a real chip's session (vector 133)",
            [
                select, Step("00A4000C02E1A100", "9000"), Step("00D6000001EE", "9000"),
                Step("00B0000001", "EE9000"),
            ]
        ),
        CardCase(
            "the host's side of a data transfer (vector 137)",
            [
                select, Step("00A4000C02E1A100", "9000"), Step("00B0000001", "009000"),
                Step("00A4000C02E1A200", "9000"), Step("00D600000100", "9000"),
            ]
        ),
        CardCase(
            "SELECT without Le (vector 3)",
            [Step("00A4040007D2760000850101", "9000"), Step("00A4000C02E104", "9000")]
        ),
        CardCase("SELECT of an unknown AID", [Step("00A40400 05 0102030405 00", "6A82")]),
        CardCase(
            "an unknown AID leaves the application",
            [select, Step("00A40400 05 0102030405 00", "6A82"), Step("00A4000C02E104", "9000")]
        ),
        CardCase("SELECT with too long an AID", [Step("00A40400 11 \(zeros(17)) 00", "6700")]),
        CardCase("SELECT without AID", [Step("00A40400", "6700"), Step("00A4040000", "6700")]),
        CardCase("SELECT with Le 1", [Step("00A40400 07 D2760000850101 01", "6700")]),
        CardCase(
            "SELECT of an unknown file (6A82) keeps the old one",
            [
                select, Step("00A4000C02E104", "9000"), Step("00A4000C02E1A5", "6A82"),
                Step("00B0000002", "00009000"),
            ]
        ),
        CardCase(
            "SELECT of an application deselects the file",
            [select, Step("00A4000C02E104", "9000"), select, Step("00B0000002", "6986")]
        ),
        CardCase("SELECT file with one byte", [select, Step("00A4000C01E1", "6700")]),
        CardCase(
            "SELECT file with half a password TLV",
            [select, Step("00A4000C05E10452041100", "6700")]
        ),
        CardCase(
            "SELECT file with an unknown TLV",
            [select, Step("00A4000C08 E104 5304 11223344 00", "6A80")]
        ),
        CardCase(
            "SELECT file with a TLV of wrong length",
            [select, Step("00A4000C08 E104 5203 11223344 00", "6A80")]
        ),
        CardCase(
            "SELECT file with two read passwords",
            [select, Step("00A4000C0E E104 5204 11223344 5204 11223344 00", "6A80")]
        ),
        CardCase(
            "SELECT file with a password but without Le",
            [select, Step("00A4000C08 E104 5204 11223344", "6700")]
        ),
        CardCase(
            "a password where none is needed is ignored",
            [select, Step("00A4000C0E E104 5204 11223344 5404 AABBCCDD 00", "9000")]
        ),
        CardCase("SELECT with other P1-P2", [select, Step("00A4020C02E104", "6A86")]),
        CardCase("a file before an application", [Step("00A4000C02E104", "6A86")]),
    ]

    @Test("SELECT finds applications and files, and refuses the rest", arguments: selection)
    func selects(_ example: CardCase) throws {
        expect(try NBTApplication(), answers: example.steps)
    }

    static let decisionOrder: [CardCase] = [
        CardCase("nothing but SELECT before an application", [Step("00B0000000", "6D00")]),
        CardCase("CLA 20 before an application", [Step("2030000002C020", "6E00")]),
        CardCase("CLA first", [select, Step("38CA0000", "6E00"), Step("80FF000000", "6E00")]),
        CardCase("then INS", [select, Step("00CA000000", "6D00"), Step("00BE007F00", "6D00")]),
        CardCase("then P1-P2", [select, Step("0088000100", "6A86"), Step("003000000100", "6A86")]),
        CardCase("then Lc and Le, before the file", [select, Step("00B00000", "6700")]),
        CardCase(
            "then the file",
            [select, Step("00B0000000", "6986"), Step("00D6000001EE", "6986")]
        ),
        CardCase(
            "then the access condition, before the protected header",
            [select, Step("00A4000C02E103", "9000"), Step("00D6000201EE", "6982")]
        ),
        CardCase("a command shorter than its header", [Step("00A404", "6700"), Step("", "6700")]),
        CardCase(
            "a command whose Lc is wrong (vectors 41 and 42)",
            [select, Step("00D6000003EE", "6700"), Step("00D6000000EE", "6700")]
        ),
    ]

    @Test("commands are refused in the order of facts/nbt.md, 1.9", arguments: decisionOrder)
    func refusesInOrder(_ example: CardCase) throws {
        expect(try NBTApplication(), answers: example.steps)
    }

    static let selectFAP = Step("00A4000C02E1AF00", "9000")
    static let selectCC = Step("00A4000C02E10300", "9000")
    static let selectNDEF = Step("00A4000C02E10400", "9000")
    static let openCC = [selectFAP, Step("00D6000006E10340004040", "9000")]

    static let files: [CardCase] = [
        CardCase(
            "the delivery policy, with Le 2A and with Le 00",
            [
                select, selectFAP, Step("00B000002A", deliveryFAP + "9000"),
                Step("00B0000000", deliveryFAP + "9000"),
            ]
        ),
        CardCase(
            "the policy ignores the offset",
            [select, selectFAP, Step("00B0123406", "E103400040009000")]
        ),
        CardCase(
            "the policy in the data-transfer state (vector 134)",
            [select, selectFAP]
                + [
                    "E10440404000", "E1A140004040", "E1A240404000", "E1A300000000", "E1A400000000",
                ].map { Step("00D6000006" + $0, "9000") }
                + [
                    Step(
                        "00B000002A",
                        "E10340004000 E10440404000 E1A140004040 E1A240404000 E1A300000000 E1A400000000"
                            + "E1AF40404040 9000"
                    )
                ]
        ),
        CardCase(
            "the policy in the pass-through state (vector 135)",
            [select, selectFAP]
                + [
                    "E10440404000", "E1A100000000", "E1A200000000", "E1A300000000", "E1A400000000",
                ].map { Step("00D6000006" + $0, "9000") }
                + [
                    Step(
                        "00B000002A",
                        "E10340004000 E10440404000 E1A100000000 E1A200000000 E1A300000000 E1A400000000"
                            + "E1AF40404040 9000"
                    )
                ]
        ),
        CardCase(
            "the policy's offset is ignored when writing",
            [select, selectFAP, Step("00D6123406E10400004000", "9000")]
        ),
        CardCase(
            "a policy for an unknown file",
            [select, selectFAP, Step("00D6000006E1A540404040", "6A80")]
        ),
        CardCase(
            "a policy that is not one entry",
            [
                select, selectFAP, Step("00D6000005E104404040", "6A80"),
                Step("00D600000CE10440404040E1A140404040", "6A80"),
            ]
        ),
        CardCase(
            "undefined conditions (vector 76)",
            [select, selectFAP]
                + ["80", "C0", "20", "41", "A1", "FF"].map {
                    Step("00D6000006E104404040" + $0, "6A80")
                }
        ),
        CardCase(
            "passwords 1 and 31 as conditions (vectors 74 and 75)",
            [
                select, selectFAP, Step("00D6000006E1044040819F", "9000"),
                Step("00B000000C", "E10340004000 E1044040819F 9000"),
            ]
        ),
        CardCase(
            "the capability container",
            [
                select, selectCC,
                Step(
                    "00B000002F",
                    "002F20010000FF 0406E10410000000 0506E1A104000000 0506E1A204000000"
                        + "0506E1A304000000 0506E1A404000000 9000"
                ),
            ]
        ),
        CardCase(
            "the container's header is protected",
            [select] + openCC + [
                selectCC, Step("00D6000201EE", "6985"), Step("00D6000E01EE", "6985"),
                Step("00D60000030102EE", "6985"), Step("00D6000E02EEEE", "6985"),
                Step("00D6000F08 0506E1A10400FFFF", "9000"),
                Step("00B0000F08", "0506E1A10400FFFF9000"),
                Step("00D6000002002F", "9000"),
            ]
        ),
        CardCase(
            "the container is closed to writers as delivered",
            [select, selectCC, Step("00D6000F01EE", "6982")]
        ),
        CardCase(
            "NEVER closes a file, and the policy can open it again",
            [
                select, selectFAP, Step("00D6000006E10440400000", "9000"), selectNDEF,
                Step("00B0000000", "6982"), Step("00D6000001EE", "6982"), selectFAP,
                Step("00D6000006E10440404040", "9000"), selectNDEF, Step("00B0000002", "00009000"),
            ]
        ),
        CardCase(
            "the I2C conditions do not matter to NFC",
            [
                select, selectFAP, Step("00D6000006E10400004040", "9000"), selectNDEF,
                Step("00B0000002", "00009000"), Step("00D600000111", "9000"),
            ]
        ),
        CardCase(
            "reading to, at and beyond the end of a file of 4096 bytes",
            [
                select, selectNDEF, Step("00B00FFE00", "00009000"), Step("00B00FFF02", "009000"),
                Step("00B0100001", "6700"), Step("00B0100101", "6700"), Step("00B0800001", "6700"),
            ]
        ),
        CardCase(
            "writing to, over and beyond the end of a file of 1024 bytes",
            [
                select, Step("00A4000C02E1A4", "9000"), Step("00D603FF01EE", "9000"),
                Step("00D603FF02EEEE", "6A86"), Step("00D6040001EE", "6A86"),
                Step("00D6FFFF01EE", "6A86"), Step("00B003FF00", "EE9000"),
            ]
        ),
        CardCase(
            "lengths that the chip does not take",
            [
                select, selectNDEF, Step("00B00000", "6700"), Step("00B00000000100", "6700"),
                Step("00B0000001EE00", "6700"), Step("00D60000", "6700"),
                Step("00D6000000", "6700"),
                Step("00D6000001EE00", "6700"), Step("00D60000000001EE", "6700"),
            ]
        ),
    ]

    @Test("files are read and written as their policies and sizes allow", arguments: files)
    func readsAndWrites(_ example: CardCase) throws {
        expect(try NBTApplication(), answers: example.steps)
    }

    @Test("what is written is read back, in pieces of 256 and 255 bytes")
    func keepsContent() throws {
        let tag = try NBTApplication()
        expect(tag, answers: [Self.select, Self.selectNDEF])
        let content = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
        for offset in stride(from: 0, to: 4096, by: 255) {
            let piece = content.dropFirst(offset).prefix(255)
            let command = Data([
                0x00, 0xD6, UInt8(offset >> 8), UInt8(offset & 0xFF), UInt8(piece.count),
            ])
            #expect(tag.respond(to: command + piece) == hex("9000"))
        }
        var read = Data()
        for page in 0..<16 {
            let answer = tag.respond(to: Data([0x00, 0xB0, UInt8(page), 0x00, 0x00]))
            #expect(answer.count == 258)
            read += answer.dropLast(2)
        }
        #expect(read == content)
        #expect(tag.contents(of: .ndef) == content)
    }

    @Test("a field loss forgets the selection and keeps the files")
    func forgetsOnReset() throws {
        let tag = try NBTApplication()
        expect(tag, answers: [Self.select, Self.selectNDEF, Step("00D6000001EE", "9000")])
        tag.reset()
        expect(
            tag,
            answers: [
                Step("00B0000001", "6D00"), Self.select, Step("00B0000001", "6986"),
                Self.selectNDEF,
                Step("00B0000001", "EE9000"),
            ]
        )
    }

    static let getData: [CardCase] = [
        CardCase(
            "version and memory (vectors 61 and 70)",
            [
                select, Step("0030DF3A00", "6F07DF3A0401020003 9000"),
                Step("0030DF3B00", "6F0FDF3B0CC6021000C7020200C8020300 9000"),
            ]
        ),
        CardCase("other P1-P2", [select, Step("0030DF3C00", "6A86"), Step("0030000000", "6A86")]),
        CardCase(
            "Lc present, Le absent or not 00",
            [
                select, Step("0030DF3A0101", "6700"), Step("0030DF3A", "6700"),
                Step("0030DF3A09", "6700"),
            ]
        ),
    ]

    @Test("GET DATA tells version and memory", arguments: getData)
    func getsData(_ example: CardCase) throws {
        expect(try NBTApplication(), answers: example.steps)
    }

    static let refusedAuthentication: [CardCase] = [
        CardCase("no key", [select, Step("00880000080102030405060708 00", "6985")]),
        CardCase(
            "an empty challenge",
            [select, Step("0088000000", "6700"), Step("00880000", "6700")]
        ),
        CardCase("Le absent", [select, Step("00880000080102030405060708", "6700")]),
        CardCase(
            "an extended Lc",
            [select, Step("00880000 000008 0102030405060708 0000", "6700")]
        ),
        CardCase(
            "P1-P2 not zero",
            [
                select, Step("00880100080102030405060708 00", "6A86"),
                Step("00880001080102030405060708 00", "6A86"),
            ]
        ),
    ]

    @Test("AUTHENTICATE TAG is refused", arguments: refusedAuthentication)
    func refusesAuthentication(_ example: CardCase) throws {
        expect(try NBTApplication(), answers: example.steps)
    }

    @Test("the settings change the answers to open questions")
    func followsSettings() throws {
        var settings = NBTApplication.Settings()
        settings.ndefFileSize = 512
        settings.maximumResponseData = 250
        settings.readAtEnd = .empty
        settings.failedSelectKeepsFile = false
        let tag = try NBTApplication(settings: settings)
        expect(
            tag,
            answers: [
                Self.select, Self.selectCC,
                Step("00B000000F", "002F2000FA00FF0406E10402000000 9000"),
                Self.selectNDEF, Step("00B0000000", zeros(250) + "9000"),
                Step("00B0020000", "9000"), Step("00B0020100", "6700"),
                Step("00A4000C02E105", "6A82"), Step("00B0000000", "6986"),
            ]
        )
    }

    @Test("an NBT1000 has no key even if one is given")
    func nbt1000HasNoKey() throws {
        var settings = NBTApplication.Settings()
        settings.variant = .nbt1000
        let tag = try NBTApplication(key: SigningKey(), settings: settings)
        expect(
            tag,
            answers: [
                Self.select, Step("0088000001AA00", "6985"),
                Step("00E20000 23 A002 20 \(String(repeating: "01", count: 32))", "6985"),
            ]
        )
    }

    @Test("AUTHENTICATE TAG takes 100 ms, the rest a few")
    func takesItsTime() throws {
        let tag = try NBTApplication()
        #expect(tag.workingTime(of: hex("0088000001AA00")) == .milliseconds(100))
        #expect(tag.workingTime(of: hex("00B0000000")) < .milliseconds(10))
        #expect(tag.workingTime(of: Data()) < .milliseconds(10))
    }

    @Test("arguments that cannot be are refused")
    func refusesArguments() throws {
        #expect(throws: CardError.doesNotFit(bytes: 4097, limit: 4096)) {
            try NBTApplication(ndefFile: Data(count: 4097))
        }
        #expect(throws: CardError.self) { try NBTApplication(uid: hex("01020304")) }
        let tag = try NBTApplication()
        #expect(throws: CardError.doesNotFit(bytes: 1025, limit: 1024)) {
            try tag.overwrite(.proprietary1, with: hex("AABB"), at: 1023)
        }
    }

    @Test("random bytes are answered by a status word", arguments: 1...20)
    func survivesRandomBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let tag = try NBTApplication()
        for _ in 0..<500 {
            let instructions: [UInt8] = [
                0xA4, 0xB0, 0xD6, 0x88, 0xE1, 0xE4, 0x24, 0x30, 0xE2, 0x20,
            ]
            var command = Data(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            )
            if command.count > 1, Bool.random(using: &random) {
                command[0] = Bool.random(using: &random) ? 0x00 : 0x20
                command[1] = instructions.randomElement(using: &random) ?? 0
            }
            #expect(tag.respond(to: command).count >= 2)
        }
    }
}

/// `count` zero bytes in hex.
func zeros(_ count: Int) -> String { String(repeating: "00", count: count) }
