import APDU
import Foundation
import NBT
import TestSupport
import Testing

/// Vectors 59 to 71 of facts/nbt.md, 8.5, and the quirks T5 to T7 and T12 to T14.
@Suite struct TlvTests {
    @Test(
        "vector 59, T6: BER lengths",
        arguments: [
            (0, "00"), (0x7F, "7F"), (0x80, "8180"), (0xFF, "81FF"), (0x100, "820100"),
            (0xFFFF, "82FFFF"), (0x10000, "83010000"),
        ]
    )
    func berLength(count: Int, bytes: String) throws {
        #expect(try Tlv.encodeLength(count) == hex(bytes))
    }

    @Test(
        "vector 60, T5: DGI lengths",
        arguments: [
            (0, "00"), (0xFE, "FE"), (0xFF, "FF00FF"), (0x100, "FF0100"), (0xFFFF, "FFFFFF"),
        ]
    )
    func dgiLength(count: Int, bytes: String) throws {
        #expect(try DgiTlv.encodeLength(count) == hex(bytes))
        let object = DgiTlv(tag: 0xC052, value: Data(count: count))
        #expect(try DgiTlv.parse(try object.encoded()) == [object])
    }

    @Test("lengths that no field can say are refused")
    func tooLong() {
        #expect(throws: NbtError.valueTooLong(count: 0x10000, limit: 0xFFFF)) {
            try DgiTlv.encodeLength(0x10000)
        }
        #expect(throws: NbtError.valueTooLong(count: 0x100_0000, limit: 0xFF_FFFF)) {
            try Tlv.encodeLength(0x100_0000)
        }
        #expect(throws: NbtError.self) { try Tlv.encodeLength(-1) }
    }

    @Test("vector 61: a version is 1.2 build 3")
    func version() throws {
        let objects = try Tlv.parse(hex("6F07DF3A0401020003"))
        #expect(objects == [Tlv(tag: 0x6F, value: hex("DF3A0401020003"))])
        let inner = try Tlv.parse(objects[0].value)
        #expect(inner == [Tlv(tag: 0xDF3A, value: hex("01020003"))])
        let version = try AppletVersion(data: hex("6F07DF3A0401020003"))
        #expect(version.major == 1 && version.minor == 2 && version.build == 3)
        #expect("\(version)" == "1.2 build 3")
    }

    @Test("vector 62: two passwords")
    func twoObjects() throws {
        #expect(
            try Tlv.parse(hex("5204AABBCCDD5404EEFF0011"))
                == [
                    Tlv(tag: 0x52, value: hex("AABBCCDD")), Tlv(tag: 0x54, value: hex("EEFF0011")),
                ]
        )
    }

    @Test(
        "vector 63: long lengths, long tags and empty values",
        arguments: [
            ("6F8101AA", 0x6F, "AA"), ("DF810101FF", 0xDF8101, "FF"), ("1F1F00", 0x1F1F, ""),
            ("5200", 0x52, ""),
        ] as [(String, UInt32, String)]
    )
    func forms(bytes: String, tag: UInt32, value: String) throws {
        #expect(try Tlv.parse(hex(bytes)) == [Tlv(tag: tag, value: hex(value))])
    }

    @Test(
        "vector 64, T7: what is no BER-TLV is refused",
        arguments: [
            ("6F", TlvFault.truncated), ("6F02", .truncated), ("6F80", .invalidLength),
            ("00", .invalidTag), ("0000", .invalidTag), ("DF", .truncated),
            ("6F84", .invalidLength),
            ("DF8181", .invalidTag), ("6F82FF", .truncated),
        ]
    )
    func refused(bytes: String, fault: TlvFault) {
        do throws(NbtError) {
            let objects = try Tlv.parse(hex(bytes))
            Issue.record("\(objects)")
        } catch {
            guard case .malformedTlv(fault, _) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }

    @Test("the offset of a fault is that of its object")
    func offset() {
        #expect(throws: NbtError.malformedTlv(.truncated, offset: 2)) {
            try Tlv.parse(hex("52005404AA"))
        }
    }

    @Test("objects encode to what they were parsed from", arguments: ["6F8180", "DF3A04", "52"])
    func encodes(prefix: String) throws {
        let tag: UInt32 = prefix == "6F8180" ? 0x6F : prefix == "DF3A04" ? 0xDF3A : 0x52
        let count = tag == 0x6F ? 128 : 4
        let object = Tlv(tag: tag, value: Data(repeating: 1, count: count))
        let bytes = try object.encoded()
        #expect(bytes.starts(with: hex(prefix)))
        #expect(try Tlv.parse(bytes) == [object])
    }

    @Test(
        "vectors 65 and 66: DGI objects",
        arguments: [
            ("C020FF0002AABB", [DgiTlv(tag: 0xC020, value: hex("AABB"))]),
            (
                "C0600111C0300104",
                [
                    DgiTlv(tag: 0xC060, value: hex("11")), DgiTlv(tag: 0xC030, value: hex("04")),
                ]
            ),
        ]
    )
    func dgi(bytes: String, objects: [DgiTlv]) throws {
        #expect(try DgiTlv.parse(hex(bytes)) == objects)
    }

    @Test(
        "vector 67: what is no DGI object is refused",
        arguments: ["C030", "C03001", "C0300002", "C030FF00"]
    )
    func refusedDgi(bytes: String) {
        // C0300002: an empty C030, and the start of another tag.
        let offset = bytes == "C0300002" ? 3 : 0
        #expect(throws: NbtError.malformedTlv(.truncated, offset: offset)) {
            try DgiTlv.parse(hex(bytes))
        }
    }

    @Test("vector 68: a configuration value")
    func configurationValue() async throws {
        try await withScript(
            [("2030000002C030", "C03001029000")],
            selectedApplication: NbtConstants.configuratorAid
        ) { commandSet in
            let function = try await NbtCommandSetConfig(commandSet).get(GpioFunction.self)
            #expect(function == .nfcIrqOutput)
        }
    }

    @Test(
        "vector 69, T14: an answer that is not the one value of the tag is refused",
        arguments: ["C0300102AA", "", "C0310102", "C03001", "C0300102C0310101", "C030020102"]
    )
    func configurationAnswer(answer: String) async throws {
        try await withScript(
            [("2030000002C030", answer + "9000")],
            selectedApplication: NbtConstants.configuratorAid
        ) { commandSet in
            let config = NbtCommandSetConfig(commandSet)
            await expectMalformedAnswer(.getConfiguration) {
                _ = try await config.getConfigDataBytes(tag: .gpioFunction)
            }
        }
    }

    @Test("vector 70: free memory is 4096, 512 and 768 bytes")
    func memory() throws {
        let memory = try AvailableMemory(data: hex("6F0FDF3B0CC6021000C7020200C8020300"))
        #expect(memory.nvm == 4096)
        #expect(memory.transientCor == 512)
        #expect(memory.transientCod == 768)
    }

    @Test(
        "vector 71, T12, T13: other answers are errors",
        arguments: [
            "6F00", "", "6F07DF3B0401020003", "6F06DF3A03010200", "6F07DF3A", "6F0FDF3B0CC60210",
            "DF3A0401020003",
        ]
    )
    func otherAnswers(bytes: String) async {
        await expectMalformedAnswer(.getData) { _ = try AppletVersion(data: hex(bytes)) }
        await expectMalformedAnswer(.getData) { _ = try AvailableMemory(data: hex(bytes)) }
    }

    private func expectMalformedAnswer(
        _ command: NbtCommand,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("no error", sourceLocation: sourceLocation)
        } catch {
            guard case .malformedAnswer(command, _)? = error as? NbtError else {
                Issue.record("\(error)", sourceLocation: sourceLocation)
                return
            }
        }
    }
}
