import Bytes
import Foundation
import NFCReader
import TestSupport
import Testing

/// The answers of facts/pn532.md 2.1, 3.1 and 7.2, without D5 4B.
@Suite struct TargetTests {
    @Test(
        "reads a type A record",
        arguments: [
            ("01 01 0004 08 04 27 8b 70 34", 0x0004, 0x08, "278b7034", nil),
            (
                "01 01 0344 20 07 04 1e 20 61 80 1d 80 06 75 77 81 02 80", 0x0344, 0x20,
                "041e2061801d80", "067577810280"
            ),
            (
                "01 01 0048 20 07 04 13 14 21 8b 20 80 0d 78 77 b1 02 4a 43 4f 50 76 32 34 31",
                0x0048, 0x20,
                "041314218b2080", "0d7877b1024a434f50763234 31"
            ),
        ] as [(String, UInt16, UInt8, String, String?)]
    )
    func readsTypeA(answer: String, atqa: UInt16, sak: UInt8, uid: String, ats: String?) throws {
        let targets = try Target.list(hex(answer), technology: .iso14443a)
        #expect(
            targets == [
                .typeA(TypeATarget(atqa: atqa, sak: sak, uid: hex(uid), ats: ats.map { hex($0) }))
            ]
        )
    }

    @Test func readsTwoTypeARecords() throws {
        let answer = hex("02 01 0004 08 04 deadbeef 02 0344 20 07 041e2061801d80 067577810280")
        let targets = try Target.list(answer, technology: .iso14443a)
        #expect(targets.map(\.identifier) == [hex("deadbeef"), hex("041e2061801d80")])
        #expect(targets.map(\.number) == [1, 2])
    }

    @Test func readsATypeBRecord() throws {
        // facts/pn532.md 8, with PUPI a1a2a3a4.
        let targets = try Target.list(
            hex("01 01 50 a1a2a3a4 00000000 1181e1 01 01"),
            technology: .iso14443b
        )
        #expect(
            targets == [
                .typeB(
                    TypeBTarget(
                        pupi: hex("a1a2a3a4"),
                        applicationData: hex("00000000"),
                        protocolInfo: hex("1181e1")
                    )
                )
            ]
        )
        #expect(targets.first?.isISODEP == true)
    }

    @Test func readsAFeliCaRecordWithAndWithoutSystemCode() throws {
        let card = "01 0102030405060708 1112131415161718"
        let with = try Target.list(hex("01 01 14 \(card) 12fc"), technology: .felica)
        let without = try Target.list(hex("01 01 12 \(card)"), technology: .felica)
        #expect(with.first?.identifier == hex("0102030405060708"))
        guard case .feliCa(let first)? = with.first, case .feliCa(let second)? = without.first
        else {
            Issue.record("no FeliCa target")
            return
        }
        #expect(first.systemCode == 0x12FC)
        #expect(second.systemCode == nil)
        #expect(second.pmm == hex("1112131415161718"))
    }

    @Test func takesAnATSOfLengthZeroForOneThatSaysNothing() throws {
        let targets = try Target.list(
            hex("01 01 0344 20 07 041e2061801d80 00"),
            technology: .iso14443a
        )
        guard case .typeA(let tag)? = targets.first else {
            Issue.record("no type A target")
            return
        }
        #expect(tag.ats == hex("00"))
        #expect(tag.historicalBytes == Data())
    }

    @Test(
        "is an error when it ends early at any byte",
        arguments: [
            (Technology.iso14443a, "01 01 0344 20 07 041e2061801d80 067577810280"),
            (.iso14443b, "01 01 50 a1a2a3a4 00000000 1181e1 01 01"),
            (.felica, "01 01 14 01 0102030405060708 1112131415161718 12fc"),
        ]
    )
    func refusesTruncated(technology: Technology, answer: String) {
        let whole = hex(answer)
        for length in 0..<whole.count {
            // Without any byte of the ATS the tag simply sent none.
            if technology == .iso14443a, length == 13 { continue }
            #expect(throws: EndOfBytes.self) {
                try Target.list(whole.prefix(length), technology: technology)
            }
        }
    }

    @Test(
        "is an error when it cannot be",
        arguments: [
            (Technology.iso14443a, "03"),  // the chip has two places
            (.iso14443a, "01 01 0004 08 05 0102030405"),  // no UID has 5 bytes
            (.iso14443a, "01 01 0004 08 00"),
            (.iso14443b, "01 01 51 a1a2a3a4 00000000 1181e1 01 01"),  // ATQB begins with 50
            (.felica, "01 01 13 01 0102030405060708 1112131415161718 12"),
            (.felica, "01 01 12 02 0102030405060708 1112131415161718"),
        ]
    )
    func refusesImpossible(technology: Technology, answer: String) {
        #expect(throws: EndOfBytes.self) { try Target.list(hex(answer), technology: technology) }
    }

    @Test func neverReadsBeyondRandomBytes() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...48, using: &generator)
            let bytes = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) })
            for technology in Technology.allCases {
                _ = try? Target.list(Data([1]) + bytes, technology: technology)
            }
        }
    }

    @Test func knowsRandomUIDs() {
        #expect(TypeATarget(atqa: 4, sak: 0x20, uid: hex("08112233"), ats: nil).hasRandomUID)
        #expect(!TypeATarget(atqa: 4, sak: 0x20, uid: hex("04112233"), ats: nil).hasRandomUID)
        #expect(!TypeATarget(atqa: 4, sak: 0x20, uid: hex("08112233445566"), ats: nil).hasRandomUID)
    }
}
