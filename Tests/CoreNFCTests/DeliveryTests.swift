import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// Which tags are reported, and as what (facts/corenfc.md, 2.8 and 2.9).
@Suite(.serialized) struct DeliveryTests {
    private static let first = "A0000000010101"
    private static let second = "a000000002"
    private static let selectFirst = "00a4040007a000000001010100"
    private static let selectSecond = "00a4040005a00000000200"

    private func list(_ identifiers: String...) -> (inout NFCSessionConfiguration) -> Void {
        { $0.iso7816SelectIdentifiers = identifiers }
    }

    // Fact 2.8: The reader sends SELECT by DF name (P1 = 04)
    // Fact 2.8: The exact SELECT sent (P2, Le)
    @Test(
        "The listed applications are tried in order up to the first success, which is left selected"
    )
    func applicationOrder() async throws {
        let card = ScriptedCard([Self.selectSecond: "6f009000", "00b0000000": "019000"])
        try await withBench(
            [try ISODEPTag(application: card)],
            configure: list(Self.first, Self.second, ScriptedCard.type4AID)
        ) { bench in
            let tags = try await bench.client.nextTags()
            #expect(try tags.iso7816.initialSelectedAID == Self.second)
            #expect(card.commands == [Self.selectFirst, Self.selectSecond])
            try await bench.session.connect(to: tags.only)
            let apdu = try #require(NFCISO7816APDU(data: hex("00B0000000")))
            let (data, _, _) = try await tags.iso7816.sendCommand(apdu: apdu)
            #expect(data == hex("01"))
            #expect(card.commands == [Self.selectFirst, Self.selectSecond, "00b0000000"])
        }
    }

    @Test("A type A tag gives UID and historical bytes, and no application data")
    func typeA() async throws {
        let tag = try ISODEPTag(
            uid: .fixed(hex("04A1B2C3D4E5F6")),
            ats: hex("0A788080024A434F5034"),
            application: ScriptedCard.type4
        )
        try await withBench([tag]) { bench in
            let found = try await bench.client.nextTags().iso7816
            #expect(found.identifier == hex("04A1B2C3D4E5F6"))
            #expect(found.historicalBytes == hex("4A434F5034"))
            #expect(found.applicationData == nil)
            #expect(!found.proprietaryApplicationDataCoding)
            #expect(found.initialSelectedAID == ScriptedCard.type4AID)
        }
    }

    // Fact 2.8: Type B:
    /// ADC is bits 4 and 3 of the third protocol info byte, 01 for the coding of ISO 14443-3 (7.9.4).
    @Test(
        "A type B tag gives PUPI and application data, and says how the latter is coded",
        arguments: [("008181", true), ("008185", false)]
    )
    func typeB(protocolInfo: String, isProprietary: Bool) async throws {
        let tag = try TypeBTag(
            pupi: hex("B0B1B2B3"),
            applicationData: hex("00112233"),
            protocolInfo: hex(protocolInfo),
            application: ScriptedCard.type4
        )
        try await withBench([tag]) { bench in
            let found = try await bench.client.nextTags().iso7816
            #expect(found.identifier == hex("B0B1B2B3"))
            #expect(found.applicationData == hex("00112233"))
            #expect(found.historicalBytes == nil)
            #expect(found.proprietaryApplicationDataCoding == isProprietary)
        }
    }

    @Test("A card that wants no Le field in SELECT gets it without")
    func selectWithoutLe() async throws {
        let card = ScriptedCard([
            ScriptedCard.selectType4: "6700", "00a4040007d2760000850101": "9000",
        ])
        try await withBench([try ISODEPTag(application: card)]) { bench in
            _ = try await bench.client.nextTags().iso7816
            #expect(card.commands == [ScriptedCard.selectType4, "00a4040007d2760000850101"])
        }
    }

    // Fact 2.8: No entry succeeds, and the tag is a MIFARE product
    // Fact 2.8: A MIFARE DESFire is .iso7816
    @Test("A DESFire without a listed application is a MIFARE tag, with one it is an ISO 7816 tag")
    func desfire() async throws {
        func tag(_ card: ScriptedCard) throws -> ISODEPTag {
            try ISODEPTag(
                uid: .fixed(hex("041E2061801D80")),
                atqa: 0x0344,
                ats: hex("067577810280"),
                application: card
            )
        }
        try await withBench([try tag(ScriptedCard())]) { bench in
            let found = try await bench.client.nextTags().miFare
            #expect(found.mifareFamily == .desfire)
            #expect(found.historicalBytes == hex("80"))
        }
        try await withBench([try tag(ScriptedCard.type4)]) { bench in
            _ = try await bench.client.nextTags().iso7816
        }
    }

