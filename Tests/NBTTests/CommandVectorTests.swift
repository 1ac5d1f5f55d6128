import APDU
import Foundation
import NBT
import TestSupport
import Testing

/// Vectors 1 to 33 of facts/nbt.md, 8.1, each by its number.
@Suite struct CommandVectorTests {
    static let expected: [(number: Int, bytes: [String])] = [
        (1, ["00A4040007D276000085010100"]),
        (2, ["00A404000DD276000004150200000B00010100"]),
        (3, ["00A4000C02E104"]),
        (4, ["00A4000C02E1AF00"]),
        (5, ["00A4000C08E10452041122334400"]),
        (6, ["00A4000C08E1045404AABBCCDD00"]),
        (7, ["00A4000C0EE1045204112233445404AABBCCDD00"]),
        (8, ["00B0000000"]),
        (9, ["00B001FE10"]),
        (10, ["00B0800001"]),
        (11, ["00D6000001EE"]),
        (12, ["00D6000F080506E1A104000000"]),
        (13, ["0088000008010203040506070800"]),
        (14, ["00E100000901AABBCCDD01020003"]),
        (15, ["00E100000D112233441FAABBCCDD9001FFFF"]),
        (16, ["00E40001", "00E4001F0411223344"]),
        (17, ["0024004104AABBCCDD", "0024005F0811223344AABBCCDD"]),
        (18, ["00240001", "0024001F0411223344"]),
        (19, ["0030DF3A00", "0030DF3B00"]),
        (20, ["2020000004C0300104"]),
        (21, ["2020000004C0600111"]),
        (22, ["2020000005C02102C33C"]),
        (23, ["2020000007C0400400000064"]),
        (24, ["2030000002C020"]),
        (
            25,
            ["00E2000023A00220000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F"]
        ),
        (26, ["00E2000013A00110000102030405060708090A0B0C0D0E0F"]),
        (27, ["00E200000CA0030901AABBCCDD01020003"]),
        (28, ["00E2000003E10400"]),
        (29, ["00E20000FFE104FC" + String(repeating: "5A", count: 252)]),
        (30, ["00E2000003BF6300"]),
    ]

    @Test("the builders give the bytes of vectors 1 to 30", arguments: 1...30)
    func builds(number: Int) throws {
        let commands = try commands(number).map(\.encoded)
        let vector = try #require(Self.expected.first { $0.number == number })
        #expect(commands == vector.bytes.map(hex))
    }

    private func commands(_ number: Int) throws -> [CommandAPDU] {
        switch number {
        case 1...13: [try operational(number)]
        case 14...19: try passwords(number)
        case 20...24: [try configuration(number)]
        default: [try personalisation(number)]
        }
    }

    private func operational(_ number: Int) throws -> CommandAPDU {
        let builder = NbtCommandBuilder()
        func select(_ fileId: UInt16, _ read: String?, _ write: String?) throws -> CommandAPDU {
            try builder.selectFile(
                fileId: fileId,
                readPassword: read.map(hex),
                writePassword: write.map(hex)
            )
        }
        return switch number {
        case 1: try builder.selectApplication()
        case 2: try NbtCommandBuilderConfig().selectConfiguratorApplication()
        case 3: try builder.selectFile(fileId: 0xE104)
        case 4: try select(0xE1AF, nil, nil)
        case 5: try select(0xE104, "11223344", nil)
        case 6: try select(0xE104, nil, "AABBCCDD")
        case 7: try select(0xE104, "11223344", "AABBCCDD")
        case 8: try builder.readBinary(offset: 0, expectedLen: 256)
        case 9: try builder.readBinary(offset: 0x01FE, expectedLen: 16)
        case 10: try builder.readBinary(offset: 0x8000, expectedLen: 1)
        case 11: try builder.updateBinary(offset: 0, data: hex("EE"))
        case 12: try builder.updateBinary(offset: 15, data: hex("0506E1A104000000"))
        default: try builder.authenticateTag(challenge: hex("0102030405060708"))
        }
    }

    private func passwords(_ number: Int) throws -> [CommandAPDU] {
        let builder = NbtCommandBuilder()
        let (one, last) = (try PasswordId(1), try PasswordId(31))
        let master = hex("11223344")
        let new = hex("AABBCCDD")
        switch number {
        case 14: return [try builder.createPassword(try definition())]
        case 15:
            let unlimited = try PasswordDefinition(
                id: last,
                password: new,
                response: 0x9001,
                limit: .unlimited
            )
            return [try builder.createPassword(unlimited, masterPassword: master)]
        case 16:
            return [
                try builder.deletePassword(passwordId: one),
                try builder.deletePassword(passwordId: last, masterPassword: master),
            ]
        case 17:
            return [
                try builder.changePassword(passwordId: one, newPassword: new),
                try builder.changePassword(
                    passwordId: last,
                    newPassword: new,
                    masterPassword: master
                ),
            ]
        case 18:
            return [
                try builder.unblockPassword(passwordId: one),
                try builder.unblockPassword(passwordId: last, masterPassword: master),
            ]
        default:
            return [
                try builder.getData(tag: NbtConstants.tagAppletVersion),
                try builder.getData(tag: NbtConstants.tagAvailableMemory),
            ]
        }
    }

    private func definition() throws -> PasswordDefinition {
        try PasswordDefinition(
            id: try PasswordId(1),
            password: hex("AABBCCDD"),
            response: 0x0102,
            limit: .tries(3)
        )
    }

