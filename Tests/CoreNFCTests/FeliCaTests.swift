import Bytes
import CoreNFC
import NFCReader
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// FeliCa tags: finding them, and their commands byte by byte (facts/corenfc.md, 1.6 and 2.8; JIS X 6319-4).
@Suite(.serialized) struct FeliCaTests {
    private static let idm = "0102030405060708"
    private static let pmm = "0f0e0d0c0b0a0908"

    /// Answers frames, length byte and all, as a test says.
    private final class ScriptedFeliCa: VirtualTag {
        let name = "FeliCa"
        let identification: Identification
        private let answers: [String: String]
        private let log = Mutex<[String]>([])

        init(_ answers: [String: String] = [:], systemCodes: [UInt16] = [0x0003]) {
            self.answers = answers
            identification = .feliCa(
                idm: hex(FeliCaTests.idm),
                pmm: hex(FeliCaTests.pmm),
                systemCodes: systemCodes
            )
        }

        var commands: [String] { log.withLock { $0 } }

        func receive(_ frame: Frame) -> Answer? {
            log.withLock { $0.append(frame.bytes.hex) }
            return answers[frame.bytes.hex].map { Answer(hex($0)) }
        }

        func fieldLost() {}
    }

    private func withTag(
        _ card: ScriptedFeliCa,
        systemCodes: [String] = ["0003", "8008"],
        _ body: (Bench, any NFCFeliCaTag) async throws -> Void
    ) async throws {
        try await withBench(
            [card],
            pollingOption: .iso18092,
            configure: { $0.feliCaSystemCodes = systemCodes }
        ) { bench in
            guard case .feliCa(let tag) = try await bench.client.nextTags().only else {
                throw Unexpected(events: "no FeliCa tag")
            }
            try await body(bench, tag)
        }
    }

    // MARK: Finding

    // Fact 2.8: FeliCa: Polling command per entry
    @Test("The listed systems are polled for in order; the first that answers is the current one")
    func systems() async throws {
        let card = ScriptedFeliCa(systemCodes: [0x8008, 0x0003])
        try await withTag(card) { _, tag in
            #expect(tag.currentSystemCode == hex("0003"))
            #expect(tag.currentIDm == hex(Self.idm))
        }
        try await withTag(card, systemCodes: ["1234", "8008"]) { _, tag in
            #expect(tag.currentSystemCode == hex("8008"))
        }
    }

    // Fact 2.8: FeliCa: Polling command per entry
    @Test("A tag without a listed system is not reported")
    func unlisted() async throws {
        try await withBench(
            [ScriptedFeliCa(systemCodes: [0x12FC])],
            pollingOption: .iso18092,
            configure: { $0.feliCaSystemCodes = ["0003"] }
        ) { bench in
            try await bench.waitUntil { bench.reader.statistics.commands[0x4A, default: 0] >= 3 }
            #expect(bench.client.events.count == 1)
        }
    }

    // Fact 2.8: Polling: .iso14443 covers type A and B
    @Test("Beside ISO 14443, every other round is for type A; both kinds are found")
    func besideISO14443() async throws {
        let card = ScriptedFeliCa()
        try await withBench(
            pollingOption: [.iso14443, .iso18092],
            configure: { $0.feliCaSystemCodes = ["0003"] }
        ) { bench in
            let polls = Polls()
            bench.reader.trace = polls.note
            try await bench.waitUntil { polls.all.count >= 8 }
            let kinds = polls.all.prefix(8)
            #expect(kinds.filter { $0 == "4a0200" }.count == 4)
            #expect(kinds.filter { $0 == "4a010300" }.count == 2)
            #expect(kinds.filter { $0.hasPrefix("4a0101") }.count == 2)
            bench.reader.place(card)
            guard case .feliCa = try await bench.client.nextTags().only else {
                throw Unexpected(events: "no FeliCa tag")
            }
            bench.session.restartPolling()
            bench.reader.swap(card, for: try Type2Tag())
            _ = try await bench.client.nextTags().miFare
        }
    }

    @Test("connect finds the tag while it is there, and misses it when it has gone")
    func presence() async throws {
        let card = ScriptedFeliCa(systemCodes: [0x8008])
        try await withTag(card) { bench, tag in
            for _ in 0..<3 { try await bench.session.connect(to: .feliCa(tag)) }
            #expect(tag.isAvailable)
            bench.reader.remove(card)
            await expect(.readerTransceiveErrorTagConnectionLost) {
                try await bench.session.connect(to: .feliCa(tag))
            }
            #expect(!tag.isAvailable)
        }
    }

    // MARK: Commands

