import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// Commands and their errors (facts/corenfc.md, 2.6 and 2.10).
@Suite(.serialized) struct CommandTests {
    private func apdu(_ encoded: String) throws -> NFCISO7816APDU {
        try #require(NFCISO7816APDU(data: hex(encoded)))
    }

    // Fact 2.6: card answers a status word other than 9000
    // Fact 2.10: sendCommand returns data without SW
    @Test(
        "Every status word is handed over without an error, and none is acted on",
        arguments: [
            ("9000", "", 0x90, 0x00), ("6a82", "", 0x6A, 0x82), ("6102", "", 0x61, 0x02),
            ("6c10", "", 0x6C, 0x10), ("0102039000", "010203", 0x90, 0x00),
            ("aa63c2", "aa", 0x63, 0xC2),
        ]
    )
    func statusWords(answer: String, data: String, sw1: UInt8, sw2: UInt8) async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000", "00b0000000": answer])
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let response = try await tag.sendCommand(apdu: try apdu("00B0000000"))
            #expect(response.0 == hex(data))
            #expect(response.1 == sw1)
            #expect(response.2 == sw2)
            #expect(card.commands == [ScriptedCard.selectType4, "00b0000000"])
        }
    }

    @Test("Completion, Result and async forms give the same answer")
    func forms() async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000", "00b0000000": "05069000"])
        try await withBench([try ISODEPTag(application: card)]) { bench in
            nonisolated(unsafe) let tag = try await bench.client.nextTags().iso7816
            let command = try apdu("00B0000000")
            let completion = await withCheckedContinuation { continuation in
                tag.sendCommand(apdu: command) { data, sw1, sw2, error in
                    continuation.resume(returning: error == nil ? data + [sw1, sw2] : nil)
                }
            }
            #expect(completion == hex("05069000"))
            let result: Result<NFCISO7816ResponseAPDU, any Error> = await withCheckedContinuation {
                continuation in
                tag.sendCommand(apdu: command) { continuation.resume(returning: $0) }
            }
            #expect(try result.get().payload == hex("0506"))
            let response: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: command)
            #expect(response.payload == hex("0506"))
            #expect(response.statusWord1 == 0x90)
        }
    }

    // Fact 2.6: SELECT by name (P1 = 04) of an AID not on the list
    @Test(
        "Selecting an application that is not listed, or none, is a security violation; nothing is sent",
        arguments: [
            "00A4040007A000000247100100", "00A40400", "00A4040000", "00A4040006D27600008501",
        ]
    )
    func selectGuard(command: String) async throws {
        let card = ScriptedCard.type4
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let before = bench.reader.statistics.totalCommands
            await #expect(throws: NFCReaderError(.readerErrorSecurityViolation)) {
                try await tag.sendCommand(apdu: try apdu(command))
            }
            #expect(bench.reader.statistics.totalCommands == before)
            #expect(bench.session.isReady)
            let (_, sw1, _) = try await tag.sendCommand(
                apdu: try apdu("00A4040007D276000085010100")
            )
            #expect(sw1 == 0x90)
        }
    }

    @Test(
        "Selecting a file, and SELECT under secure messaging, is not held up",
        arguments: ["00A4000C023F00", "00A4020C02011E", "0CA4040C05870101020300"]
    )
    func otherSelects(command: String) async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000"], otherwise: "9000")
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let (_, sw1, _) = try await tag.sendCommand(apdu: try apdu(command))
            #expect(sw1 == 0x90)
            #expect(card.commands.count == 2)
        }
    }

    // Fact 2.1: Whether two tag commands may be in flight at once
    @Test("Commands are carried out in the order in which they were given")
    func order() async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000"], otherwise: "9000")
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let commands = (0..<20).map { "00b0000" + String($0 / 10) + "0" + String($0 % 10) }
            try await confirmation(expectedCount: 20) { answered in
                for command in commands {
                    tag.sendCommand(apdu: try apdu(command)) { _, _, _, error in
                        if error == nil { answered() }
                    }
                }
                try await bench.waitUntil { card.commands.count == 21 }
                // Behind the last handler: the queue is serial.
                _ = try await tag.sendCommand(apdu: try apdu("00B0000000"))
            }
            #expect(card.commands[1...20] == commands[...])
        }
    }

    @Test("An answer of fewer than two bytes is a tag response error", arguments: ["", "90"])
    func shortAnswer(answer: String) async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.reader.faults = Faults(Fault(.response(hex(answer)), .nth(1)))
            await #expect {
                try await tag.sendCommand(apdu: try apdu("00B0000000"))
            } throws: { error in
                let error = error as? NFCReaderError
                return error?.code == .readerTransceiveErrorTagResponseError
                    && error?.userInfo[NFCTagResponseUnexpectedLengthErrorKey] != nil
            }
            #expect(bench.session.isReady)
        }
    }

    // Fact 2.6: tag left the field during a command
    @Test("A tag that leaves during a command gives connection lost; it is no longer available")
    func tagLost() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tags = try await bench.client.nextTags()
            let tag = try tags.iso7816
            try await bench.session.connect(to: tags.only)
            bench.reader.removeAll()
            for _ in 0..<2 {
                await #expect {
                    try await tag.sendCommand(apdu: try apdu("00B0000000"))
                } throws: { error in
                    let error = error as? NFCReaderError
                    return error?.code == .readerTransceiveErrorTagConnectionLost
                        && error?.readerError == .tagLost
                }
            }
            #expect(!tag.isAvailable)
            #expect(bench.session.isReady)
        }
    }

    // Fact 2.6: tag gave no or a bad answer
    /// Chip status 0B is a protocol error, 13 a format error (facts/pn532.md, 4).
    @Test(
        "A bad answer of the tag is a tag response error, and the session goes on",
        arguments: [0x0B, 0x13]
    )
    func badAnswer(status: UInt8) async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000"], otherwise: "9000")
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.reader.faults = Faults(Fault(.status(status), .nth(1)))
            await #expect {
                try await tag.sendCommand(apdu: try apdu("00B0000000"))
            } throws: { error in
                let error = error as? NFCReaderError
                return error?.code == .readerTransceiveErrorTagResponseError
                    && error?.readerError == .tagError(status: status)
            }
            let (_, sw1, _) = try await tag.sendCommand(apdu: try apdu("00B0000000"))
            #expect(sw1 == 0x90)
        }
    }

    @Test("A command that cannot be encoded is an invalid parameter")
    func notEncodable() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let apdu = NFCISO7816APDU(
                instructionClass: 0x00,
                instructionCode: 0xB0,
                p1Parameter: 0x00,
                p2Parameter: 0x00,
                data: Data(),
                expectedResponseLength: 65_537
            )
            await #expect(throws: NFCReaderError(.readerErrorInvalidParameter)) {
                try await tag.sendCommand(apdu: apdu)
            }
        }
    }

    @Test("A type B card takes commands like a type A card")
    func typeB() async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000", "002000800431323334": "9000"])
        try await withBench([try TypeBTag(application: card)]) { bench in
            let tags = try await bench.client.nextTags()
            try await bench.session.connect(to: tags.only)
            try await bench.session.connect(to: tags.only)
            _ = try await tags.iso7816.sendCommand(apdu: try apdu("002000800431323334"))
            #expect(card.commands.last == "002000800431323334")
            bench.reader.removeAll()
            await #expect(throws: NFCReaderError(.readerTransceiveErrorTagConnectionLost)) {
                try await bench.session.connect(to: tags.only)
            }
        }
    }
}
