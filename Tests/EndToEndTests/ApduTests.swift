import Foundation
import TestSupport
import Testing
import VirtualReader

/// `nfc-session apdu`, from the command line to the tag and back.
@Suite(.serialized) struct ApduTests {
    @Test("Commands and answers are printed with the status word's meaning")
    func text() async throws {
        let result = try await Tool.run(
            "apdu --virtual type4:ndef=d00000 --aid d2760000850101 00a4000c02e104 00b0000005 00B07fff01"
        )
        #expect(
            result.standardOutput == """
                > 00a4040007d276000085010100
                < 9000  done
                > 00a4000c02e104
                < 9000  done
                > 00b0000005
                < 0003d00000 9000  done
                > 00b07fff01
                < 6b00  wrong P1-P2 (offset outside the file)

                """
        )
        #expect(result.status == 1)
    }

    @Test("A type B card takes APDUs too, and '-' reads them from standard input")
    func typeB() async throws {
        let result = try await Tool.run(
            "apdu --json --virtual employee --aid f04e46432d53455353494f4e00000001 -",
            input: "00 20 00 81 04 31 32 33 34\n\n00b0810000"
        )
        let objects = try result.objects
        #expect(objects.map { $0["status"] as? String } == ["9000", "9000", "9000"])
        // The card's content: "EMPLOYEE 00012345 NFC SESSION".
        let content = hex("454d504c4f594545203030303132333435204e46432053455353494f4e")
        #expect(
            objects.last?["data"] as? String == content.map { String(format: "%02x", $0) }.joined()
        )
        #expect(result.status == 0)
    }

    @Test("Nothing more is sent when the application is refused")
    func refused() async throws {
        let result = try await Tool.run("apdu --json --virtual nbt --aid a0000000031010 00b0000001")
        #expect(try result.objects.map { $0["status"] as? String } == ["6a82"])
        #expect(result.status == 1)
    }

    @Test(
        "What is no command APDU is a usage error before anything is sent",
        arguments: ["00a4", "xyz", "00a404000", "00a4040005d2", "--aid d276 00b0000001"]
    )
    func usage(words: String) async throws {
        let result = try await Tool.run("apdu --virtual nbt \(words)")
        #expect(result.status == 2)
        #expect(result.standardOutput == "")
    }

    @Test("A tag without ISO-DEP is status 5, no tag in time is status 4")
    func noISODEP() async throws {
        let ntag = try await Tool.run("apdu --virtual ntag213 00a4040000")
        #expect(ntag.status == 5)
        #expect(ntag.standardError.contains("04a1b2c3d4e580"))
        #expect(try await Tool.run("apdu --virtual felica --timeout 1 00a4040000").status == 4)
    }

    @Test(
        "Extended commands and long answers pass whole, type A and B",
        arguments: [255, 256, 4000, 65_535],
        [false, true]
    )
    func extended(length: Int, isTypeB: Bool) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let card = Mirror()
        reader.place(isTypeB ? try TypeBTag(application: card) : try ISODEPTag(application: card))
        let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
        let lc =
            length <= 255
            ? String(format: "%02x", length) : "00" + String(format: "%04x", length)
        let text = data.map { String(format: "%02x", $0) }.joined()
        let result = try await Tool.run(
            "apdu --json --reader \(reader.connectionString) -",
            input: "00d60000" + lc + text + "\n"
        )
        #expect(try result.objects.first?["data"] as? String == text)
        #expect(result.status == 0, "\(result.standardError)")
    }
}

/// A card that answers with the data of the command, which has a length field of one or three bytes.
private final class Mirror: CardApplication {
    func respond(to command: Data) -> Data {
        let isExtended = command.dropFirst(4).first == 0
        return command.dropFirst(isExtended ? 7 : 5) + [0x90, 0x00]
    }

    func workingTime(of command: Data) -> Duration { .zero }
    func reset() {}
}
