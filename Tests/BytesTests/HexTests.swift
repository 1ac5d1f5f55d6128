import Bytes
import Foundation
import Testing

@Suite struct HexTests {
    @Test(
        "hexadecimal text gives its bytes",
        arguments: [
            ("", [UInt8]()),
            ("00", [0x00]),
            ("9000", [0x90, 0x00]),
            ("deadBEEF", [0xDE, 0xAD, 0xBE, 0xEF]),
            ("04:A1 b2", [0x04, 0xA1, 0xB2]),
            (" 01  02 ", [0x01, 0x02]),
        ]
    )
    func read(text: String, bytes: [UInt8]) {
        #expect(Data(hex: text) == Data(bytes))
    }

    @Test(
        "anything else gives nothing",
        arguments: [
            "0", "012", "0 1", "0:1", "0x01", "0g", "-1", "01,02", "01\n02", "\u{FF11}\u{FF11}",
            "é1", "1 2",
        ]
    )
    func refuse(text: String) {
        #expect(Data(hex: text) == nil)
    }

    @Test("bytes are written as two lower-case digits each")
    func write() {
        #expect(Data([0x00, 0x0A, 0xFF]).hex == "000aff")
        #expect(Data().hex == "")
        #expect(Data([1, 2, 3, 4])[2...].hex == "0304")
        #expect(UInt8(0x05).hex == "05")
        #expect(UInt16(0x6A82).hex == "6a82")
        #expect(UInt16(0x0001).hex == "0001")
    }

    @Test("every byte survives the way to text and back")
    func roundTrip() {
        let all = Data(UInt8.min...UInt8.max)
        #expect(Data(hex: all.hex) == all)
        #expect(Data(hex: all.hex.uppercased()) == all)
    }
}

/// Quirks T1 to T4 of facts/nbt.md, 7.4.
@Suite struct HexQuirkTests {
    @Test(
        "T4: digits that do not come in pairs, prefixes and other separators are refused",
        arguments: ["0xab:0xc:0xde", "0xab", "abc", "a b", "ab,cd", "ab-cd"]
    )
    func strict(text: String) {
        #expect(Data(hex: text) == nil)
    }

    @Test("T1, T2, T3: numbers become bytes by types of a fixed width alone")
    func width() {
        #expect(UInt16(0x0102).hex == "0102")
        #expect(UInt8(0x01).hex == "01")
        // A number that needs more is no such number; it is not cut.
        #expect(UInt16(exactly: 0x1_0001) == nil)
    }
}
