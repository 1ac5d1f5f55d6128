import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// Ultralight and NTAG21x, command by command (facts/pn532.md, 7.4).
@Suite struct Type2TagTests {
    /// The answer in hex; an acknowledge or NAK as `ack a`, `nak 0`.
    private func send(_ tag: Type2Tag, _ command: String) -> String? {
        guard let answer = tag.receive(Frame(hex(command))) else { return nil }
        guard answer.isAcknowledge else { return answer.bytes.hex }
        return answer.bytes == hex("0a") ? "ack" : "nak " + answer.bytes.hex.suffix(1)
    }

    @Test(arguments: [
        (Type2Chip.ultralight, 16, "00000000", nil),
        (.ultralightC, 48, "00000000", "nak 0"),
        (.ultralightEV1, 20, "00000000", "0004030101000b03"),
        (.ultralightEV1Large, 41, "00000000", "0004030101000e03"),
        (.ntag203, 42, "e1101200", "nak 0"),
        (.ntag210, 20, "e1100600", "0004040101000b03"),
        (.ntag212, 41, "e1101000", "0004040101000e03"),
        (.ntag213, 45, "e1101200", "0004040201000f03"),
        (.ntag215, 135, "e1103e00", "0004040201001103"),
        (.ntag216, 231, "e1106d00", "0004040201001303"),
    ] as [(Type2Chip, Int, String, String?)])
    func chipsHaveTheirSizesAndVersions(
        chip: Type2Chip, pages: Int, container: String, version: String?
    ) throws {
        let tag = try Type2Tag(kind: chip)
        #expect(tag.memory.count == pages * 4)
        // BCC0 is 88 xor UID0 to UID2, BCC1 the exclusive or of the other four; 48 is the internal byte.
        #expect(tag.memory.prefix(16).hex == "04a1b29f" + "c3d4e580" + "72480000" + container)
        #expect(send(tag, "60") == version)
    }

    @Test func readGivesFourPagesAndWrapsToPage0() throws {
        let tag = try Type2Tag(kind: .ultralight)
        tag.load(hex("aa bb cc dd"), fromPage: 15)
        #expect(send(tag, "30 00") == tag.memory.prefix(16).hex)
        #expect(send(tag, "30 0f") == "aabbccdd" + tag.memory.prefix(12).hex)
        #expect(send(try Type2Tag(), "30 2d") == "nak 0")
    }

