import APDU
import Bytes
import Foundation
import NBT
import TestSupport
import Testing

/// Vectors 82 to 95 of facts/nbt.md, 8.7, and the traps of 7.2.
@Suite struct NdefFileTests {
    static let selectFile = (command: "00A4000C02E10400", answer: "9000")

    /// A message of `count` bytes that are not all equal.
    private func message(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
    }

    /// An NDEF file of 4096 bytes that holds the message, with other bytes behind it.
    private func file(_ message: Data) -> Data {
        let length = UInt16(message.count)
        let content = hex(length.hex) + message
        return content + Data(repeating: 0xA5, count: 4096 - content.count)
    }

    /// The script of a tag that answers these reads, each "offset, Le", from a file.
    private func reads(_ commands: [String], of file: Data) throws -> [(String, String)] {
        try commands.map { text in
            let command = try CommandAPDU(encoded: hex(text))
            let offset = Int(command.p1) << 8 | Int(command.p2)
            let length = try #require(command.expectedLength)
            return (text, file[offset..<(offset + length)].hex + "9000")
        }
    }

    // Reading

    @Test(
        "vectors 82 to 88, N1: a message is read with the fewest reads, NLEN and data together",
        arguments: [
            (0, ["00B0000000"]),
            (1, ["00B0000000"]),
            (253, ["00B0000000"]),
            (254, ["00B0000000"]),
            (255, ["00B0000000", "00B0010001"]),  // vector 83 killed the original (N1)
            (256, ["00B0000000", "00B0010002"]),
            (509, ["00B0000000", "00B00100FF"]),
            (510, ["00B0000000", "00B0010000"]),
            (511, ["00B0000000", "00B0010000", "00B0020001"]),
            (767, ["00B0000000", "00B0010000", "00B0020000", "00B0030001"]),
            (793, ["00B0000000", "00B0010000", "00B0020000", "00B003001B"]),
            (1022, ["00B0000000", "00B0010000", "00B0020000", "00B0030000"]),
        ]
    )
    func read(count: Int, commands: [String]) async throws {
        let message = message(count)
        let script = [Self.selectFile] + (try reads(commands, of: file(message)))
        try await withScript(script) { commandSet in
            let read = try await commandSet.readNdefMessage()
            #expect(read == message)
        }
    }

    @Test("the longest message that the file holds is read")
    func longest() async throws {
        let message = message(4094)
        let commands = (0..<16).map { "00B0" + UInt16($0 << 8).hex + "00" }
        let script = [Self.selectFile] + (try reads(commands, of: file(message)))
        try await withScript(script) { commandSet in
            let read = try await commandSet.readNdefMessage()
            #expect(read == message)
        }
    }

    @Test("the reader's limit bounds each read")
    func readerLimit() async throws {
        // An ACR122 gives 250 bytes back (facts/nbt.md, 1.7): 248 of data.
        let message = message(300)
        let commands = ["00B00000F8", "00B000F836"]
        let script = [Self.selectFile] + (try reads(commands, of: file(message)))
        try await withScript(script, maximumAnswerLength: 250) { commandSet in
            let read = try await commandSet.readNdefMessage()
            #expect(read == message)
        }
    }

