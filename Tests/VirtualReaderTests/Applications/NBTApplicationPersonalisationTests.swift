import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// PERSONALIZE DATA, the configurator and the one-time token (facts/nbt.md, 2.6, 2.7 and 4.5).
@Suite struct NBTApplicationPersonalisationTests {
    private static let select = Step("00A4040007D276000085010100", "9000")
    private static let selectConfigurator = Step("00A404000DD276000004150200000B00010100", "9000")

    static let personalisation: [CardCase] = [
        CardCase(
            "password (vector 27)",
            [
                select, Step("00E200000CA0030901AABBCCDD01020003", "9000"),
                Step("00E200000CA0030901AABBCCDD01020003", "6985"),
                Step("00E200000CA0030902AABBCCDD00000003", "6A80"),
                Step("00E200000CA0030902AABBCCDDFFFF0003", "6A80"),
                Step("00E200000BA0030802AABBCCDD010200", "6A80"),
            ]
        ),
        CardCase(
            "the 29th password",
            [select]
                + (1...28).map { Step("00E200000CA00309\(UInt8($0).hex)AABBCCDD01020003", "9000") }
                + [Step("00E200000CA003091DAABBCCDD01020003", "6985")]
        ),
        CardCase(
            "AES key (vector 26) of right and wrong length",
            [
                select, Step("00E2000013A00110000102030405060708090A0B0C0D0E0F", "9000"),
                Step("00E2000012A0010F000102030405060708090A0B0C0D0E", "6A80"),
            ]
        ),
        CardCase(
            "ECC key of wrong length or value",
            [
                select, Step("00E2000022A0021F" + String(repeating: "11", count: 31), "6A80"),
                Step("00E2000023A00220" + zeros(32), "6A80"),
                Step("0088000001AA00", "6985"),
            ]
        ),
        CardCase(
            "file content",
            [
                select, Step("00E2000008E10405 0000 0001D0", "9000"),
                Step("00E2000006E1A103 03FFEE", "9000"), Step("00E2000007E1A104 03FFEEEE", "6A80"),
                Step("00E2000006E1A103 0400EE", "6A80"), Step("00E2000003E10400", "6A80"),
                Step("00E2000004E1040100", "6A80"), Step("00A4000C02E104", "9000"),
                Step("00B0000003", "0001D09000"), Step("00A4000C02E1A1", "9000"),
                Step("00B003FF00", "EE9000"),
            ]
        ),
        CardCase(
            "the whole access policy",
            [
                select,
                Step(
                    "00E200002DE1AF2A E10340004000 E10440404000 E1A140004040 E1A240404000"
                        + "E1A300000000 E1A400000000 E1AF40404040",
                    "9000"
                ),
                Step("00A4000C02E1AF00", "9000"),
                Step(
                    "00B0000000",
                    "E10340004000 E10440404000 E1A140004040 E1A240404000"
                        + "E1A300000000 E1A400000000 E1AF40404040 9000"
                ),
            ]
        ),
        CardCase(
            "an access policy of wrong length, with an undefined condition, or with a file twice",
            [
                select, Step("00E2000009E1AF06 E10340004000", "6A80"),
                Step(
                    "00E200002CE1AF29 E10340004000 E10440404000 E1A140004040 E1A240404000"
                        + "E1A300000000 E1A400000000 E1AF404040",
                    "6A80"
                ),
                Step(
                    "00E200002DE1AF2A E10340004000 E10440404000 E1A140004040 E1A240404000"
                        + "E1A300000000 E1A400000000 E1AF40404041",
                    "6A80"
                ),
                Step(
                    "00E200002DE1AF2A E10340004000 E10440404000 E1A140004040 E1A240404000"
                        + "E1A300000000 E1A300000000 E1AF40404040",
                    "6A80"
                ),
            ]
        ),
        CardCase(
            "unknown items",
            [
                select, Step("00E2000003A00400", "6A88"), Step("00E2000003E10300", "6A88"),
                Step("00E2000003E1A500", "6A88"),
            ]
        ),
        CardCase(
            "malformed items",
            [
                select, Step("00E2000001A0", "6A80"), Step("00E2000002A001", "6A80"),
                Step("00E2000003A00110", "6A80"), Step("00E2000004BF630000", "6A80"),
                Step("00E2000004BF6301AA", "6A80"), Step("00E2000003BF630000", "6A80"),
            ]
        ),
        CardCase(
            "wrong P1-P2 and no data",
            [
                select, Step("00E2010003BF6300", "6A86"), Step("00E2000103BF6300", "6A86"),
                Step("00E20000", "6700"), Step("00E2000000", "6700"),
            ]
        ),
        CardCase(
            "a length of three bytes",
            [select, Step("00E2000008E104FF0003 0000EE", "9000")]
        ),
    ]