    @Test func fastReadGivesARange() throws {
        let tag = try Type2Tag()
        #expect(send(tag, "3a 00 03") == tag.memory.prefix(16).hex)
        #expect(send(tag, "3a 04 27")?.count == 36 * 8)
        for range in ["04 03", "00 2d", "2d 2d"] { #expect(send(tag, "3a " + range) == "nak 0") }
        #expect(send(try Type2Tag(kind: .ultralightC), "3a 00 03") == "nak 0")
    }

    @Test func writeChangesOnePage() throws {
        let tag = try Type2Tag()
        #expect(send(tag, "a2 04 01 02 03 04") == "ack")
        #expect(send(tag, "30 04")?.prefix(8) == "01020304")
        for page in ["00", "01", "2d", "ff"] {
            #expect(send(tag, "a2 \(page) 01 02 03 04") == "nak 0", "\(page)")
        }
        #expect(send(tag, "a2 04 01 02 03") == "nak 0")
    }

    @Test func compatibilityWriteTakesTheFirstFourOfSixteenBytes() throws {
        let tag = try Type2Tag()
        #expect(send(tag, "a0 05") == "ack")
        #expect(send(tag, "0a 0b 0c 0d 00 00 00 00 00 00 00 00 00 00 00 00") == "ack")
        #expect(send(tag, "30 05")?.prefix(8) == "0a0b0c0d")
        #expect(send(tag, "a0 00") == "nak 0")
        #expect(send(tag, "a0 05") == "ack")
        #expect(send(tag, "30 04") == "nak 0", "the data did not come")
    }

    // MARK: - Locks

    @Test func lockBitsAndPage3CanOnlyBeSet() throws {
        let tag = try Type2Tag(kind: .ultralight)
        #expect(send(tag, "a2 03 01 00 00 00") == "ack")
        #expect(send(tag, "a2 03 02 00 00 00") == "ack")
        #expect(send(tag, "30 03")?.prefix(8) == "03000000")
        // Byte 2 bit 4 locks page 4, byte 3 bit 0 page 8; bytes 0 and 1 of page 2 stay.
        #expect(send(tag, "a2 02 ff ff 10 01") == "ack")
        #expect(send(tag, "30 02")?.prefix(8) == "72481001")
        #expect(send(tag, "a2 02 00 00 00 00") == "ack")
        #expect(send(tag, "30 02")?.prefix(8) == "72481001")
        for (page, isLocked) in [("04", true), ("05", false), ("07", false), ("08", true), ("09", false)] {
            #expect(send(tag, "a2 \(page) 01 02 03 04") == (isLocked ? "nak 0" : "ack"), "\(page)")
        }
        // Bit 3 locks page 3.
        #expect(send(tag, "a2 02 00 00 08 00") == "ack")
        #expect(send(tag, "a2 03 04 00 00 00") == "nak 0")
    }

    @Test func blockLockingBitsFreezeLockBits() throws {
        let tag = try Type2Tag(kind: .ultralight)
        // Bit 1 freezes the lock bits of pages 4 to 9.
        #expect(send(tag, "a2 02 00 00 02 00") == "ack")
        #expect(send(tag, "a2 02 00 00 10 05") == "ack")
        #expect(send(tag, "30 02")?.prefix(8) == "72480204")
    }

    @Test func dynamicLockBitsLockTheRest() throws {
        let tag = try Type2Tag()
        // NTAG213: each bit of page 28 locks two pages from 10 on.
        #expect(send(tag, "a2 28 01 08 00 00") == "ack")
        for (page, isLocked) in [("10", true), ("11", true), ("12", false), ("26", true), ("27", true)] {
            #expect(send(tag, "a2 \(page) 01 02 03 04") == (isLocked ? "nak 0" : "ack"), "\(page)")
        }
    }

    // MARK: - Password and counter

    @Test func passwordAndPACKAreNotReadable() throws {
        let tag = try Type2Tag()
        #expect(send(tag, "a2 2b 11 22 33 44") == "ack")
        #expect(send(tag, "a2 2c aa bb 00 00") == "ack")
        #expect(send(tag, "3a 2b 2c") == "0000000000000000")
        #expect(tag.memory.suffix(8).hex == "11223344" + "aabb0000")
    }

    @Test func pagesBehindAUTH0NeedThePassword() throws {
        let tag = try Type2Tag()
        _ = send(tag, "a2 2b 11 22 33 44")
        _ = send(tag, "a2 2c aa bb 00 00")
        // PROT: reading, too. Then AUTH0: page 8.
        #expect(send(tag, "a2 2a 80 05 00 00") == "ack")
        #expect(send(tag, "a2 29 00 00 00 08") == "ack")
        #expect(send(tag, "30 08") == "nak 0")
        #expect(send(tag, "a2 08 01 02 03 04") == "nak 0")
        #expect(send(tag, "30 06")?.hasSuffix(tag.memory.prefix(8).hex) == true, "wraps")
        #expect(send(tag, "1b 00 00 00 00") == "nak 0")
        #expect(send(tag, "1b 11 22 33 44") == "aabb")
        #expect(send(tag, "a2 08 01 02 03 04") == "ack")
        #expect(send(tag, "30 08")?.prefix(8) == "01020304")
        tag.selected()
        #expect(send(tag, "30 08") == "nak 0", "selected again, the password must be given again")
    }

    @Test func tooManyWrongPasswordsCloseTheTag() throws {
        let tag = try Type2Tag()
        #expect(send(tag, "a2 2a 02 05 00 00") == "ack")
        #expect(send(tag, "1b 00 00 00 00") == "nak 0")
        #expect(send(tag, "1b ff ff ff ff") == "0000", "a right one starts the count again")
        #expect(send(tag, "1b 00 00 00 00") == "nak 0")
        #expect(send(tag, "1b 00 00 00 00") == "nak 0")
        #expect(send(tag, "1b ff ff ff ff") == "nak 4")
        tag.fieldLost()
        #expect(send(tag, "1b ff ff ff ff") == "nak 4")
    }

    @Test func theNFCCounterCountsTheFirstReadOfEachSession() throws {
        let tag = try Type2Tag()
        #expect(send(tag, "39 02") == "nak 0", "it is off as delivered")
        #expect(send(tag, "a2 2a 10 05 00 00") == "ack")
        #expect(send(tag, "39 02") == "000000")
        _ = send(tag, "30 00")
        _ = send(tag, "30 00")
        #expect(send(tag, "39 02") == "010000")
        tag.fieldLost()
        _ = send(tag, "3a 00 01")
        #expect(send(tag, "39 02") == "020000")
        #expect(send(tag, "39 00") == "nak 0")
    }

    @Test func ultralightEV1HasThreeCounters() throws {
        let tag = try Type2Tag(kind: .ultralightEV1)
        #expect(send(tag, "a5 01 01 02 00 00") == "ack")
        #expect(send(tag, "39 01") == "010200")
        #expect(send(tag, "39 00") == "000000")
        #expect(send(tag, "a5 01 ff ff ff 00") == "nak 0", "24 bits are all there are")
        #expect(send(tag, "39 03") == "nak 0")
        #expect(send(tag, "3e 01") == "bd")
    }

    @Test func theSignatureIsTheOneGiven() throws {
        let signature = Data((0..<32).map { UInt8($0) })
        #expect(send(try Type2Tag(signature: signature), "3c 00") == signature.hex)
        #expect(throws: VirtualReaderError.self) { try Type2Tag(signature: Data(count: 31)) }
    }

    @Test func everyTwoByteCommandIsSurvived() throws {
        for chip in Type2Chip.allCases {
            let tag = try Type2Tag(kind: chip)
            for code in UInt8.min ... .max {
                for argument: UInt8 in [0x00, 0x2C, 0x80, 0xFF] {
                    for padding in [0, 1, 4, 14] {
                        _ = tag.receive(Frame(Data([code, argument]) + Data(count: padding)))
                    }
                }
            }
        }
    }
}
