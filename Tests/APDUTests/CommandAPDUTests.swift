import APDU
import Foundation
import TestSupport
import Testing

/// Vectors 34 to 53 of facts/nbt.md, 8.2 and 8.3.
@Suite struct CommandAPDUTests {
    struct Vector: Sendable {
        let encoded: String
        let data: String
        let expectedLength: Int?
        let isExtended: Bool
    }

    @Test(
        "a command of every case is read, and written back byte by byte",
        arguments: [
            Vector(encoded: "00A40400", data: "", expectedLength: nil, isExtended: false),
            Vector(encoded: "00B00000FF", data: "", expectedLength: 255, isExtended: false),
            Vector(encoded: "00B0000000", data: "", expectedLength: 256, isExtended: false),
            Vector(encoded: "00D6000001EE", data: "EE", expectedLength: nil, isExtended: false),
            Vector(
                encoded: "00A4040007D276000085010100",
                data: "D2760000850101",
                expectedLength: 256,
                isExtended: false
            ),
            Vector(
                encoded: "00880000080102030405060708FF",
                data: "0102030405060708",
                expectedLength: 255,
                isExtended: false
            ),
            Vector(
                encoded: "00B000000003E8",
                data: "",
                expectedLength: 1000,
                isExtended: true
            ),
            Vector(
                encoded: "00D60000000001EE",
                data: "EE",
                expectedLength: nil,
                isExtended: true
            ),
            Vector(
                encoded: "00D60000000001EE0000",
                data: "EE",
                expectedLength: 65_536,
                isExtended: true
            ),
            Vector(
                encoded: "00B00000000000",
                data: "",
                expectedLength: 65_536,
                isExtended: true
            ),
            // facts/corenfc.md, 1.4: accepted by Apple's class.
            Vector(
                encoded: "00B00000000004",
                data: "",
                expectedLength: 4,
                isExtended: true
            ),
            Vector(
                encoded: "000102030000050101010101",
                data: "0101010101",
                expectedLength: nil,
                isExtended: true
            ),
            Vector(
                encoded: "000102030000050101010101FFFF",
                data: "0101010101",
                expectedLength: 65_535,
                isExtended: true
            ),
        ]
    )
    func decode(vector: Vector) throws {
        let bytes = hex(vector.encoded)
        let command = try CommandAPDU(encoded: bytes)
        #expect(Data([command.cla, command.ins, command.p1, command.p2]) == bytes.prefix(4))
        #expect(command.data == hex(vector.data))
        #expect(command.expectedLength == vector.expectedLength)
        #expect(command.isExtended == vector.isExtended)
        #expect(command.encoded == bytes)
    }

