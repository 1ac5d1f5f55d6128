import APDU
import Bytes
import Foundation
import NBT
import TestSupport
import Testing
import VirtualReader

/// Every command with every status word of facts/nbt.md, 2: the virtual tag answers it under the
/// sheet's condition, and the error names the command and says what it means there.
///
/// The commands are sent as bytes, because many of them the library refuses to build.
@Suite struct StatusWordMatrixTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let command: NbtCommand
        let status: UInt16
        let condition: String
        /// Commands that bring the tag into the condition; all answer 9000, or a password's response.
        var before: [String] = []
        let bytes: String

        var testDescription: String { "\(command.rawValue), \(status.hex): \(condition)" }
    }

    static let select = "00A4040007D276000085010100"
    static let configurator = "00A404000DD276000004150200000B00010100"
    static let fap = "00A4000C02E1AF00"
    /// Password 1 = 11223344, response 9001, three tries.
    static let create1 = "00E1000009 01 11223344 9001 0003"
    /// Password 2 = AABBCCDD, response 9002, one try.
    static let create2 = "00E1000009 02 AABBCCDD 9002 0001"
    static let master = [select, create1, create2, fap, "00D6000006E1AF40404081"]
    static let cc = "00A4000C02E103"
    static let openCC = [select, fap, "00D6000006E10340004040", cc]
    static let ndef = "00A4000C02E104"
    static let finalised = [select, "00E2000003BF6300"]

    static let selection: [Case] = [
        Case(
            command: .selectApplication,
            status: 0x6A82,
            condition: "no such application",
            bytes: "00A4040005F00102030400"
        ),
        Case(
            command: .selectApplication,
            status: 0x6700,
            condition: "wrong Le",
            bytes: "00A4040007D276000085010105"
        ),
        Case(
            command: .selectConfigurator,
            status: 0x6A80,
            condition: "wrong data",
            before: [configurator],
            bytes: "00A404000DD276000004150200000B0001FF00"
        ),
        Case(
            command: .selectConfigurator,
            status: 0x6700,
            condition: "wrong Lc",
            before: [configurator],
            bytes: "00A404000CD276000004150200000B000100"
        ),
        Case(
            command: .selectFile,
            status: 0x6A82,
            condition: "no such file",
            before: [select],
            bytes: "00A4000C02E1A5"
        ),
        Case(
            command: .selectFile,
            status: 0x6A80,
            condition: "malformed password TLV",
            before: [select],
            bytes: "00A4000C08E10453041122334400"
        ),
        Case(
            command: .selectFile,
            status: 0x6700,
            condition: "wrong Lc",
            before: [select],
            bytes: "00A4000C03E1040000"
        ),
    ]

    static let files: [Case] = [
        Case(
            command: .readBinary,
            status: 0x6700,
            condition: "offset beyond the file",
            before: [select, "00A4000C02E1A1"],
            bytes: "00B0040101"
        ),
        Case(
            command: .readBinary,
            status: 0x6700,
            condition: "no Le",
            before: [select, ndef],
            bytes: "00B00000"
        ),
        Case(
            command: .readBinary,
            status: 0x6700,
            condition: "extended Le",
            before: [select, ndef],
            bytes: "00B00000000100"
        ),
        Case(
            command: .readBinary,
            status: 0x6982,
            condition: "never",
            before: [select, fap, "00D6000006E10440400040", ndef],
            bytes: "00B0000001"
        ),
        Case(
            command: .readBinary,
            status: 0x6982,
            condition: "password not verified",
            before: [select, create2, fap, "00D6000006E10440408240", ndef],
            bytes: "00B0000001"
        ),
        Case(
            command: .readBinary,
            status: 0x6986,
            condition: "no file selected",
            before: [select],
            bytes: "00B0000001"
        ),
        Case(
            command: .updateBinary,
            status: 0x6700,
            condition: "no data",
            before: [select, ndef],
            bytes: "00D60000"
        ),
        Case(
            command: .updateBinary,
            status: 0x6982,
            condition: "never",
            before: [select, cc],
            bytes: "00D6000F01FF"
        ),
        Case(
            command: .updateBinary,
            status: 0x6982,
            condition: "password not verified",
            before: [select, create2, fap, "00D6000006E10440404082", ndef],
            bytes: "00D6000001FF"
        ),
        Case(
            command: .updateBinary,
            status: 0x6985,
            condition: "the first byte of the CC's header",
            before: openCC,
            bytes: "00D6000201FF"
        ),
        Case(
            command: .updateBinary,
            status: 0x6985,
            condition: "the last byte of the CC's header",
            before: openCC,
            bytes: "00D6000E01FF"
        ),
        Case(
            command: .updateBinary,
            status: 0x6986,
            condition: "no file selected",
            before: [select],
            bytes: "00D6000001FF"
        ),
        Case(
            command: .updateBinary,
            status: 0x6A86,
            condition: "offset beyond the file",
            before: [select, "00A4000C02E1A1"],
            bytes: "00D6040001FF"
        ),
        Case(
            command: .updateFap,
            status: 0x6A80,
            condition: "no such file",
            before: [select, fap],
            bytes: "00D6000006E1A540404040"
        ),
        Case(
            command: .updateFap,
            status: 0x6A80,
            condition: "no such condition",
            before: [select, fap],
            bytes: "00D6000006E10440404041"
        ),
        Case(
            command: .updateFap,
            status: 0x6A80,
            condition: "not one entry",
            before: [select, fap],
            bytes: "00D6000005E104404040"
        ),
        Case(
            command: .updateFap,
            status: 0x6982,
            condition: "master password not verified",
            before: master + [fap],
            bytes: "00D6000006E10440404040"
        ),
    ]

    static let identity: [Case] = [
        Case(
            command: .authenticateTag,
            status: 0x6985,
            condition: "no key",
            before: [select],
            bytes: "0088000001AA00"
        ),
        Case(
            command: .authenticateTag,
            status: 0x6700,
            condition: "no challenge",
            before: [select],
            bytes: "0088000000"
        ),
        Case(
            command: .authenticateTag,
            status: 0x6700,
            condition: "no Le",
            before: [select],
            bytes: "0088000001AA"
        ),
        Case(
            command: .authenticateTag,
            status: 0x6A86,
            condition: "P1-P2",
            before: [select],
            bytes: "0088000101AA00"
        ),
        Case(
            command: .getData,
            status: 0x6A86,
            condition: "other P1-P2",
            before: [select],
            bytes: "0030DF3C00"
        ),
        Case(
            command: .getData,
            status: 0x6700,
            condition: "Lc present",
            before: [select],
            bytes: "0030DF3A01AA00"
        ),
        Case(
            command: .getData,
            status: 0x6700,
            condition: "Le not 00",
            before: [select],
            bytes: "0030DF3A0B"
        ),
    ]

    static let passwords: [Case] = [
        Case(
            command: .createPassword,
            status: 0x6700,
            condition: "Lc neither 09 nor 0D",
            before: [select],
            bytes: "00E1000008 01 AABBCCDD 0102 00"
        ),
        Case(
            command: .createPassword,
            status: 0x6700,
            condition: "Le present",
            before: [select],
            bytes: "00E1000009 01 AABBCCDD 0102 0003 00"
        ),
        Case(
            command: .createPassword,
            status: 0x6982,
            condition: "wrong master password",
            before: master,
            bytes: "00E100000D 00000000 03 AABBCCDD 0102 0003"
        ),
        Case(
            command: .createPassword,
            status: 0x6985,
            condition: "identifier exists",
            before: [select, create1],
            bytes: create1
        ),
        Case(
            command: .createPassword,
            status: 0x6985,
            condition: "28 passwords",
            before: [select] + (1...28).map { "00E1000009 \(UInt8($0).hex) AABBCCDD 0102 0003" },
            bytes: "00E1000009 1D AABBCCDD 0102 0003"
        ),
        Case(
            command: .createPassword,
            status: 0x6A80,
            condition: "response 0000",
            before: [select],
            bytes: "00E1000009 01 AABBCCDD 0000 0003"
        ),
        Case(
            command: .createPassword,
            status: 0x6A80,
            condition: "response FFFF",
            before: [select],
            bytes: "00E1000009 01 AABBCCDD FFFF 0003"
        ),
        Case(
            command: .createPassword,
            status: 0x6A80,
            condition: "identifier 00",
            before: [select],
            bytes: "00E1000009 00 AABBCCDD 0102 0003"
        ),
        Case(
            command: .createPassword,
            status: 0x6A80,
            condition: "limit 0000",
            before: [select],
            bytes: "00E1000009 01 AABBCCDD 0102 0000"
        ),
        Case(
            command: .createPassword,
            status: 0x6A80,
            condition: "limit 0080",
            before: [select],
            bytes: "00E1000009 01 AABBCCDD 0102 0080"
        ),
        Case(
            command: .createPassword,
            status: 0x6A86,
            condition: "P1-P2 (R6)",
            before: [select],
            bytes: "00E1000109 01 AABBCCDD 0102 0003"
        ),
        Case(
            command: .deletePassword,
            status: 0x6982,
            condition: "wrong master password",
            before: master,
            bytes: "00E4000204 00000000"
        ),
        Case(
            command: .deletePassword,
            status: 0x6A88,
            condition: "no such password",
            before: [select],
            bytes: "00E40003"
        ),
        Case(
            command: .changePassword,
            status: 0x6700,
            condition: "Lc neither 04 nor 08",
            before: [select, create1],
            bytes: "0024004103 112233"
        ),
        Case(
            command: .changePassword,
            status: 0x6982,
            condition: "wrong master password",
            before: master,
            bytes: "0024004208 00000000 01020304"
        ),
        Case(
            command: .changePassword,
            status: 0x6985,
            condition: "master password missing",
            before: master,
            bytes: "0024004204 01020304"
        ),
        Case(
            command: .changePassword,
            status: 0x6985,
            condition: "password blocked",
            before: [
                select, create2, fap, "00D6000006E10440408240", "00A4000C08E10452040000000000",
            ],
            bytes: "0024004204 01020304"
        ),
        Case(
            command: .changePassword,
            status: 0x6A86,
            condition: "P1",
            before: [select, create1],
            bytes: "0024014104 01020304"
        ),
        Case(
            command: .changePassword,
            status: 0x6A86,
            condition: "b8-b7 of P2",
            before: [select, create1],
            bytes: "0024008104 01020304"
        ),
        Case(
            command: .changePassword,
            status: 0x6A88,
            condition: "no such password",
            before: [select],
            bytes: "0024004304 01020304"
        ),
        Case(
            command: .unblockPassword,
            status: 0x6700,
            condition: "Lc not 04",
            before: [select, create1],
            bytes: "0024000103 112233"
        ),
        Case(
            command: .unblockPassword,
            status: 0x6982,
            condition: "wrong master password",
            before: master,
            bytes: "0024000204 00000000"
        ),
        Case(
            command: .unblockPassword,
            status: 0x6985,
            condition: "master password missing",
            before: master,
            bytes: "00240002"
        ),
        Case(
            command: .unblockPassword,
            status: 0x6985,
            condition: "master password blocked",
            before: master + Array(repeating: "00A4000C08E1AF54040000000000", count: 3),
            bytes: "0024000204 11223344"
        ),
        Case(
            command: .unblockPassword,
            status: 0x6A86,
            condition: "b8-b7 of P2",
            before: [select, create1],
            bytes: "002400C1"
        ),
        Case(
            command: .unblockPassword,
            status: 0x6A88,
            condition: "no such password",
            before: [select],
            bytes: "00240003"
        ),
    ]

    static let preparation: [Case] = [
        Case(
            command: .personalizeData,
            status: 0x6700,
            condition: "no data",
            before: [select],
            bytes: "00E20000"
        ),
        Case(
            command: .personalizeData,
            status: 0x6985,
            condition: "password exists",
            before: [select, create1],
            bytes: "00E200000CA0030901112233449001 0003"
        ),
        Case(
            command: .personalizeData,
            status: 0x6985,
            condition: "already operational",
            before: finalised,
            bytes: "00E2000013A00110000102030405060708090A0B0C0D0E0F"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A80,
            condition: "policy not 42 bytes",
            before: [select],
            bytes: "00E2000009E1AF06E10440404040"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A80,
            condition: "password not 9 bytes",
            before: [select],
            bytes: "00E200000BA003080111223344900100"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A80,
            condition: "AES key not 16 bytes",
            before: [select],
            bytes: "00E2000004A00101AA"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A80,
            condition: "ECC key not 32 bytes",
            before: [select],
            bytes: "00E2000004A00201AA"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A80,
            condition: "content out of range",
            before: [select],
            bytes: "00E2000006E1A1030400EE"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A80,
            condition: "Le present",
            before: [select],
            bytes: "00E2000006E1A1030000EE00"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A80,
            condition: "extra data",
            before: [select],
            bytes: "00E2000007E1A1030000EEEE"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A80,
            condition: "response 0000",
            before: [select],
            bytes: "00E200000CA0030901112233440000 0003"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A86,
            condition: "P1-P2",
            before: [select],
            bytes: "00E2000103BF6300"
        ),
        Case(
            command: .personalizeData,
            status: 0x6A88,
            condition: "unknown DGI",
            before: [select],
            bytes: "00E2000003A00400"
        ),
        Case(
            command: .setConfiguration,
            status: 0x6700,
            condition: "no data",
            before: [configurator],
            bytes: "20200000"
        ),
        Case(
            command: .setConfiguration,
            status: 0x6985,
            condition: "locked by the life cycle",
            before: [configurator, "2020000005C02102C33C"],
            bytes: "2020000004C0300101"
        ),
        Case(
            command: .setConfiguration,
            status: 0x6A80,
            condition: "wrong value",
            before: [configurator],
            bytes: "2020000004C0300109"
        ),
        Case(
            command: .setConfiguration,
            status: 0x6A86,
            condition: "P1-P2",
            before: [configurator],
            bytes: "2020010004C0300101"
        ),
        Case(
            command: .setConfiguration,
            status: 0x6D00,
            condition: "unknown instruction (R5)",
            before: [configurator],
            bytes: "20210000"
        ),
        Case(
            command: .setConfiguration,
            status: 0x6E00,
            condition: "unknown class (R5)",
            before: [configurator],
            bytes: "4020000004C0300101"
        ),
        Case(
            command: .getConfiguration,
            status: 0x6700,
            condition: "Lc not 02",
            before: [configurator],
            bytes: "2030000001C0"
        ),
        Case(
            command: .getConfiguration,
            status: 0x6A80,
            condition: "no such tag",
            before: [configurator],
            bytes: "2030000002C0FF"
        ),
        Case(
            command: .getConfiguration,
            status: 0x6A86,
            condition: "P1-P2",
            before: [configurator],
            bytes: "2030000102C030"
        ),
    ]

    static let cases = selection + files + identity + passwords + preparation

    @Test("the tag answers, and the error says what it means", arguments: cases)
    func answers(_ example: Case) async throws {
        let card = try NBTApplication()
        let channel = ApduChannel(channel: InProcessChannel(card))
        for bytes in example.before {
            let response = try await channel.send(try CommandAPDU(encoded: hex(bytes)))
            try response.checkOK()
        }
        let response = try await channel.send(try CommandAPDU(encoded: hex(example.bytes)))
        #expect(response.statusWord == StatusWord(rawValue: example.status))
        #expect(response.data.isEmpty)

        let error = NbtError.status(example.command, response.statusWord)
        let start = "\(example.command.rawValue) answered \(response.statusWord): "
        #expect(error.description.hasPrefix(start))
        #expect(error.description.count > start.count + 8)
    }

    @Test("R3, R4, R6: the same status word means something else for another command")
    func ownMeanings() {
        let pairs: [(NbtCommand, NbtCommand, StatusWord)] = [
            (.selectFile, .selectConfigurator, .wrongData),
            (.getData, .getConfiguration, .wrongLength),
            (.createPassword, .updateBinary, .wrongParameters),
            (.authenticateTag, .personalizeData, .conditionsNotSatisfied),
        ]
        for (one, other, status) in pairs {
            #expect(one.meaning(of: status) != other.meaning(of: status))
        }
    }

    @Test("R7: a status word that no table has is named with its command")
    func unknownStatus() {
        let error = NbtError.status(.getData, .referencedDataNotFound)
        #expect("\(error)" == "GET DATA answered 6A88: referenced data not found.")
    }

    @Test("R8: the text survives as localizedDescription")
    func localized() {
        let error: any Error = NbtError.status(.selectFile, .notFound)
        #expect(error.localizedDescription == "\(error)")
        #expect((error as? any LocalizedError)?.recoverySuggestion != nil)
        let apdu: any Error = APDUError.unexpectedStatus(.notFound)
        #expect(apdu.localizedDescription == "\(apdu)")
    }
}