    @Test("Request Service")
    func requestService() async throws {
        let card = ScriptedFeliCa([
            "0f02" + Self.idm + "02" + "0900" + "0f09": "0f03" + Self.idm + "02" + "0100" + "ffff"
        ])
        try await withTag(card) { _, tag in
            let versions = try await tag.requestService(nodeCodeList: [hex("0900"), hex("0f09")])
            #expect(versions == [hex("0100"), hex("ffff")])
        }
    }

    @Test("Request Response")
    func requestResponse() async throws {
        let card = ScriptedFeliCa(["0a04" + Self.idm: "0b05" + Self.idm + "02"])
        try await withTag(card) { _, tag in
            let mode = try await tag.requestResponse()
            #expect(mode == 2)
        }
    }

    @Test("Read Without Encryption: one service, a short and a long block list element")
    func read() async throws {
        let blocks = [String(repeating: "a1", count: 16), String(repeating: "b2", count: 16)]
        let card = ScriptedFeliCa([
            "1306" + Self.idm + "01" + "0f09" + "02" + "8000" + "000100":
                "2d07" + Self.idm + "0000" + "02" + blocks.joined()
        ])
        try await withTag(card) { _, tag in
            let answer = try await tag.readWithoutEncryption(
                serviceCodeList: [hex("0f09")],
                blockList: [hex("8000"), hex("000100")]
            )
            #expect(answer.0 == 0)
            #expect(answer.1 == 0)
            #expect(answer.2 == blocks.map { hex($0) })
        }
    }

    @Test("Status flags that are not 0 are no error, and there are no blocks")
    func readRefused() async throws {
        let card = ScriptedFeliCa([
            "1006" + Self.idm + "01" + "0f09" + "01" + "8000": "0c07" + Self.idm + "01a6"
        ])
        try await withTag(card) { _, tag in
            let answer = try await tag.readWithoutEncryption(
                serviceCodeList: [hex("0f09")],
                blockList: [hex("8000")]
            )
            #expect(answer.0 == 0x01)
            #expect(answer.1 == 0xA6)
            #expect(answer.2.isEmpty)
        }
    }

    @Test("Write Without Encryption")
    func write() async throws {
        let block = String(repeating: "c3", count: 16)
        let card = ScriptedFeliCa([
            "2008" + Self.idm + "01" + "0900" + "01" + "8001" + block: "0c09" + Self.idm + "0000"
        ])
        try await withTag(card) { _, tag in
            let flags = try await tag.writeWithoutEncryption(
                serviceCodeList: [hex("0900")],
                blockList: [hex("8001")],
                blockData: [hex(block)]
            )
            #expect(flags == (0, 0))
        }
    }

    @Test("Request System Code")
    func requestSystemCode() async throws {
        let card = ScriptedFeliCa([
            "0a0c" + Self.idm: "0f0d" + Self.idm + "02" + "0003" + "fe00"
        ])
        try await withTag(card) { _, tag in
            let codes = try await tag.requestSystemCode()
            #expect(codes == [hex("0003"), hex("fe00")])
        }
    }

    @Test("Request Service v2, with AES keys alone and with both kinds")
    func requestServiceV2() async throws {
        for (keys, des) in [("4f", ""), ("41", "0300")] {
            let length = keys == "4f" ? "10" : "12"
            let card = ScriptedFeliCa([
                "0d32" + Self.idm + "01" + "0900":
                    length + "33" + Self.idm + "0000" + keys + "01" + "0200" + des
            ])
            try await withTag(card) { _, tag in
                let answer = try await tag.requestServiceV2(nodeCodeList: [hex("0900")])
                #expect((answer.0, answer.1) == (0, 0))
                #expect(answer.2 == (keys == "4f" ? .AES : .AES_DES))
                #expect(answer.3 == [hex("0200")])
                #expect(answer.4 == (des.isEmpty ? [] : [hex(des)]))
            }
        }
    }

    @Test("Request Specification Version")
    func requestSpecificationVersion() async throws {
        let card = ScriptedFeliCa([
            "0c3c" + Self.idm + "0000": "12 3d" + Self.idm + "0000" + "00" + "0500" + "01" + "0100"
        ])
        try await withTag(card) { _, tag in
            let answer = try await tag.requestSpecificationVersion()
            #expect((answer.0, answer.1) == (0, 0))
            #expect(answer.2 == hex("0500"))
            #expect(answer.3 == hex("0100"))
        }
    }

    @Test("Reset Mode")
    func resetMode() async throws {
        let card = ScriptedFeliCa(["0c3e" + Self.idm + "0000": "0c3f" + Self.idm + "0000"])
        try await withTag(card) { _, tag in
            let flags = try await tag.resetMode()
            #expect(flags == (0, 0))
        }
    }

