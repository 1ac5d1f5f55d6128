import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// MIFARE Classic through the chip's InDataExchange (facts/pn532.md, 7.3; MF1S50 data sheet, 8.7).
@Suite struct MifareClassicTagTests {
    private let uid = " de ad be ef"
    private let factoryKey = " ff ff ff ff ff ff"

    private func bench(_ tag: MifareClassicTag) -> Bench {
        let bench = Bench(tag)
        bench.makeFinite()
        _ = bench.command("4a 01 00")
        return bench
    }

    @Test func cardsAreDeliveredWithFactoryKeys() throws {
        for kind in MifareClassicKind.allCases {
            let tag = try MifareClassicTag(kind: kind)
            #expect(tag.memory.count == kind.blockCount * 16)
            #expect(tag.memory.suffix(16).hex == "ffffffffffff" + "ff078069" + "ffffffffffff")
        }
        #expect(try MifareClassicTag().memory.prefix(8).hex == "deadbeef" + "22" + "08" + "0400")
        #expect(
            try MifareClassicTag(kind: .classic4K).memory.prefix(8).hex
                == "deadbeef" + "22" + "18" + "0200")
    }

    @Test func anAuthenticatedSectorCanBeReadAndWritten() throws {
        let tag = try MifareClassicTag()
        let bench = bench(tag)
        #expect(bench.command("40 01 60 04" + factoryKey + uid) == "4100")
        let data = "000102030405060708090a0b0c0d0e0f"
        #expect(bench.command("40 01 a0 04 " + data) == "4100")
        #expect(bench.command("40 01 30 04") == "4100" + data)
        #expect(tag.memory[64..<80].hex == data)
        // The trailer: key A reads as 0.
        #expect(bench.command("40 01 30 07") == "4100" + "000000000000" + "ff078069" + "ffffffffffff")
        // Another sector directly (nested).
        #expect(bench.command("40 01 60 3f" + factoryKey + uid) == "4100")
        #expect(bench.command("40 01 30 3c") == "4100" + String(repeating: "00", count: 16))
    }

    @Test func withoutAuthenticationNothingCanBeRead() throws {
        let bench = bench(try MifareClassicTag())
        #expect(bench.command("40 01 30 04") == "4113")
        #expect(bench.command("40 01 30 04") == "4101", "and the card is idle")
    }

    @Test func aWrongKeyIsStatus14AndTheCardIsSilentUntilSelectedAgain() throws {
        let bench = bench(try MifareClassicTag())
        #expect(bench.command("40 01 60 04 00 00 00 00 00 00" + uid) == "4114")
        #expect(bench.command("40 01 60 04" + factoryKey + uid) == "4101")
        #expect(bench.command("4a 01 00") == "4b0101" + "00040804deadbeef")
        #expect(bench.command("40 01 60 04" + factoryKey + uid) == "4100")
    }

    @Test func theWrongUIDOrBlockFailsToo() throws {
        let bench = bench(try MifareClassicTag())
        #expect(bench.command("40 01 60 04" + factoryKey + " 01 02 03 04") == "4114")
        _ = bench.command("4a 01 00")
        #expect(bench.command("40 01 60 40" + factoryKey + uid) == "4114")
    }

    @Test func sevenByteUIDsUseTheirLastFourBytes() throws {
        let bench = bench(try MifareClassicTag(uid: .fixed(hex("04 11 22 33 44 55 66"))))
        #expect(bench.command("40 01 60 04" + factoryKey + " 33 44 55 66") == "4100")
    }

    @Test func anotherSectorIsRefused() throws {
        let bench = bench(try MifareClassicTag())
        _ = bench.command("40 01 60 04" + factoryKey + uid)
        #expect(bench.command("40 01 30 08") == "4113")
        #expect(bench.command("40 01 30 04") == "4101")
    }

    @Test func selectingAgainClosesTheSectorAndTheCipher() throws {
        let bench = bench(try MifareClassicTag())
        _ = bench.command("40 01 60 04" + factoryKey + uid)
        #expect(bench.command("06 63 38") == "0708", "Crypto1 is on")
        _ = bench.command("4a 01 00")
        #expect(bench.command("06 63 38") == "0700")
        #expect(bench.command("40 01 30 04") == "4113")
    }

    @Test func switchingTheCipherOffMakesTheCardDeaf() throws {
        let bench = bench(try MifareClassicTag())
        _ = bench.command("40 01 60 04" + factoryKey + uid)
        _ = bench.command("08 63 38 00")
        #expect(bench.command("40 01 30 04") == "4101")
    }

    @Test func keysOfASectorAreItsOwn() throws {
        let tag = try MifareClassicTag()
        tag.setKeys(a: hex("a0 a1 a2 a3 a4 a5"), b: hex("b0 b1 b2 b3 b4 b5"), sector: 1)
        let bench = bench(tag)
        #expect(bench.command("40 01 60 07 a0 a1 a2 a3 a4 a5" + uid) == "4100")
        #expect(bench.command("40 01 61 07 b0 b1 b2 b3 b4 b5" + uid) == "4100")
        #expect(bench.command("40 01 60 03" + factoryKey + uid) == "4100")
        #expect(bench.command("40 01 60 07" + factoryKey + uid) == "4114")
    }

    // MARK: - Value blocks

    @Test func valuesAreCountedAndTransferred() throws {
        let tag = try MifareClassicTag()
        // 100 with address 04.
        tag.load(hex("64 00 00 00 9b ff ff ff 64 00 00 00 04 fb 04 fb"), intoBlock: 4)
        let bench = bench(tag)
        _ = bench.command("40 01 60 04" + factoryKey + uid)
        #expect(bench.command("40 01 c1 04 0a 00 00 00") == "4100")
        #expect(tag.memory[64] == 0x64, "not before TRANSFER")
        #expect(bench.command("40 01 b0 04") == "4100")
        #expect(bench.command("40 01 30 04") == "4100" + "6e000000" + "91ffffff" + "6e000000" + "04fb04fb")
        #expect(bench.command("40 01 c0 04 6f 00 00 00") == "4100")
        #expect(bench.command("40 01 b0 05") == "4100")
        #expect(bench.command("40 01 30 05") == "4100" + "ffffffff" + "00000000" + "ffffffff" + "04fb04fb")
        #expect(bench.command("40 01 c2 04 00 00 00 00") == "4100")
        #expect(bench.command("40 01 b0 06") == "4100")
        #expect(bench.command("40 01 30 06") == "4100" + "6e000000" + "91ffffff" + "6e000000" + "04fb04fb")
    }

    @Test func aBlockThatIsNoValueIsRefused() throws {
        let bench = bench(try MifareClassicTag())
        _ = bench.command("40 01 60 04" + factoryKey + uid)
        #expect(bench.command("40 01 c1 04 01 00 00 00") == "4113")
    }

    @Test func aValueCannotOverflow() throws {
        let tag = try MifareClassicTag()
        tag.load(hex("ff ff ff 7f 00 00 00 80 ff ff ff 7f 00 ff 00 ff"), intoBlock: 4)
        let bench = bench(tag)
        _ = bench.command("40 01 60 04" + factoryKey + uid)
        #expect(bench.command("40 01 c1 04 01 00 00 00") == "4113")
    }

    // MARK: - Access bits

    /// Access bytes with C1 C2 C3 of each area, as the data sheet lays them out (MF1S50, 8.7.1).
    private func accessBytes(_ areas: [UInt8]) -> Data {
        var (c1, c2, c3): (UInt8, UInt8, UInt8) = (0, 0, 0)
        for (area, bits) in areas.enumerated() {
            c1 |= (bits >> 2 & 1) << UInt8(area)
            c2 |= (bits >> 1 & 1) << UInt8(area)
            c3 |= (bits & 1) << UInt8(area)
        }
        return Data([~c2 << 4 | ~c1 & 0x0F, c1 << 4 | ~c3 & 0x0F, c3 << 4 | c2, 0x69])
    }

    /// The table of data block conditions: who may read, write, increment, decrement (MF1S50, table 8). The trailer
    /// has 011, so that key B is a key.
    @Test(arguments: [
        (0b000, ["ab", "ab", "ab", "ab"]), (0b010, ["ab", "", "", ""]),
        (0b100, ["ab", "b", "", ""]), (0b110, ["ab", "b", "b", "ab"]),
        (0b001, ["ab", "", "", "ab"]), (0b011, ["b", "b", "", ""]), (0b101, ["b", "", "", ""]),
        (0b111, ["", "", "", ""]),
    ] as [(UInt8, [String])])
    func accessBitsRuleDataBlocks(condition: UInt8, allowed: [String]) throws {
        let access = accessBytes([condition, condition, condition, 0b011])
        let commands = [
            "30 04", "a0 04" + String(repeating: " 00", count: 16), "c1 04 01 00 00 00",
            "c0 04 01 00 00 00",
        ]
        for (key, code) in [("a", "60"), ("b", "61")] {
            for (command, holders) in zip(commands, allowed) {
                let tag = try MifareClassicTag()
                tag.load(hex("64 00 00 00 9b ff ff ff 64 00 00 00 04 fb 04 fb"), intoBlock: 4)
                tag.load(hex("ff ff ff ff ff ff") + access + hex("ff ff ff ff ff ff"), intoBlock: 7)
                let bench = bench(tag)
                #expect(bench.command("40 01 \(code) 04" + factoryKey + uid) == "4100")
                let isAllowed = bench.command("40 01 " + command)?.hasPrefix("4100")
                #expect(isAllowed == holders.contains(key), "\(command) with key \(key)")
            }
        }
    }

    @Test func aReadableKeyBOpensNothing() throws {
        // Factory access bits: 001, key B is data.
        let bench = bench(try MifareClassicTag())
        #expect(bench.command("40 01 61 04" + factoryKey + uid) == "4100")
        #expect(bench.command("40 01 30 04") == "4113")
    }

    @Test func trailersGiveAndTakeOnlyWhatTheAccessBitsAllow() throws {
        let tag = try MifareClassicTag()
        let access = accessBytes([0, 0, 0, 0b011])
        tag.load(hex("a0 a1 a2 a3 a4 a5") + access + hex("b0 b1 b2 b3 b4 b5"), intoBlock: 7)
        let bench = bench(tag)
        let new = "c0 c1 c2 c3 c4 c5 ff 07 80 69 d0 d1 d2 d3 d4 d5"
        _ = bench.command("40 01 60 07 a0 a1 a2 a3 a4 a5" + uid)
        #expect(
            bench.command("40 01 30 07")
                == "4100" + "000000000000" + access.hex + "000000000000")
        #expect(bench.command("40 01 a0 07 " + new) == "4113")
        _ = bench.command("4a 01 00")
        _ = bench.command("40 01 61 07 b0 b1 b2 b3 b4 b5" + uid)
        #expect(bench.command("40 01 a0 07 " + new) == "4100")
        #expect(tag.memory[112..<128] == hex(new))
    }

    @Test func contradictoryAccessBitsKillTheSector() throws {
        let tag = try MifareClassicTag()
        tag.load(hex("ff ff ff ff ff ff 00 00 00 00 ff ff ff ff ff ff"), intoBlock: 7)
        let bench = bench(tag)
        #expect(bench.command("40 01 60 04" + factoryKey + uid) == "4100")
        #expect(bench.command("40 01 30 04") == "4113")
    }

    @Test func block0CannotBeWritten() throws {
        let bench = bench(try MifareClassicTag())
        _ = bench.command("40 01 60 00" + factoryKey + uid)
        #expect(bench.command("40 01 a0 00" + String(repeating: " 00", count: 16)) == "4113")
    }

    @Test func theLargeSectorsOfA4KHaveSixteenBlocks() throws {
        let tag = try MifareClassicTag(kind: .classic4K)
        // Blocks 5 to 9 of sector 32 are its second area: nobody may touch them.
        tag.load(hex("ff ff ff ff ff ff") + accessBytes([0, 0b111, 0, 1]) + hex("ff ff ff ff ff ff"), intoBlock: 143)
        let bench = bench(tag)
        _ = bench.command("40 01 60 80" + factoryKey + uid)
        for block in ["80", "84", "8a", "8e"] {
            #expect(try #require(bench.command("40 01 30 " + block)).hasPrefix("4100"), "\(block)")
        }
        #expect(bench.command("40 01 30 85") == "4113")
    }
}