    @Test("PERSONALIZE DATA takes each item by its rules", arguments: personalisation)
    func personalises(_ example: CardCase) throws {
        expect(try NBTApplication(), answers: example.steps)
    }

    @Test("finalising ends personalisation for good (vector 30)")
    func finalises() throws {
        let tag = try NBTApplication()
        expect(tag, answers: [Self.select, Step("00E2000003BF6300", "9000")])
        #expect(tag.isFinalised)
        tag.reset()
        expect(
            tag,
            answers: [
                Self.select, Step("00E2000003BF6300", "6985"),
                Step("00E2000006E1A1030000EE", "6985"),
                // The other commands go on.
                Step("00A4000C02E1A1", "9000"), Step("00D6000001EE", "9000"),
            ]
        )
    }

    @Test(
        "the personalised sample scalar signs for the sample certificate",
        .enabled(
            if: SampleFiles.arePresent && OpenSSLTool.isInstalled,
            "needs ../shared and openssl"
        )
    )
    func personalisedKeySigns() throws {
        let identity = try DeviceIdentity(
            certificateFile: SampleFiles.certificate,
            keyFile: SampleFiles.key
        )
        let tag = try NBTApplication()
        expect(
            tag,
            answers: [
                Self.select,
                Step(
                    "00E2000023A00220"
                        + "3A31AEE70E5EB5FDDE06B3BC83733E32DAAE7F1DA39731E5C14440F3C43E92B5",
                    "9000"
                ),
            ]
        )
        let answer = tag.respond(to: hex("0088000008010203040506070800"))
        #expect(
            try OpenSSLTool.verifies(
                Data(answer.dropLast(2)),
                over: hex("0102030405060708"),
                with: identity.certificate
            )
        )
    }

    static let configuration: [CardCase] = [
        CardCase(
            "the logs of real chips (vector 136)",
            [
                selectConfigurator, Step("2020000004C0600111", "9000"),
                Step("2020000004C0300101", "9000"), Step("2030000002C030", "C03001019000"),
                Step("2020000004C0300104", "9000"), Step("2030000002C030", "C03001049000"),
            ]
        ),
        CardCase(
            "unset values are zero bytes of the right length",
            [
                selectConfigurator, Step("2030000002C020", "C02010\(zeros(16))9000"),
                Step("2030000002C022", "C02208\(zeros(8))9000"),
                Step("2030000002C040", "C04004\(zeros(4))9000"),
                Step("2030000002C050", "C0500E\(zeros(14))9000"),
                Step("2030000002C05000", "C0500E\(zeros(14))9000"),
            ]
        ),
        CardCase(
            "312 bytes go through extended APDUs only",
            [
                selectConfigurator, Step("2030000002C052", "6700"),
                Step("2030000002C05200", "6700"),
                Step("20200000 00013D C052 FF0138 " + String(repeating: "AB", count: 312), "9000"),
                Step(
                    "20300000 000002 C052 0000",
                    "C052 FF0138 " + String(repeating: "AB", count: 312) + "9000"
                ),
            ]
        ),
        CardCase(
            "a long time-out (vector 23)",
            [
                selectConfigurator, Step("2020000007C0400400000064", "9000"),
                Step("2030000002C040", "C04004000000649000"),
            ]
        ),
        CardCase(
            "wrong values",
            [
                selectConfigurator, Step("2020000004C0300105", "6A80"),
                Step("2020000004C0300100", "6A80"), Step("2020000005C030020102", "6A80"),
                Step("2020000004C0530102", "6A80"), Step("2020000004C0600100", "6A80"),
                Step("2020000005C021021234", "6A80"), Step("2020000005C02F020000", "6A80"),
            ]
        ),
        CardCase(
            "wrong tags and lengths",
            [
                selectConfigurator, Step("2020000004C0990101", "6A80"),
                Step("2030000002C099", "6A80"), Step("2020000004C0300201", "6A80"),
                Step("2020000003C03001", "6A80"), Step("2020000005C030010104", "6A80"),
                Step("20200000", "6700"), Step("2020000004C030010400", "6700"),
                Step("2030000001C0", "6700"), Step("2030000003C03000", "6700"),
                Step("20300000", "6700"),
            ]
        ),
        CardCase(
            "read-only values",
            [
                selectConfigurator, Step("2020000013C02010" + zeros(16), "6985"),
                Step("202000000BC02208" + zeros(8), "6985"),
            ]
        ),
        CardCase(
            "the operational life cycle locks the configuration (vector 22)",
            [
                selectConfigurator, Step("2030000002C021", "C021025AA59000"),
                Step("2020000005C02102C33C", "9000"), Step("2020000004C0300101", "6985"),
                Step("2020000005C021025AA5", "6985"), Step("2030000002C021", "C02102C33C9000"),
            ]
        ),
        CardCase(
            "P1-P2, INS and CLA",
            [
                selectConfigurator, Step("2020000104C0300101", "6A86"),
                Step("2030010002C030", "6A86"), Step("20A4000002C030", "6D00"),
                Step("20FF0000", "6D00"), Step("0030DF3A00", "6D00"),
                Step("0088000001AA00", "6D00"),
                Step("8030000002C030", "6E00"), Step("00A4000C02E104", "6A86"),
            ]
        ),
        CardCase(
            "an AID that the configurator does not know",
            [
                selectConfigurator, Step("00A404000DD276000004150200000B00010200", "6A80"),
                Step("00A4040005010203040500", "6700"), Step("2030000002C030", "C03001009000"),
            ]
        ),
        CardCase(
            "the way back to the operational application",
            [
                select, Step("2030000002C030", "6E00"), selectConfigurator,
                Step("00B0000000", "6D00"), select, Step("00A4000C02E104", "9000"),
            ]
        ),
    ]

    @Test("the configurator keeps values by their rules", arguments: configuration)
    func configures(_ example: CardCase) throws {
        expect(try NBTApplication(), answers: example.steps)
    }

    @Test("configuration survives a field loss and can be looked at")
    func keepsConfiguration() throws {
        let tag = try NBTApplication()
        #expect(tag.configuration(0xC053) == nil)
        expect(tag, answers: [Self.selectConfigurator, Step("2020000004C0530101", "9000")])
        tag.reset()
        #expect(tag.configuration(0xC053) == hex("01"))
        #expect(tag.configuration(0x1234) == nil)
    }

    /// Reads the 44 characters after `cott=` of a tag with the sheet's link key (4.5).
    private func readToken(_ tag: NBTApplication) throws -> String {
        expect(tag, answers: [Self.select, Step("00A4000C02E104", "9000")])
        // NLEN, header, type length, payload length, "U", code and 42 characters come before.
        let answer = tag.respond(to: hex("00B000312C"))
        #expect(answer.suffix(2) == hex("9000"))
        return String(decoding: answer.dropLast(2), as: UTF8.self)
    }

    @Test(
        "the one-time token replaces the placeholder and is fresh in each session",
        .enabled(if: OpenSSLTool.isInstalled, "needs openssl")
    )
    func oneTimeToken() throws {
        let identity = DeviceIdentity(certificate: hex("3000"), key: try SigningKey())
        let tag = try NBTApplication.brandProtection(identity, uid: hex("02030405060708"))
        #expect(try readToken(tag) == String(repeating: "PLACEHOLDER", count: 4))
        expect(
            tag,
            answers: [
                Self.select, Step("00E2000013A00110000102030405060708090A0B0C0D0E0F", "9000"),
            ]
        )
        let token = try readToken(tag)
        let again = try readToken(tag)
        #expect(token != again)
        #expect(token.count == 44)
        // Standard Base64 of header, UID, random number and MAC.
        let base64 = token.replacingOccurrences(of: "-", with: "+")
            .replacingOccurrences(of: "_", with: "/")
        let bytes = try #require(Data(base64Encoded: base64))
        #expect(bytes.count == 33)
        #expect(bytes.prefix(9) == hex("0001 02030405060708"))
        let mac = try OpenSSLTool.withFiles(["message": Data(bytes.prefix(17))]) { tool in
            try tool.run(
                "mac",
                "-cipher",
                "AES-128-CBC",
                "-macopt",
                "hexkey:000102030405060708090A0B0C0D0E0F",
                "-in",
                "message",
                "CMAC"
            ).output
        }
        #expect(
            Data(bytes.suffix(16)).hex
                == mac.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
        )
        // What is stored has not changed.
        #expect(
            tag.contents(of: .ndef).dropFirst(0x31).prefix(44)
                == Data(String(repeating: "PLACEHOLDER", count: 4).utf8)
        )
    }

    @Test("the token can be switched off")
    func tokenOff() throws {
        var settings = NBTApplication.Settings()
        settings.replacesToken = false
        let identity = DeviceIdentity(certificate: hex("3000"), key: try SigningKey())
        let tag = try NBTApplication.brandProtection(identity, settings: settings)
        expect(
            tag,
            answers: [
                Self.select, Step("00E2000013A00110000102030405060708090A0B0C0D0E0F", "9000"),
            ]
        )
        #expect(try readToken(tag) == String(repeating: "PLACEHOLDER", count: 4))
    }
}
