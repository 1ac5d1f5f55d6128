import APDU
import Foundation
import TestSupport
import Testing

/// What Infineon's library does wrong with commands and responses, done right: facts/nbt.md, 7.1 and
/// 7.3, and vectors 34 to 58 by their numbers.
@Suite struct QuirkTests {
    @Test(
        "A1 to A4, vectors 34 to 39 and 43 to 46: Le and extended lengths survive decoding",
        arguments: [
            (34, "00A40400", 0, nil), (35, "00B00000FF", 0, 255), (36, "00B0000000", 0, 256),
            (37, "00D6000001EE", 1, nil), (38, "00A4040007D276000085010100", 7, 256),
            (39, "00880000080102030405060708FF", 8, 255), (43, "00B000000003E8", 0, 1000),
            (44, "00D60000000001EE", 1, nil), (45, "00D60000000001EE0000", 1, 65_536),
            (46, "00B00000000000", 0, 65_536),
        ] as [(Int, String, Int, Int?)]
    )
    func decoding(number: Int, bytes: String, count: Int, expectedLength: Int?) throws {
        let command = try CommandAPDU(encoded: hex(bytes))
        #expect(command.data.count == count)
        #expect(command.expectedLength == expectedLength)
        #expect(command.encoded == hex(bytes))
    }

    @Test(
        "A5, vectors 40 to 42: what is no command is refused",
        arguments: [(40, "00A404"), (41, "00D6000003EE"), (42, "00D6000000EE")]
    )
    func refused(number: Int, bytes: String) {
        let expected: APDUError = number == 40 ? .commandTooShort(count: 3) : .lengthMismatch
        #expect(throws: expected) { try CommandAPDU(encoded: hex(bytes)) }
    }

    @Test(
        "A6, A7, vectors 47 to 53: no content is lost in the extended form",
        arguments: [
            (47, 0, 256, 5, "00B0010200"), (48, 0, 257, 7, "00B00102000101"),
            (49, 0, 65_536, 7, "00B00102000000"), (50, 1, 256, 7, "00B0010201AA00"),
            (51, 255, 256, 261, "00B00102FFAA"), (52, 256, nil, 263, "00B00102000100AA"),
            (53, 256, 256, 265, "00B00102000100AA"),
        ] as [(Int, Int, Int?, Int, String)]
    )
    func encoding(number: Int, count: Int, length: Int?, total: Int, start: String) throws {
        let command = try CommandAPDU(
            cla: 0x00,
            ins: 0xB0,
            p1: 0x01,
            p2: 0x02,
            data: Data(repeating: 0xAA, count: count),
            expectedLength: length
        )
        #expect(command.encoded.count == total)
        #expect(command.encoded.starts(with: hex(start)))
        #expect(command.encoded.filter { $0 == 0xAA }.count == count)
        if number == 53 { #expect(command.encoded.suffix(2) == hex("0100")) }
    }

    @Test(
        "vectors 54 to 56, A17: data and status word, whatever the byte order of the machine",
        arguments: [
            (54, "9000", "", 0x9000), (55, "0102039000", "010203", 0x9000),
            (56, "6A82", "", 0x6A82),
        ] as [(Int, String, String, UInt16)]
    )
    func responses(number: Int, bytes: String, data: String, status: UInt16) throws {
        let response = try ResponseAPDU(encoded: hex(bytes))
        #expect(response.data == hex(data))
        #expect(response.statusWord.rawValue == status)
    }

    @Test("R1, vector 57: one byte or none is no response", arguments: ["", "90"])
    func tooShort(bytes: String) {
        #expect(throws: APDUError.responseTooShort(count: bytes.count / 2)) {
            try ResponseAPDU(encoded: hex(bytes))
        }
    }

    @Test("R2: an unexpected status word is told with four digits")
    func digits() {
        let text = "\(APDUError.unexpectedStatus(StatusWord(rawValue: 0)))"
        #expect(text.contains(" 0000:"))
    }

    @Test("A8: an expected length below 1 is refused", arguments: [-1, 0])
    func negative(length: Int) {
        #expect(throws: APDUError.expectedLengthOutOfRange(length)) {
            try CommandAPDU(cla: 0, ins: 0xB0, p1: 0, p2: 0, expectedLength: length)
        }
    }
}