    @Test("Any packet goes out with its length byte, and comes back without")
    func anyPacket() async throws {
        let card = ScriptedFeliCa(["04aabbcc": "03ddee"])
        try await withTag(card) { _, tag in
            let answer = try await tag.sendFeliCaCommand(commandPacket: hex("aabbcc"))
            #expect(answer == hex("ddee"))
        }
    }

    @Test("Polling another listed system of the tag makes it the current one")
    func polling() async throws {
        let card = ScriptedFeliCa(systemCodes: [0x0003, 0x8008])
        try await withTag(card) { _, tag in
            #expect(tag.currentSystemCode == hex("0003"))
            let answer = try await tag.polling(
                systemCode: hex("8008"),
                requestCode: .systemCode,
                timeSlot: .max1
            )
            #expect(answer.0 == hex(Self.pmm))
            #expect(answer.1 == hex("8008"))
            #expect(tag.currentSystemCode == hex("8008"))
            #expect(tag.currentIDm == hex(Self.idm))
            let silent = try await tag.polling(
                systemCode: hex("0003"),
                requestCode: .noRequest,
                timeSlot: .max16
            )
            #expect(silent.1.isEmpty)
        }
    }

    // MARK: Errors

    @Test("What is not listed, has wildcards, or a wrong length is refused before anything is sent")
    func refusals() async throws {
        let card = ScriptedFeliCa()
        try await withTag(card) { _, tag in
            func poll(_ code: String) async throws {
                _ = try await tag.polling(
                    systemCode: hex(code),
                    requestCode: .noRequest,
                    timeSlot: .max1
                )
            }
            await expect(.readerErrorSecurityViolation) { try await poll("fe00") }
            await expect(.readerErrorInvalidParameter) { try await poll("ff03") }
            await expect(.readerErrorInvalidParameterLength) { try await poll("000300") }
            let length = NFCReaderError.readerErrorInvalidParameterLength
            await expect(length) { _ = try await tag.requestService(nodeCodeList: []) }
            await expect(length) {
                let nodes = Array(repeating: hex("0900"), count: 33)
                _ = try await tag.requestService(nodeCodeList: nodes)
            }
            await expect(length) { _ = try await tag.requestService(nodeCodeList: [hex("09")]) }
            await expect(length) {
                _ = try await tag.readWithoutEncryption(
                    serviceCodeList: [hex("0f09")],
                    blockList: [hex("80000000")]
                )
            }
            await expect(length) {
                _ = try await tag.writeWithoutEncryption(
                    serviceCodeList: [hex("0900")],
                    blockList: [hex("8000")],
                    blockData: [hex("00")]
                )
            }
            await expect(length) { _ = try await tag.sendFeliCaCommand(commandPacket: Data()) }
            await expect(length) {
                _ = try await tag.sendFeliCaCommand(commandPacket: Data(count: 255))
            }
        }
        #expect(card.commands.isEmpty)
    }

    @Test(
        "An answer of the wrong code, card, or length is a tag response error",
        arguments: [
            "0b07" + idm + "02", "0b05" + "0807060504030201" + "02", "0a05" + idm,
            "0c05" + idm + "02",
            "0c05" + idm + "0200", "00", "01",
        ]
    )
    func wrongAnswers(answer: String) async throws {
        let card = ScriptedFeliCa(["0a04" + Self.idm: answer])
        try await withTag(card) { bench, tag in
            await expect(.readerTransceiveErrorTagResponseError) {
                _ = try await tag.requestResponse()
            }
            #expect(bench.session.isReady)
        }
    }

    @Test(
        "A command that the tag does not answer is a tag response error while it is there, else a lost tag"
    )
    func silence() async throws {
        let card = ScriptedFeliCa()
        try await withTag(card) { bench, tag in
            await expect(.readerTransceiveErrorTagResponseError) {
                _ = try await tag.requestResponse()
            }
            #expect(tag.isAvailable)
            bench.reader.remove(card)
            await expect(.readerTransceiveErrorTagConnectionLost) {
                _ = try await tag.requestResponse()
            }
            #expect(!tag.isAvailable)
        }
    }

    @Test("The forms with a result handler give the same")
    func resultForms() async throws {
        let card = ScriptedFeliCa(["0a04" + Self.idm: "0b05" + Self.idm + "03"])
        try await withTag(card) { _, tag in
            nonisolated(unsafe) let tag = tag
            let result: Result<Int, any Error> = await withCheckedContinuation { continuation in
                tag.requestResponse { continuation.resume(returning: $0) }
            }
            let mode = try result.get()
            #expect(mode == 3)
        }
    }
}