    private func configuration(_ number: Int) throws -> CommandAPDU {
        let builder = NbtCommandBuilderConfig()
        func set<Value: ConfigurationValue>(_ value: Value) throws -> CommandAPDU {
            try builder.setConfigData(tag: Value.tag, data: value.encoded)
        }
        return switch number {
        case 20: try set(GpioFunction.nfcI2cPassThroughIrqOutput)
        case 21: try set(CommunicationInterface.nfcAndI2c)
        case 22: try set(ProductLifeCycleState.operational)
        case 23: try builder.setConfigData(tag: .i2cIdleTimeout, data: hex("00000064"))
        default: try builder.getConfigData(tag: .productShortName)
        }
    }

    private func personalisation(_ number: Int) throws -> CommandAPDU {
        let builder = NbtCommandBuilderPerso()
        return switch number {
        case 25: try builder.personalizeData(dgi: .a002, data: Data(0x00...0x1F))
        case 26: try builder.personalizeData(dgi: .a001, data: Data(0x00...0x0F))
        case 27: try builder.personalizeData(dgi: .a003, data: try definition().encoded)
        case 28: try builder.personalizeData(dgi: .e104, data: Data())
        case 29:
            try builder.personalizeData(dgi: .e104, data: Data(repeating: 0x5A, count: 252))
        default: try builder.finalizePersonalization()
        }
    }

    @Test("vectors 31 and 32: a password has 4 bytes", arguments: [31, 32])
    func passwordLength(number: Int) {
        let short = hex("112233")
        let builder = NbtCommandBuilder()
        let command: NbtCommand = number == 31 ? .selectFile : .changePassword
        let expected = NbtError.invalidArgument(command, "a password has 4 bytes, this one has 3")
        #expect(throws: expected) {
            number == 31
                ? try builder.selectFile(fileId: 0xE104, readPassword: short, writePassword: nil)
                : try builder.changePassword(passwordId: try PasswordId(1), newPassword: short)
        }
        #expect(throws: NbtError.self) {
            try PasswordDefinition(
                id: try PasswordId(1),
                password: short,
                response: 1,
                limit: .unlimited
            )
        }
    }

    @Test("vector 33, A12: a DGI value has at most 252 bytes", arguments: [253, 255, 256])
    func dgiLength(count: Int) {
        let expected = NbtError.invalidArgument(
            .personalizeData,
            "a value has at most 252 bytes, not \(count)"
        )
        #expect(throws: expected) {
            try NbtCommandBuilderPerso().personalizeData(dgi: .e104, data: Data(count: count))
        }
    }

    @Test(
        "A15: a password's identifier is 1 to 31 and never cut",
        arguments: [0, 32, 0xE1, 0xE2, 255]
    )
    func passwordIds(number: Int) {
        #expect(throws: NbtError.invalidPasswordId(number)) { try PasswordId(number) }
    }

    @Test("A16: limit and response are checked before anything is sent")
    func passwordValues() {
        for response in [0x0000, 0xFFFF] as [UInt16] {
            #expect(throws: NbtError.self) {
                try PasswordDefinition(
                    id: try PasswordId(1),
                    password: hex("11223344"),
                    response: response,
                    limit: .unlimited
                )
            }
        }
        for tries in [0, 0x80, 0xFF] as [UInt8] {
            #expect(throws: NbtError.self) {
                try PasswordDefinition(
                    id: try PasswordId(1),
                    password: hex("11223344"),
                    response: 0x9001,
                    limit: .tries(tries)
                )
            }
        }
    }

    @Test("A7, A8, A9, A10, A11: lengths that the tag does not take are refused")
    func lengths() {
        let builder = NbtCommandBuilder()
        for length in [300, -1, 0] {
            #expect(throws: NbtError.self) {
                try builder.readBinary(offset: 0, expectedLen: length)
            }
        }
        #expect(throws: NbtError.self) { try builder.updateBinary(offset: 0, data: Data()) }
        #expect(throws: NbtError.self) { try builder.authenticateTag(challenge: Data()) }
    }

    @Test("A13: Le any is an Int as everywhere")
    func anyLength() throws {
        let command = try NbtCommandBuilder()
            .readBinary(offset: 0, expectedLen: NbtConstants.maxLe)
        #expect(command.encoded == hex("00B0000000"))
    }

    @Test("A14: arguments may be slices of larger data")
    func slices() throws {
        let bytes = hex("FFFF11223344FFFF")
        let slice = bytes[2..<6]
        let builder = NbtCommandBuilder()
        #expect(
            try builder.changePassword(passwordId: try PasswordId(1), newPassword: slice).encoded
                == hex("002400410411223344")
        )
        #expect(
            try builder.updateBinary(offset: 0, data: slice).encoded == hex("00D600000411223344")
        )
        #expect(
            try NbtCommandBuilderPerso().personalizeData(dgi: .e1a1, data: slice).encoded
                == hex("00E2000007E1A10411223344")
        )
        let tlv = try Tlv.parse(hex("FF5204AABBCCDDFF")[1..<7])
        #expect(tlv == [Tlv(tag: 0x52, value: hex("AABBCCDD"))])
        let command = try CommandAPDU(encoded: hex("FF00B0000000FF")[1..<6])
        #expect(command.expectedLength == 256)
    }
}