    @Test("a reader that carries no NLEN is too small", arguments: [0, 2, 3])
    func tooSmall(limit: Int) async throws {
        try await withScript([Self.selectFile], maximumAnswerLength: limit) { commandSet in
            await #expect(throws: NbtError.channelTooSmall(.readBinary, limit: limit)) {
                try await commandSet.readNdefMessage()
            }
        }
    }

    @Test("another file and a password can be given")
    func fileAndPassword() async throws {
        try await withScript([
            ("00A4000C08E1A152041122334400", "01029000"), ("00B0000000", "0001EE9000"),
        ]) { commandSet in
            let message = try await commandSet.readNdefMessage(
                ndefFileId: 0xE1A1,
                readPassword: hex("11223344")
            )
            #expect(message == hex("EE"))
        }
    }

    @Test(
        "a short file is read in one piece or in several short ones (vectors 93 and 94, N1)",
        arguments: [
            ([("00B0000000", "00036162639000")], "616263"),
            ([("00B0000000", "00056162639000"), ("00B0000502", "64659000")], "6162636465"),
            // Chunks shorter than asked for.
            (
                [
                    ("00B0000000", "0005619000"), ("00B0000304", "62639000"),
                    ("00B0000502", "649000"), ("00B0000601", "659000"),
                ], "6162636465"
            ),
            // Only NLEN comes first.
            ([("00B0000000", "00029000"), ("00B0000202", "61629000")], "6162"),
            // 10 bytes received of 11 (N1).
            (
                [("00B0000000", "000B616263646566676869 6A9000"), ("00B0000C01", "6B9000")],
                "6162636465666768696A6B"
            ),
        ]
    )
    func shortAnswers(reads: [(String, String)], message: String) async throws {
        try await withScript([Self.selectFile] + reads) { commandSet in
            let read = try await commandSet.readNdefMessage()
            #expect(read == hex(message))
        }
    }

    @Test(
        "a tag that refuses Le is asked with a smaller one, which then is the chunk",
        arguments: [
            // 6Cxx names the length.
            [
                ("00B0000000", "6C06"), ("00B0000006", "0006616263649000"),
                ("00B0000602", "65669000"),
            ],
            // 6700 names none: half of it, and half of that.
            [
                ("00B0000000", "6700"), ("00B0000080", "6700"),
                ("00B0000040", "0006616263649000"), ("00B0000602", "65669000"),
            ],
            // One after the other.
            [
                ("00B0000000", "6700"), ("00B0000080", "6C10"),
                ("00B0000010", "00066162636465669000"),
            ],
        ]
    )
    func smallerLe(reads: [(String, String)]) async throws {
        try await withScript([Self.selectFile] + reads) { commandSet in
            let read = try await commandSet.readNdefMessage()
            #expect(read == hex("616263646566"))
        }
    }

    @Test("after a smaller Le no later read asks for more")
    func chunkAfterSmallerLe() async throws {
        let message = message(20)
        let script =
            [Self.selectFile, ("00B0000000", "6C10")]
            + (try reads(["00B0000010", "00B0001006"], of: file(message)))
        try await withScript(script) { commandSet in
            let read = try await commandSet.readNdefMessage()
            #expect(read == message)
        }
    }

    @Test("a tag that refuses every Le ends the tries")
    func everyLeRefused() async throws {
        let lengths = ["00", "80", "40", "20", "10", "08", "04", "02"]
        let script = [Self.selectFile] + lengths.map { ("00B00000" + $0, "6700") }
        try await withScript(script) { commandSet in
            await #expect(throws: NbtError.status(.readBinary, .wrongLength)) {
                try await commandSet.readNdefMessage()
            }
        }
    }

    @Test(
        "a length after 6C that leads nowhere is an error",
        arguments: [0x6C00, 0x6C01] as [UInt16]
    )
    func uselessLength(status: UInt16) async throws {
        let script = [Self.selectFile, ("00B0000000", status.hex)]
        try await withScript(script) { commandSet in
            let error = NbtError.status(.readBinary, StatusWord(rawValue: status))
            await #expect(throws: error) { try await commandSet.readNdefMessage() }
        }
    }

    @Test(
        "an NLEN beyond the file is an error (N2, vector 95)",
        arguments: [("0FFF", 4095), ("1000", 4096), ("FFFF", 65_535)]
    )
    func beyondFile(text: String, length: Int) async throws {
        let script = [Self.selectFile, ("00B0000000", text + "61629000")]
        try await withScript(script) { commandSet in
            await #expect(throws: NbtError.ndefLengthBeyondFile(length: length)) {
                try await commandSet.readNdefMessage()
            }
        }
    }

    @Test("a first answer without NLEN is an error (N3)", arguments: ["", "00"])
    func noLength(data: String) async throws {
        try await withScript([Self.selectFile, ("00B0000000", data + "9000")]) { commandSet in
            let error = NbtError.unexpectedLength(
                .readBinary,
                count: data.count / 2,
                expected: 2...256
            )
            await #expect(throws: error) { try await commandSet.readNdefMessage() }
        }
    }

    @Test("a later answer without data ends the reading (N4)")
    func noProgress() async throws {
        try await withScript([
            Self.selectFile, ("00B0000000", "0005616263 9000"), ("00B0000502", "9000"),
        ]) { commandSet in
            let error = NbtError.unexpectedLength(.readBinary, count: 0, expected: 1...2)
            await #expect(throws: error) { try await commandSet.readNdefMessage() }
        }
    }

    @Test(
        "a later bad status word is that error, and no part of the message comes (N5, N7)",
        arguments: ["6982", "6700", "6C01", "6282"]
    )
    func laterStatus(text: String) async throws {
        let status = try ResponseAPDU(encoded: hex(text)).statusWord
        try await withScript([
            Self.selectFile, ("00B0000000", "0005616263 9000"), ("00B0000502", "64" + text),
        ]) { commandSet in
            await #expect(throws: NbtError.status(.readBinary, status)) {
                try await commandSet.readNdefMessage()
            }
        }
    }

    @Test("a chunk longer than asked for is refused, first or later (N6)")
    func chunkTooLong() async throws {
        let first = "0005" + Data(count: 255).hex + "9000"
        try await withScript([Self.selectFile, ("00B0000000", first)]) { commandSet in
            let error = NbtError.unexpectedLength(.readBinary, count: 257, expected: 2...256)
            await #expect(throws: error) { try await commandSet.readNdefMessage() }
        }
        try await withScript([
            Self.selectFile, ("00B0000000", "0005616263 9000"), ("00B0000502", "6465669000"),
        ]) { commandSet in
            let error = NbtError.unexpectedLength(.readBinary, count: 3, expected: 0...2)
            await #expect(throws: error) { try await commandSet.readNdefMessage() }
        }
    }

    @Test(
        "a file that is missing or may not be read is an error",
        arguments: [
            ([("00A4000C02E10400", "6A82")], .status(.selectFile, .notFound)),
            (
                [selectFile, ("00B0000000", "6982")],
                .status(.readBinary, .securityStatusNotSatisfied)
            ),
        ] as [([(String, String)], NbtError)]
    )
    func refused(script: [(String, String)], error: NbtError) async throws {
        try await withScript(script) { commandSet in
            await #expect(throws: error) { try await commandSet.readNdefMessage() }
        }
    }

    @Test("a tag lost at any read is the channel's error", arguments: 0..<4)
    func lost(number: Int) async throws {
        let commands = ["00B0000000", "00B0010000", "00B0020000", "00B003001B"]
        var script = [Self.selectFile] + (try reads(commands, of: file(message(793))))
        script.removeSubrange((number + 2)...)
        script[number + 1].1 = "lost"
        try await withScript(script) { commandSet in
            await #expect(throws: ScriptedChannel.Lost()) {
                try await commandSet.readNdefMessage()
            }
        }
    }

    // Writing

    @Test(
        "a message that fits one command is written with its NLEN (vectors 89, 90 and 103)",
        arguments: [
            (hex(""), "00D60000020000"),
            (
                hex("D1010D5502696E66696E656F6E2E636F6D"),
                "00D60000130011D1010D5502696E66696E656F6E2E636F6D"
            ),
            (Data(repeating: 1, count: 253), "00D60000FF00FD" + Data(repeating: 1, count: 253).hex),
        ]
    )
    func writeShort(message: Data, command: String) async throws {
        try await withScript([Self.selectFile, (command, "9000")]) { commandSet in
            try await commandSet.updateNdefMessage(dataBytes: message)
        }
    }

    @Test("a longer message is written with NLEN 0 first and NLEN last (N8, vector 92)")
    func writeLong() async throws {
        let message = message(793)
        let file = Data(count: 2) + message
        try await withScript([
            Self.selectFile,
            ("00D60000FF" + file[0..<255].hex, "9000"),
            ("00D600FFFF" + file[255..<510].hex, "9000"),
            ("00D601FEFF" + file[510..<765].hex, "9000"),
            ("00D602FD1E" + file[765..<795].hex, "9000"),
            ("00D60000020319", "9000"),
        ]) { commandSet in
            try await commandSet.updateNdefMessage(dataBytes: message)
        }
    }

    @Test("254 bytes are the first that need a second command (vector 91)")
    func write254() async throws {
        let file = Data(count: 2) + message(254)
        try await withScript([
            Self.selectFile,
            ("00D60000FF" + file[0..<255].hex, "9000"),
            ("00D600FF01" + file[255..<256].hex, "9000"),
            ("00D600000200FE", "9000"),
        ]) { commandSet in
            try await commandSet.updateNdefMessage(dataBytes: message(254))
        }
    }

    @Test("the reader's limit bounds each write, and the password goes with SELECT")
    func writeLimit() async throws {
        // 20 bytes, of which 5 are the header and Lc.
        let file = Data(count: 2) + message(20)
        let script = [
            ("00A4000C08E1045404AABBCCDD00", "01029000"),
            ("00D600000F" + file[0..<15].hex, "9000"),
            ("00D6000F07" + file[15..<22].hex, "9000"),
            ("00D60000020014", "9000"),
        ]
        try await withScript(script, maximumCommandLength: 20) { commandSet in
            try await commandSet.updateNdefMessage(
                dataBytes: message(20),
                writePassword: hex("AABBCCDD")
            )
        }
    }

    @Test("a failed write ends the writing, with NLEN still 0")
    func writeFails() async throws {
        let file = Data(count: 2) + message(300)
        try await withScript([
            Self.selectFile, ("00D60000FF" + file[0..<255].hex, "9000"),
            ("00D600FF2F" + file[255..<302].hex, "6982"),
        ]) { commandSet in
            let error = NbtError.status(.updateBinary, .securityStatusNotSatisfied)
            await #expect(throws: error) {
                try await commandSet.updateNdefMessage(dataBytes: message(300))
            }
        }
    }

    @Test("a message longer than the file is refused before anything is sent (N9)")
    func writeTooLong() async throws {
        try await withScript([]) { commandSet in
            await #expect(throws: NbtError.ndefMessageTooLong(length: 4095)) {
                try await commandSet.updateNdefMessage(dataBytes: Data(count: 4095))
            }
        }
    }

    @Test("a reader that cannot carry NLEN is too small to write")
    func writeTooSmall() async throws {
        try await withScript([], maximumCommandLength: 6) { commandSet in
            await #expect(throws: NbtError.channelTooSmall(.updateBinary, limit: 6)) {
                try await commandSet.updateNdefMessage(dataBytes: hex("01"))
            }
        }
    }
}
