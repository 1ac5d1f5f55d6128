import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// GetVersion of a DESFire EV1.
@Suite struct DESFireIdentificationTests {
    /// The bytes that a real card of 4096 bytes gave in a published log: UID, batch, week and year are its own.
    private func card() throws -> DESFireIdentification {
        try DESFireIdentification(
            uid: hex("04253DD29E5580"),
            batch: hex("B90C174D20"),
            week: 32,
            year: 2017
        )
    }

    static let cases: [CardCase] = [
        CardCase(
            "GetVersion, wrapped",
            [
                Step("9060000000", "0401010100180591AF"), Step("90AF000000", "0401010104180591AF"),
                Step("90AF000000", "04253DD29E5580B90C174D2032179100"), Step("90AF000000", "911C"),
            ]
        ),
        CardCase(
            "GetVersion, native",
            [
                Step("60", "AF04010101001805"), Step("AF", "AF04010101041805"),
                Step("AF", "0004253DD29E5580B90C174D203217"), Step("AF", "1C"),
            ]
        ),
        CardCase(
            "GetVersion can be started again in the middle",
            [
                Step("9060000000", "0401010100180591AF"), Step("9060000000", "0401010100180591AF"),
                Step("90AF000000", "0401010104180591AF"),
            ]
        ),
        CardCase(
            "another command ends GetVersion",
            [
                Step("9060000000", "0401010100180591AF"), Step("905A000000", "911C"),
                Step("90AF000000", "911C"),
            ]
        ),
        CardCase("other native commands", [Step("6E", "1C"), Step("5A000000", "1C")]),
        CardCase(
            "wrong lengths and parameters",
            [
                Step("9060000001AA00", "917E"), Step("6001", "7E"), Step("9060010000", "919E"),
                Step("9060", "917E"), Step("", "6700"),
            ]
        ),
        CardCase(
            "ISO commands",
            [Step("00A4040007D276000085010100", "6A82"), Step("00B0000000", "6D00")]
        ),
    ]

    @Test("a DESFire answers", arguments: cases)
    func answers(_ example: CardCase) throws {
        expect(try card(), answers: example.steps)
    }

    @Test("GetApplicationIDs gives 19 identifiers a frame, natively and wrapped")
    func applications() throws {
        let identifiers = (0..<20).map { Data([UInt8($0), 0xA0, 0xF0]) }
        let card = try DESFireIdentification(
            uid: hex("04253DD29E5580"),
            applications: identifiers
        )
        let first = identifiers.prefix(19).reduce(Data(), +).hex
        let steps = [
            Step("6A", "AF" + first), Step("AF", "00" + identifiers[19].hex),
            Step("906A000000", first + "91AF"), Step("90AF000000", identifiers[19].hex + "9100"),
            Step("6A01", "7E"), Step("AF", "1C"),
        ]
        expect(card, answers: steps)
        expect(try self.card(), answers: [Step("6A", "00"), Step("906A000000", "9100")])
    }

    @Test("a field loss ends GetVersion")
    func reset() throws {
        let card = try card()
        expect(card, answers: [Step("9060000000", "0401010100180591AF")])
        card.reset()
        expect(card, answers: [Step("90AF000000", "911C")])
    }

    @Test("arguments outside the limits are refused")
    func refusesArguments() {
        #expect(throws: CardError.self) { try DESFireIdentification(uid: hex("01020304")) }
        #expect(throws: CardError.self) {
            try DESFireIdentification(uid: hex("04253DD29E5580"), week: 54)
        }
        for applications in [[hex("0102")], [Data](repeating: Data(count: 3), count: 29)] {
            #expect(throws: CardError.self) {
                try DESFireIdentification(uid: hex("04253DD29E5580"), applications: applications)
            }
        }
    }
}
