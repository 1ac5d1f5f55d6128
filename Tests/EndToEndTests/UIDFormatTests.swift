import Foundation
import TestSupport
import Testing

@testable import nfc_session

@Suite struct UIDFormatTests {
    /// What other systems print for the same tags.
    ///
    /// From facts/users.md, 3c; the UIDs of the Wiegand rows are those of
    /// monkeyboard/Wiegand-Protocol-Library-for-Arduino#54 (whose readers sent 9B3FAA and 68AF04)
    /// and #59 (D1E24D).
    @Test(
        "A UID reads as other systems print it",
        arguments: [
            ("04a2b3c4d5e6f7", .hex, "04a2b3c4d5e6f7"),
            ("04a2b3c4d5e6f7", .upperHex, "04A2B3C4D5E6F7"),
            ("04a2b3c4d5e6f7", .colons, "04:a2:b3:c4:d5:e6:f7"),
            ("04a2b3c4d5e6f7", .reversed, "f7e6d5c4b3a204"),
            ("00d507d0", .decimal10, "0013961168"),
            ("0400d507d0", .decimal10, "0013961168"),
            ("d007d5ff", .wiegand26, "213,02000"),
            ("d007d500", .wiegand34, "0013961168"),
            ("aa3f9b1a", .wiegand26, "155,16298"),
            ("04af68dac85a80", .wiegand26, "104,44804"),
            ("4de2d147", .wiegand26, "209,57933"),
            ("a4dccc1d", .decimal, "2765933597"),
            ("ffffffff", .decimal, "4294967295"),
            ("ffffffff", .decimal10, "4294967295"),
            // The table of README.md; numbers computed with Python's int.from_bytes.
            ("04a1b2c3d4e580", .decimal, "1303689068602752"),
            ("04a1b2c3d4e580", .decimal10, "3285509504"),
            ("04a1b2c3d4e580", .wiegand26, "178,41220"),
            ("04a1b2c3d4e580", .wiegand34, "3283263748"),
            ("00000000", .decimal, "0"),
            ("00000001", .decimal10, "0000000001"),
            ("ffffffffffffffffffff", .decimal, "1208925819614629174706175"),
        ] as [(String, UIDFormat, String)]
    )
    func format(uid: String, format: UIDFormat, text: String) {
        #expect(format(hex(uid)) == text)
    }

    @Test("An empty UID does no harm", arguments: UIDFormat.allCases)
    func empty(format: UIDFormat) {
        #expect(format(Data()).allSatisfy { $0 == "0" || $0 == "," })
    }

    @Test("A slice is written like any other bytes", arguments: UIDFormat.allCases)
    func slice(format: UIDFormat) {
        let slice = hex("ffff04a2b3c4d5e6f7").dropFirst(2)
        #expect(format(slice) == format(hex("04a2b3c4d5e6f7")))
    }

    @Test("A format that names no loss tells any two UIDs apart")
    func loss() {
        let uids = ["04a1b2c3", "04a1b2c4", "05a1b2c3", "04a1b2c3d4e580", "05a1b2c3d4e580"].map(hex)
        for format in UIDFormat.allCases {
            let distinct = Set(uids.map { format($0) }).count
            #expect(format.loss != nil || distinct == uids.count, "\(format)")
        }
        // The first three bytes, the first four, the last four: each hides one of these differences.
        #expect(UIDFormat.wiegand26(uids[0]) == UIDFormat.wiegand26(uids[1]))
        #expect(UIDFormat.wiegand34(uids[0]) == UIDFormat.wiegand34(uids[3]))
        #expect(UIDFormat.decimal10(uids[3]) == UIDFormat.decimal10(uids[4]))
    }

    @Test("Each format has its name on the command line")
    func names() {
        #expect(
            UIDFormat.allCases.map(\.rawValue) == [
                "hex", "HEX", "hex:", "reversed", "decimal", "decimal10", "wiegand26", "wiegand34",
            ]
        )
    }
}