    // Fact 2.8: No entry succeeds, and the tag is a MIFARE product
    @Test("A MIFARE Plus in ISO 14443-4 is of the family plus")
    func plus() async throws {
        let tag = try ISODEPTag(
            ats: hex("0C75778002C1052F2F01BCD6"),
            application: ScriptedCard(otherwise: "6d00")
        )
        try await withBench([tag]) { bench in
            let found = try await bench.client.nextTags().miFare
            #expect(found.mifareFamily == .plus)
        }
    }

    // Fact 2.8: Ultralight, NTAG21x
    @Test("An NTAG is of the family ultralight, and found by one chip command")
    func ntag() async throws {
        try await withBench(begins: false) { bench in
            bench.reader.place(try Type2Tag())
            bench.session.begin()
            try await bench.client.expectActive()
            let found = try await bench.client.nextTags().miFare
            #expect(found.mifareFamily == .ultralight)
            #expect(found.identifier == hex("04A1B2C3D4E580"))
            #expect(found.historicalBytes == nil)
            // InListPassiveTarget, and no exchange with the tag.
            #expect(bench.reader.statistics.commands[0x4A] == 1)
            #expect(bench.reader.statistics.tagExchanges == 0)
        }
    }

    // Fact 2.8: MIFARE Classic: not supported
    @Test("A MIFARE Classic is a MIFARE tag of unknown family", arguments: [4, 7])
    func classic(uidLength: Int) async throws {
        let uid = hex("DEADBEEF010203").prefix(uidLength)
        try await withBench([try MifareClassicTag(uid: .fixed(Data(uid)))]) { bench in
            let found = try await bench.client.nextTags().miFare
            #expect(found.mifareFamily == .unknown)
            #expect(found.identifier == Data(uid))
        }
    }

    // Fact 2.8: Dual-interface chips
    @Test(
        "A smart card with a Classic inside is one tag: ISO 7816 with a listed application, else MIFARE",
        arguments: [0x28, 0x38] as [UInt8]
    )
    func dualInterface(sak: UInt8) async throws {
        for isListed in [false, true] {
            let tag = try ISODEPTag(
                uid: .fixed(hex("DEADBEEF")),
                sak: sak,
                ats: hex("0578807002"),
                application: isListed ? ScriptedCard.type4 : ScriptedCard()
            )
            try await withBench([tag]) { bench in
                let found = try await bench.client.nextTags()
                if isListed {
                    #expect(try found.iso7816.identifier == hex("DEADBEEF"))
                } else {
                    #expect(try found.miFare.mifareFamily == .unknown)
                    #expect(try found.miFare.historicalBytes == Data())
                }
            }
        }
    }

    // Fact 2.8: Other type A tags
    @Test("A type A tag of another maker is a MIFARE tag of unknown family")
    func otherTypeA() async throws {
        try await withBench([Skylander()]) { bench in
            let found = try await bench.client.nextTags().miFare
            #expect(found.mifareFamily == .unknown)
            #expect(found.identifier == hex("01020304"))
        }
    }

    // Fact 2.8: No entry succeeds and it is not a MIFARE product
    @Test(
        "A smart card without a listed application is not reported, and does not hide the next tag"
    )
    func unlisted() async throws {
        let card = ScriptedCard()
        let tag = try ISODEPTag(application: card)
        try await withBench([tag]) { bench in
            try await bench.waitUntil { card.commands.count >= 3 }
            #expect(bench.client.events.count == 1)
            bench.reader.swap(tag, for: try Type2Tag())
            _ = try await bench.client.nextTags().miFare
        }
    }

    // Fact 2.8: No entry succeeds and it is not a MIFARE product
    @Test("A type B card without a listed application is not reported")
    func unlistedTypeB() async throws {
        let card = ScriptedCard()
        try await withBench([try TypeBTag(application: card)]) { bench in
            try await bench.waitUntil { card.commands.count >= 2 }
            #expect(bench.client.events.count == 1)
        }
    }

    @Test("With unlisted applications allowed, it is reported with no application selected")
    func allowedUnlisted() async throws {
        let card = ScriptedCard(otherwise: "6a82")
        try await withBench(
            [try ISODEPTag(application: card)],
            configure: { $0.allowsUnlistedApplications = true }
        ) { bench in
            let tag = try await bench.client.nextTags().iso7816
            #expect(tag.initialSelectedAID.isEmpty)
            let apdu = try #require(NFCISO7816APDU(data: hex("00A4040005A00000000900")))
            let (_, sw1, sw2) = try await tag.sendCommand(apdu: apdu)
            #expect((sw1, sw2) == (0x6A, 0x82))
        }
    }

    // Fact 2.8: With no valid AID entry in Info.plist
    @Test("Without a list no SELECT is sent; MIFARE tags are reported, smart cards are not")
    func noList() async throws {
        let card = ScriptedCard.type4
        let smartCard = try ISODEPTag(application: card)
        try await withBench([smartCard], configure: { $0.iso7816SelectIdentifiers = [] }) { bench in
            try await bench.waitUntil { bench.reader.statistics.commands[0x4A, default: 0] >= 4 }
            #expect(bench.client.events.count == 1)
            #expect(card.commands.isEmpty)
            bench.reader.swap(smartCard, for: try Type2Tag())
            _ = try await bench.client.nextTags().miFare
        }
    }

