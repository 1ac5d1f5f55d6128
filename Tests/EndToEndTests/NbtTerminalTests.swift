import Foundation
import TestSupport
import Testing
import VirtualReader

/// What the `nbt` commands ask on a terminal.
@Suite(.serialized) struct NbtTerminalTests {
    @Test("A password is asked for without being shown")
    func password() async throws {
        let bench = try NbtBench()
        let tool = try TerminalTool(
            "nbt password create 3 --reader \(bench.connectionString)"
        )
        try await tool.wait(for: "The new password, 8 hexadecimal digits: ")
        #expect(!tool.isEchoing)
        try tool.type("aabbccdd")
        try await tool.wait(for: "Once more: ")
        #expect(!tool.isEchoing)
        try tool.type("aabbccdd")
        #expect(try await tool.end() == 0)
        #expect(tool.isEchoing)
        #expect(!tool.text.contains("aabbccdd"))
        #expect(bench.card.passwordIdentifiers == [3])
    }

    @Test("A new password that is typed in two ways is none")
    func slip() async throws {
        let tool = try TerminalTool("nbt password create 3 --virtual nbt:empty")
        try await tool.wait(for: "digits: ")
        try tool.type("aabbccdd")
        try await tool.wait(for: "Once more: ")
        try tool.type("aabbccde")
        #expect(try await tool.end() == 2)
        #expect(tool.text.contains("in two ways"))
    }

    @Test("A signal while it asks ends the tool, and the terminal shows again what is typed")
    func interrupted() async throws {
        let tool = try TerminalTool("nbt password create 3 --virtual nbt:empty")
        try await tool.wait(for: "digits: ")
        #expect(!tool.isEchoing)
        #expect(try await tool.end(by: SIGINT) == 130)
        #expect(tool.isEchoing)
    }

    @Test("No is no, with status 1, and yes is yes", arguments: [("n", 1), ("", 1), ("y", 0)])
    func question(answer: String, status: Int32) async throws {
        let bench = try NbtBench()
        let tool = try TerminalTool(
            "nbt policy apply adt --reader \(bench.connectionString)"
        )
        try await tool.wait(for: "Go on? [y/N] ")
        #expect(tool.text.contains("to do  policy of ndef: NFC read always, write never"))
        try tool.type(answer)
        #expect(try await tool.end() == status)
        #expect((bench.card.isAs(.dataTransfer)) == (status == 0))
        #expect(tool.text.contains("nothing was changed") == (status == 1))
    }

    @Test("What locks NFC out is named in the question")
    func danger() async throws {
        let tool = try TerminalTool("nbt config set interfaces i2c --virtual nbt:empty")
        try await tool.wait(for: "it switches NFC off")
        try await tool.wait(for: "Go on? [y/N] ")
        try tool.type("no")
        #expect(try await tool.end() == 1)
    }

    @Test("Bytes are not typed: write asks for a file")
    func write() async throws {
        let tool = try TerminalTool("nbt write file1 --virtual nbt:empty")
        #expect(try await tool.end() == 2)
        #expect(tool.text.contains("--input FILE is missing"))
    }
}
