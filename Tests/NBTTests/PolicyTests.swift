import APDU
import Foundation
import NBT
import TestSupport
import Testing

/// Vectors 72 to 81 and 134, 135 of facts/nbt.md, 8.6 and 8.10, and the quirks T8 to T11.
@Suite struct PolicyTests {
    static let delivery =
        "E10340004000 E10440404040 E1A140404040 E1A240404040 E1A340404040 E1A440404040 E1AF40404040"

    @Test("vector 72: the delivery policy, both ways")
    func delivery() throws {
        let policies = try FapDecoder.decode(policyBytes: hex(Self.delivery))
        #expect(policies.count == 7)
        #expect(policies.reduce(into: Data()) { $0 += $1.encoded } == hex(Self.delivery))
        let whole = try FileAccessPolicies(encoded: hex(Self.delivery))
        #expect(whole == .delivery)
        #expect(whole.encoded == hex(Self.delivery))
        #expect(whole.masterPasswordId == nil)
    }

    @Test("vectors 73 and 74: conditions of one file")
    func entry() throws {
        let open = try FileAccessPolicy(encoded: hex("E10440404040"))
        #expect(open.fileId == 0xE104)
        #expect(
            [open.i2cRead, open.i2cWrite, open.nfcRead, open.nfcWrite]
                == Array(repeating: .always, count: 4)
        )
        let id = try PasswordId(1)
        let one = AccessCondition.password(id)
        let protected = try FileAccessPolicy(encoded: hex("E10440408181"))
        #expect(protected.i2cRead == .always && protected.i2cWrite == .always)
        #expect(protected.nfcRead == one && protected.nfcWrite == one)
        #expect(protected.passwordIds == [id])
    }

    @Test(
        "vector 75: password conditions keep their identifier",
        arguments: [(0x81, 1), (0x9F, 31)] as [(UInt8, Int)]
    )
    func password(byte: UInt8, number: Int) throws {
        let condition = try AccessCondition(byte: byte)
        let expected = AccessCondition.password(try PasswordId(number))
        #expect(condition == expected)
        #expect(condition.byte == byte)
    }

    @Test(
        "vector 76, T8, T9, T11: bytes that are no condition are refused",
        arguments: [0x80, 0xC0, 0x20, 0x41, 0xA1, 0xFF, 0x21, 0x01] as [UInt8]
    )
    func undefined(byte: UInt8) {
        #expect(throws: NbtError.self) { try AccessCondition(byte: byte) }
        #expect(throws: NbtError.self) {
            try FapDecoder.decode(policyBytes: hex("E104404040") + [byte])
        }
    }

    @Test("vector 77, T10: other lengths are refused", arguments: ["", "E104", "E10440404040E1"])
    func lengths(bytes: String) {
        #expect(throws: NbtError.self) { try FapDecoder.decode(policyBytes: hex(bytes)) }
    }

    @Test("the whole file has each file once")
    func whole() {
        let missing = String(Self.delivery.replacingOccurrences(of: " ", with: "").dropLast(12))
        let double = missing + "E10440404040"
        let unknown = missing + "E1A540404040"
        for bytes in [missing, double, unknown] {
            #expect(throws: NbtError.self) { try FileAccessPolicies(encoded: hex(bytes)) }
        }
    }

    @Test("vector 78: an entry is written without a master password")
    func update() async throws {
        try await withScript([
            ("00A4000C02E1AF00", "9000"), ("00D6000006E10400004000", "9000"),
        ]) { commandSet in
            try await commandSet.updateFap(
                fapPolicy: try FileAccessPolicy(encoded: hex("E10400004000"))
            )
        }
    }

    @Test("vector 79: an entry is written with the master password, condition 85 kept")
    func updateWithMaster() async throws {
        try await withScript([
            ("00A4000C08E1AF54041122334400", "90019000"), ("00D6000006E10440404085", "9000"),
        ]) { commandSet in
            try await commandSet.updateFapBytes(
                fileId: 0xE104,
                policyBytes: hex("40404085"),
                masterPassword: hex("11223344")
            )
        }
    }

    @Test("vector 80: a file with two entries")
    func twoEntries() async throws {
        try await withScript([
            ("00A4000C02E1AF00", "9000"), ("00B000002A", "E10340004000E104404040409000"),
        ]) { commandSet in
            let list = try await commandSet.readFapList()
            #expect(list.map(\.fileId) == [0xE103, 0xE104])
            #expect(list.map(\.encoded) == [hex("E10340004000"), hex("E10440404040")])
        }
    }

    @Test("vector 81: a refused SELECT is an error")
    func refused() async throws {
        try await withScript([("00A4000C08E1AF52041122334400", "6982")]) { commandSet in
            let expected = NbtError.status(.selectFile, .securityStatusNotSatisfied)
            await #expect(throws: expected) {
                try await commandSet.readFapList(masterPassword: hex("11223344"))
            }
            #expect(expected.concernsPassword)
        }
    }

    @Test(
        "vectors 134 and 135: the policies of real chips",
        arguments: [
            (
                "E10340004000 E10440404000 E1A140004040 E1A240404000 E1A300000000 E1A400000000"
                    + "E1AF40404040", NbtUseCase.asynchronousDataTransfer
            ),
            (
                "E10340004000 E10440404000 E1A100000000 E1A200000000 E1A300000000 E1A400000000"
                    + "E1AF40404040", .passThrough
            ),
        ]
    )
    func realChips(bytes: String, useCase: NbtUseCase) async throws {
        let read = hex(bytes)
        try await withScript([
            ("00A4000C02E1AF00", "9000"),
            ("00B000002A", read.map { String(format: "%02x", $0) }.joined() + "9000"),
        ]) { commandSet in
            let policies = try await commandSet.readFap()
            #expect(policies == useCase.policies)
            #expect(policies.encoded == read)
        }
    }

    @Test("the worked entry of the sheet reads in words")
    func words() throws {
        let policy = try FileAccessPolicy(encoded: hex("E1044000859F"))
        #expect(
            "\(policy)"
                == "NDEF file (E104): NFC read password 5, NFC write password 31, "
                + "I2C read always, I2C write never"
        )
    }

    @Test("CC entries follow the policies, and the CC of the sheet is read")
    func capabilityContainer() throws {
        let bytes = hex(
            "002F 20 0100 00FF 0406E10410000000 0506E1A104000000 0506E1A204000000"
                + "0506E1A304000000 0506E1A404000000"
        )
        let container = try CapabilityContainer(encoded: bytes)
        #expect(container.mappingVersion == 0x20)
        #expect(container.maximumAnswerData == 256)
        #expect(container.maximumCommandData == 255)
        #expect(container.files.map(\.fileId) == [0xE104, 0xE1A1, 0xE1A2, 0xE1A3, 0xE1A4])
        #expect(container.files.map(\.size) == [4096, 1024, 1024, 1024, 1024])
        #expect(
            CapabilityContainer.proprietaryControls(for: .delivery) == bytes.suffix(32)
        )
        // P4: a password condition is not free.
        var policies = FileAccessPolicies.delivery
        policies[.proprietary1].nfcWrite = .password(try PasswordId(3))
        #expect(
            CapabilityContainer.proprietaryControls(for: policies).prefix(8)
                == hex("0506E1A104000080")
        )
        for count in [0, 1, 6, 20, 46] {
            #expect(throws: NbtError.self) {
                try CapabilityContainer(encoded: bytes.prefix(count))
            }
        }
    }
}
