import Foundation
import TestSupport
import Testing
import VirtualReader

/// `nfc-session nbt read`, `write`, `adt` and `pass-through`.
@Suite(.serialized) struct NbtFileTests {
    @Test("A file is written from standard input and read back, as bytes and as digits")
    func file() async throws {
        let bench = try NbtBench()
        #expect(try await bench.run("write file3 --at 2", input: "abc").status == 0)
        #expect(bench.card.contents(of: .proprietary3).prefix(6) == hex("000061626300"))
        let digits = try await bench.run("read file3 --at 1 --count 4")
        #expect(digits.standardOutput == "00616263\n")
        let raw = try await bench.run("read file3 --at 2 --count 3 --output -")
        #expect(raw.standardOutput == "abc")
        let path = bench.folder.appending(path: "copy").path
        #expect(try await bench.run("read file3 --output \(path)").status == 0)
        #expect(
            try Data(contentsOf: URL(filePath: path)) == bench.card.contents(of: .proprietary3)
        )
        let cc = try await bench.run("read cc --json")
        #expect(try cc.objects.first?["bytes"] as? Int == 47)
        // The delivery state of facts/nbt.md, 1.4.
        let fap = try await bench.run("read fap")
        #expect(
            fap.standardOutput
                == "e10340004000e10440404040e1a140404040e1a240404040e1a340404040"
                + "e1a440404040e1af40404040\n"
        )
    }

    @Test("The whole of a file, and no more, can be written")
    func size() async throws {
        let bench = try NbtBench()
        let whole = try bench.file("whole", Data(repeating: 0x5A, count: 1024))
        let more = try bench.file("more", Data(repeating: 0x5A, count: 1025))
        #expect(try await bench.run("write file4 --input \(whole)").status == 0)
        #expect(bench.card.contents(of: .proprietary4).allSatisfy { $0 == 0x5A })
        let result = try await bench.run("write file4 --input \(more)")
        #expect(result.status == 2)
        #expect(result.standardError.contains("1024"))
    }

    @Test(
        "What is no message, or no such file, is status 2 before a reader is touched",
        arguments: ["ndef", "cc", "fap", "file5", "ndef --at 1", "file1 --input /nonexistent"]
    )
    func usage(words: String) async throws {
        let result = try await Tool.run(
            "nbt write \(words) --reader pn532_uart:/dev/ttyUSB96",
            input: "no message"
        )
        #expect(result.status == 2)
    }

    @Test("A closed file is status 1, and the error names the policy")
    func closed() async throws {
        let result = try await Tool.run("nbt read file1 --virtual nbt")
        #expect(result.status == 1)
        #expect(result.standardError.contains("access policy"))
        #expect(result.standardOutput == "")
    }

    @Test("The mailbox's host sees what was sent once the reader has gone")
    func mailbox() async throws {
        let host = DemonstrationHost()
        let bench = try NbtBench(try NBTApplication(policies: .dataTransfer, host: host))
        #expect(try await bench.run("adt led on").status == 0)
        // The end of the command has switched the field off: the host's turn.
        let state = try await bench.run("adt led state")
        #expect(state.standardOutput == "on\n")
        #expect(host.isLedOn)
        #expect(try await bench.run("adt send c0ffee --at 8").status == 0)
        #expect(bench.card.contents(of: .proprietary1).dropFirst(8).prefix(3) == hex("C0FFEE"))
        #expect(try await bench.run("adt receive 1").standardOutput == "01\n")
        for words in ["send", "send xyz", "receive 0", "receive 1025", "led maybe"] {
            #expect(try await bench.run("adt \(words)").status == 2)
        }
        // A tag that is not prepared for it refuses.
        #expect(try await Tool.run("nbt adt send 01 --virtual nbt").status == 1)
    }

    @Test("Commands are passed through to the host")
    func passThrough() async throws {
        let led = try await Tool.run("nbt pass-through led on --virtual nbt:pass-through")
        #expect(led.status == 0, "\(led.standardError)")
        let sent = try await Tool.run(
            "nbt pass-through send 00000001 00000002 --virtual nbt:pass-through"
        )
        // The host knows P1-P2 0000 and 0001 only (facts/nbt.md, 4.2).
        #expect(
            sent.standardOutput == """
                > 00000001
                < 9000  done
                > 00000002
                < 6b00  wrong P1-P2 (offset outside the file)

                """
        )
        #expect(sent.status == 1)
        let unprepared = try await Tool.run("nbt pass-through led on --virtual nbt:empty,host")
        #expect(unprepared.status == 1)
        #expect(unprepared.standardError.contains("GPIO function"))
        #expect(
            try await Tool.run("nbt pass-through send 00 --virtual nbt:pass-through").status == 2
        )
    }
}