    // Fact 2.8: Polling: .iso14443 covers type A and B
    @Test("An idle round is one chip command, every third one for type B")
    func idleRounds() async throws {
        try await withBench { bench in
            let polls = Polls()
            bench.reader.trace = polls.note
            // BrTy: 00 type A, 03 type B (facts/pn532.md, 3.1).
            let (typeA, typeB) = ("4a0200", "4a010300")
            let period = [typeA, typeA, typeB]
            // Somewhere undisturbed: on a busy machine a poll may be lost.
            try await bench.waitUntil {
                polls.all.joined().contains((period + period + period).joined())
            }
            #expect(Set(polls.all) == [typeA, typeB])
            #expect(bench.reader.statistics.tagExchanges == 0)
        }
    }

    // Fact 2.9: didDetect gives an array
    // Fact 2.9: Only one tag is connected at a time
    // Fact 2.3: tag command before connect
    @Test("Two type A tags are reported together, and each works once it is connected")
    func twoTags() async throws {
        let smart = ScriptedCard([ScriptedCard.selectType4: "9000", "00b0000000": "a19000"])
        let one = try ISODEPTag(uid: .fixed(hex("04A1A1A1A1A1A1")), application: smart)
        let other = try Type2Tag(uid: .fixed(hex("04B2B2B2B2B2B2")))
        try await withBench(begins: false) { bench in
            bench.reader.place(one)
            bench.reader.place(other)
            bench.session.begin()
            try await bench.client.expectActive()
            let tags = try await bench.client.nextTags().tags
            #expect(tags.count == 2)
            var smartTag: (any NFCISO7816Tag)?
            var memoryTag: (any NFCMiFareTag)?
            for tag in tags {
                if case .iso7816(let tag) = tag { smartTag = tag }
                if case .miFare(let tag) = tag { memoryTag = tag }
            }
            let card = try #require(smartTag)
            let memory = try #require(memoryTag)
            let apdu = try #require(NFCISO7816APDU(data: hex("00B0000000")))
            let getVersion = hex("60")

            await #expect(throws: NFCReaderError(.readerTransceiveErrorTagNotConnected)) {
                try await card.sendCommand(apdu: apdu)
            }
            for _ in 0..<2 {
                try await bench.session.connect(to: .miFare(memory))
                #expect(memory.isAvailable)
                #expect(!card.isAvailable)
                #expect(
                    try await memory.sendMiFareCommand(commandPacket: getVersion)
                        == hex("0004040201000F03")
                )
                await #expect(throws: NFCReaderError(.readerTransceiveErrorTagNotConnected)) {
                    try await card.sendCommand(apdu: apdu)
                }

                try await bench.session.connect(to: .iso7816(card))
                #expect(card.isAvailable)
                #expect(!memory.isAvailable)
                // The application is selected again, because the tag was let go meanwhile.
                #expect(smart.commands.last == ScriptedCard.selectType4)
                let (data, _, _) = try await card.sendCommand(apdu: apdu)
                #expect(data == hex("a1"))
            }
        }
    }

    // Fact 2.9: Only one tag is connected at a time
    @Test("Two smart cards are reported together, each with its application, and kept apart")
    func twoSmartCards() async throws {
        let cards = ["a1", "b2"].map { answer in
            ScriptedCard([ScriptedCard.selectType4: "9000", "00b0000000": answer + "9000"])
        }
        let uids = ["04A1A1A1A1A1A1", "04B2B2B2B2B2B2"]
        try await withBench(begins: false) { bench in
            for (uid, card) in zip(uids, cards) {
                bench.reader.place(try ISODEPTag(uid: .fixed(hex(uid)), application: card))
            }
            bench.session.begin()
            try await bench.client.expectActive()
            let tags = try await bench.client.nextTags().tags
            #expect(tags.count == 2)
            let apdu = try #require(NFCISO7816APDU(data: hex("00B0000000")))
            for tag in tags + tags {
                guard case .iso7816(let card) = tag else { throw Unexpected(events: "\(tags)") }
                try await bench.session.connect(to: tag)
                let (data, _, _) = try await card.sendCommand(apdu: apdu)
                #expect(data == (card.identifier == hex(uids[0]) ? hex("a1") : hex("b2")))
            }
        }
    }
}

/// A tag with a chip that is no MIFARE product and has no ISO 14443-4 (TNP3xxx; facts/pn532.md, 7.1); it knows no command.
private final class Skylander: VirtualTag {
    let name = "TNP3xxx"
    let identification = Identification.typeA(
        atqa: 0x0F01,
        sak: 0x01,
        uid: hex("01020304"),
        ats: nil
    )

    func receive(_ frame: Frame) -> Answer? { nil }
    func fieldLost() {}
}
