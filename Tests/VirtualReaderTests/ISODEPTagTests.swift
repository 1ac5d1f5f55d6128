import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// The card's side of ISO 14443-4, block by block. Rule numbers are those of ISO 14443-4, 7.5.
@Suite struct ISODEPTagTests {
    /// A tag after RATS with frames of 16 bytes (FSDI 0) and CID 0: 12 bytes of data a block at most.
    private func activated(
        _ application: EchoApplication = EchoApplication(), rats: String = "e0 00"
    ) throws -> ISODEPTag {
        let tag = try ISODEPTag(application: application)
        #expect(tag.receive(Frame(hex(rats)))?.bytes == hex("06 78 80 80 02 80"))
        return tag
    }

    private func answer(_ tag: any VirtualTag, _ block: String) -> String? {
        tag.receive(Frame(hex(block)))?.bytes.hex
    }

    @Test func ratsComesFirst() throws {
        let tag = try ISODEPTag(application: EchoApplication())
        for frame in ["02 00", "c2", "30 00", "e0", "e0 0f", "e0 50 00"] {
            #expect(answer(tag, frame) == nil, "\(frame)")
        }
        #expect(answer(tag, "e0 50") == "067880800280")
    }

    @Test func blockNumbersAlternate() throws {
        let tag = try activated()
        #expect(answer(tag, "02 01") == "02019000")
        #expect(answer(tag, "03 02") == "03029000")
        #expect(answer(tag, "02 03") == "02039000")
    }

    @Test func pcbWithCIDIsAnsweredWithCID() throws {
        let tag = try activated(rats: "e0 03")
        #expect(answer(tag, "02 01") == nil, "a block without CID is for CID 0")
        #expect(answer(tag, "0a 02 01") == nil, "another card's CID")
        #expect(answer(tag, "0a 03 01") == "0a03019000")
        #expect(answer(tag, "ca 03") == "ca03")
    }

    @Test func ppsIsTakenOnceAndFirst() throws {
        let tag = try activated()
        #expect(answer(tag, "d0 11 05") == "d0")
        #expect(answer(tag, "d0 11 05") == nil)
    }

    @Test func chainedCommandsAreAcknowledgedBlockByBlock() throws {
        let application = EchoApplication()
        let tag = try activated(application)
        #expect(answer(tag, "12 00 a4") == "a2")
        #expect(answer(tag, "13 04 00") == "a3")
        #expect(answer(tag, "02 07") == "02" + "00a40400079000")
        #expect(application.commands == [hex("00 a4 04 00 07")])
    }

    @Test func longResponsesAreChainedAsTheReaderAcknowledges() throws {
        let response = Data((0..<30).map { UInt8($0) })
        let tag = try activated(EchoApplication { _ in response })
        #expect(answer(tag, "02 00") == "12" + response[..<12].hex)
        #expect(answer(tag, "a3") == "13" + response[12..<24].hex)
        // Rule 11: R(ACK) with the current number asks for the same block again.
        #expect(answer(tag, "a3") == "13" + response[12..<24].hex)
        #expect(answer(tag, "a2") == "02" + response[24...].hex)
        #expect(answer(tag, "a3") == nil, "there is no more")
    }

    @Test func aLostAnswerIsRepeatedWithoutAskingTheApplicationAgain() throws {
        let application = EchoApplication()
        let tag = try activated(application)
        #expect(answer(tag, "02 01") == "02019000")
        // Rule 11.
        #expect(answer(tag, "b2") == "02019000")
        #expect(application.commands.count == 1)
        // Rule 12: R(NAK) with the next number means that the next block was lost.
        #expect(answer(tag, "b3") == "a2")
    }

    @Test func beforeTheFirstBlockNAKIsAnsweredByACK() throws {
        #expect(answer(try activated(), "b2") == "a3")
    }

    @Test func aCardThatNeedsTimeSaysSoFirst() throws {
        // FWI 8 is 77.3 ms; 200 ms is less than three of them.
        let application = EchoApplication(workingTime: .milliseconds(200))
        let tag = try activated(application)
        #expect(answer(tag, "02 01") == "f203")
        #expect(application.commands.isEmpty)
        #expect(answer(tag, "b2") == "f203", "the request for time is a block like others")
        let last = tag.receive(Frame(hex("f2 03")))
        #expect(last?.bytes == hex("02 01 90 00"))
        #expect(last?.delay == .milliseconds(200))
    }

    @Test func deselectResetsTheApplicationAndEndsTheProtocol() throws {
        let application = EchoApplication()
        let tag = try activated(application)
        let before = application.resetCount
        #expect(answer(tag, "c2") == "c2")
        #expect(application.resetCount == before + 1)
        #expect(answer(tag, "02 01") == nil)
        #expect(answer(tag, "e0 80") == "067880800280")
    }

    @Test func losingTheFieldResetsTheApplication() throws {
        let application = EchoApplication()
        let tag = try activated(application)
        let before = application.resetCount
        tag.fieldLost()
        #expect(application.resetCount > before)
        #expect(answer(tag, "02 01") == nil)
    }

    @Test(arguments: ["", "00", "ff", "42", "0a", "f2", "e2 00", "06 00 01", "d1 11 00"])
    func whatIsNoBlockIsNotAnswered(block: String) throws {
        #expect(answer(try activated(), block) == nil)
    }

    @Test func randomBlocksNeverCrash() throws {
        var generator = SystemRandomNumberGenerator()
        let tag = try activated(EchoApplication { Data($0.prefix(40)) + hex("90 00") })
        for _ in 0..<5_000 {
            let count = Int.random(in: 0...20, using: &generator)
            let block = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            _ = tag.receive(Frame(Data(block)))
        }
    }

    @Test func impossibleTagsAreRefused() {
        let application = EchoApplication()
        for uid in ["", "01 02 03", "88 01 02 03", "01 02 03 88 05 06 07"] {
            #expect(throws: VirtualReaderError.self) {
                try ISODEPTag(uid: .fixed(hex(uid)), application: application)
            }
        }
        for ats in ["", "01", "00", "05 78", "05 78 80 70 02 00"] {
            #expect(throws: VirtualReaderError.self) {
                try ISODEPTag(ats: hex(ats), application: application)
            }
        }
        #expect(throws: VirtualReaderError.self) {
            try TypeBTag(pupi: hex("01 02 03"), application: application)
        }
        #expect(throws: VirtualReaderError.self) {
            try TypeBTag(protocolInfo: hex("00 80 80"), application: application)
        }
        #expect(throws: VirtualReaderError.self) { try Type2Tag(uid: .fixed(hex("01 02 03 04"))) }
        #expect(throws: VirtualReaderError.self) {
            try MifareClassicTag(uid: .fixed(hex("01 02 03 04 05 06 07 08 09 0a")))
        }
        #expect(throws: VirtualReaderError.self) { try FeliCaTag(idm: hex("01")) }
        #expect(throws: VirtualReaderError.self) { try FeliCaTag(systemCodes: []) }
    }
}