    @Test(
        "fewer bytes than a header are refused",
        arguments: ["", "00", "00A4", "00A404"]
    )
    func tooShort(text: String) {
        #expect(throws: APDUError.commandTooShort(count: text.count / 2)) {
            try CommandAPDU(encoded: hex(text))
        }
    }

    @Test(
        "lengths that do not fit are refused",
        arguments: [
            "00D6000003EE",  // data missing
            "00D6000000EE",  // Lc 0 before data
            "00D6000001EE0000",  // short Lc with a two-byte Le
            "00D60000000001EE00",  // extended Lc with a one-byte Le
            "00D60000000000EE",  // extended Lc 0
            "00D60000000002EE",  // extended data missing
            "00D60000000001EE000000",  // bytes after Le
            "00B0000001EEFFFF",  // bytes after Le
        ]
    )
    func lengthMismatch(text: String) {
        #expect(throws: APDUError.lengthMismatch) { try CommandAPDU(encoded: hex(text)) }
    }

    @Test("a command cut anywhere is refused or is a shorter command of another case")
    func truncated() throws {
        let whole = hex("00A4040007D276000085010100")
        for count in 0..<whole.count {
            let part = whole.prefix(count)
            let valid = [4, 5, 12].contains(count)  // case 1, Le 07, case 3
            if valid {
                #expect(try CommandAPDU(encoded: part).encoded == part)
            } else {
                #expect(throws: APDUError.self) { try CommandAPDU(encoded: part) }
            }
        }
    }

    @Test(
        "each size takes the form that ISO 7816-4 gives it",
        arguments: [
            (0, 256, 5, "00B0010200"),
            (0, 257, 7, "00B00102000101"),
            (0, 65_536, 7, "00B00102000000"),
            (1, 256, 7, "00B0010201AA00"),
            (255, 256, 261, "00B00102FFAA"),
            (256, nil, 263, "00B00102000100AA"),
            (256, 256, 265, "00B00102000100AA"),
            (1, 257, 10, "00B00102000001AA0101"),
            (65_535, 65_536, 65_544, "00B0010200FFFFAA"),
            (0, nil, 4, "00B00102"),
            (255, nil, 260, "00B00102FFAA"),
        ] as [(Int, Int?, Int, String)]
    )
    func encode(count: Int, expectedLength: Int?, total: Int, start: String) throws {
        let data = Data(repeating: 0xAA, count: count)
        let command = try CommandAPDU(
            cla: 0x00,
            ins: 0xB0,
            p1: 0x01,
            p2: 0x02,
            data: data,
            expectedLength: expectedLength
        )
        #expect(command.encoded.count == total)
        #expect(command.encoded.prefix(start.count / 2) == hex(start))
        #expect(try CommandAPDU(encoded: command.encoded) == command)
    }

    @Test("data of 256 bytes with Le 256 ends in the extended Le")
    func extendedEnd() throws {
        let command = try CommandAPDU(
            cla: 0x00,
            ins: 0xB0,
            p1: 0x01,
            p2: 0x02,
            data: Data(repeating: 0xAA, count: 256),
            expectedLength: 256
        )
        #expect(command.encoded.suffix(3) == hex("AA0100"))
    }

    @Test("the extended form can be asked for, except where there is nothing to extend")
    func extended() throws {
        let read = try CommandAPDU(
            cla: 0x00,
            ins: 0xB0,
            p1: 0x00,
            p2: 0x00,
            expectedLength: 4,
            extended: true
        )
        #expect(read.encoded == hex("00B00000000004"))
        let bare = try CommandAPDU(cla: 0x00, ins: 0xA4, p1: 0x04, p2: 0x00, extended: true)
        #expect(bare.encoded == hex("00A40400"))
    }

    @Test("an expected length outside 1 to 65536 is refused", arguments: [-1, 0, 65_537, Int.max])
    func expectedLength(length: Int) {
        #expect(throws: APDUError.expectedLengthOutOfRange(length)) {
            try CommandAPDU(cla: 0, ins: 0xB0, p1: 0, p2: 0, expectedLength: length)
        }
    }

    @Test("more than 65535 bytes of data are refused")
    func dataTooLong() {
        #expect(throws: APDUError.dataTooLong(count: 65_536)) {
            try CommandAPDU(cla: 0, ins: 0xD6, p1: 0, p2: 0, data: Data(count: 65_536))
        }
    }

    @Test("a slice of a larger buffer is read by its own bytes")
    func slice() throws {
        let buffer = hex("FFFF 00D6000001EE FFFF")
        let command = try CommandAPDU(encoded: buffer[2..<8])
        #expect(command.data == hex("EE"))
        #expect(command.data.startIndex == 0)
        let built = try CommandAPDU(cla: 0, ins: 0xD6, p1: 0, p2: 0, data: buffer[2..<4])
        #expect(built.encoded == hex("00D600000200D6"))
    }

    @Test("random bytes are refused or read and written back the same")
    func randomBytes() {
        var generator = SeededGenerator(seed: 7816)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...24, using: &generator)
            var bytes = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
            // Small lengths make more of them valid.
            if count > 4 { bytes[4] %= 16 }
            if let command = try? CommandAPDU(encoded: bytes) {
                #expect(command.encoded == bytes)
            }
        }
    }
}
