import APDU
import Foundation
import TestSupport
import Testing

/// Vectors 54 to 57 of facts/nbt.md, 8.4.
@Suite struct ResponseAPDUTests {
    @Test(
        "a response is data and a status word",
        arguments: [
            ("9000", "", 0x9000),
            ("0102039000", "010203", 0x9000),
            ("6A82", "", 0x6A82),
            ("00A56982", "00A5", 0x6982),
        ] as [(String, String, UInt16)]
    )
    func decode(text: String, data: String, status: UInt16) throws {
        let response = try ResponseAPDU(encoded: hex(text))
        #expect(response.data == hex(data))
        #expect(response.statusWord.rawValue == status)
        #expect(response.encoded == hex(text))
    }

    @Test("fewer than two bytes are refused", arguments: ["", "90"])
    func tooShort(text: String) {
        #expect(throws: APDUError.responseTooShort(count: text.count / 2)) {
            try ResponseAPDU(encoded: hex(text))
        }
    }

    @Test("a slice of a larger buffer is read by its own bytes")
    func slice() throws {
        let response = try ResponseAPDU(encoded: hex("FFFF01029000FF")[2..<6])
        #expect(response.data == hex("0102"))
        #expect(response.statusWord == .ok)
    }

    @Test("only 9000 passes the check")
    func checkOK() throws {
        let good = try ResponseAPDU(encoded: hex("019000"))
        #expect(try good.checkOK() == good)
        for text in ["6A82", "0000", "6100", "6282", "9001"] {
            let response = try ResponseAPDU(encoded: hex(text))
            #expect(throws: APDUError.unexpectedStatus(response.statusWord)) {
                try response.checkOK()
            }
        }
    }

    @Test("an unexpected status word is reported with four digits and its meaning")
    func errorText() {
        let error = APDUError.unexpectedStatus(.notFound)
        #expect("\(error)" == "The tag answered 6A82: file or application not found.")
        #expect("\(APDUError.unexpectedStatus(StatusWord(rawValue: 0)))".contains("0000"))
    }
}
