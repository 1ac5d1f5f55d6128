import Foundation
import TestSupport
import Testing

/// What all commands have in common.
@Suite(.serialized) struct ToolTests {
    @Test(
        "Help goes to standard output and is status 0",
        arguments: ["--help", "-h", "verify --help", "scan -h"]
    )
    func help(line: String) async throws {
        let result = try await Tool.run(line)
        #expect(result.status == 0)
        #expect(result.standardOutput.hasPrefix("Usage: nfc-session"))
        #expect(result.standardError == "")
    }

    @Test("The version is one line")
    func version() async throws {
        let result = try await Tool.run("--version")
        #expect(result.standardOutput.hasPrefix("nfc-session "))
        #expect(result.standardOutput.split(separator: "\n").count == 1)
    }

    @Test("Without a reader the error says what to do")
    func noReader() async throws {
        let result = try await Tool.run("scan")
        #expect(result.status == 3)
        #expect(result.standardError.contains("--reader"))
    }

    @Test(
        "NFC_SESSION_READER names the reader",
        arguments: ["NFC_SESSION_READER", "LIBNFC_DEVICE"]
    )
    func environment(name: String) async throws {
        let result = try await Tool.run("scan", environment: [name: "pn532_uart:/dev/ttyUSB98"])
        #expect(result.status == 3)
        #expect(result.standardError.contains("/dev/ttyUSB98"))
    }

    @Test("readers lists the virtual reader, and --probe gets its answer")
    func readers() async throws {
        let listed = try #require(try await Tool.run("readers --json --virtual nbt").objects.first)
        #expect((listed["reader"] as? String)?.hasPrefix("pn532_uart:/dev/pts/") == true)
        #expect(listed["answers"] is NSNull)
        let probed = try await Tool.run("readers --json --probe --virtual nbt")
        #expect(try probed.objects.first?["answers"] as? Bool == true)
        #expect(probed.status == 0)
        let dead = try await Tool.run("readers --json --probe --reader pn532_uart:/dev/ttyUSB97")
        #expect(try dead.objects.first?["answers"] as? Bool == false)
        #expect((try dead.objects.first?["problem"] as? String)?.contains("/dev/ttyUSB97") == true)
        #expect(dead.status == 3)
    }

    /// Descriptor 0 is what libnfc would take for its abort pipe (facts/libnfc.md, 2.2).
    @Test("Closed standard streams do no harm", arguments: ["<&-", "2>&-", "<&- 2>&-"])
    func closedStreams(redirection: String) async throws {
        let line = "'\(Tool.path)' scan --once --json --virtual ntag213 \(redirection)"
        let result = try await Process.run("/bin/sh", ["-c", line])
        #expect(result.status == 0)
        #expect(try result.objects.first?["uid"] as? String == "04a1b2c3d4e580")
    }

    @Test("When nobody reads on, the tool ends quietly")
    func brokenPipe() async throws {
        let line = """
            '\(Tool.path)' simulate --json | head -n 1
            echo ${PIPESTATUS[0]}
            """
        let input = Data(
            Array(repeating: "place felica\nremove felica\n", count: 200).joined().utf8
        )
        let result = try await Process.run("/bin/bash", ["-c", line], standardInput: input)
        #expect(result.standardOutput.split(separator: "\n").last == "130")
        #expect(result.standardError == "")
    }

    @Test("A full disk is said, not passed over")
    func fullDisk() async throws {
        let line = "'\(Tool.path)' scan --once --virtual ntag213 > /dev/full"
        let result = try await Process.run("/bin/sh", ["-c", line])
        #expect(result.status == 130)
        #expect(result.standardError.contains("No space left on device"))
    }

    @Test("--verbose shows the frames on the virtual wire")
    func verbose() async throws {
        let result = try await Tool.run("scan --once --verbose --virtual ntag213")
        // GetFirmwareVersion and its answer for a PN532 1.6: facts/pn532.md.
        #expect(result.standardError.contains("> 0000ff02fed4022a00"))
        #expect(result.standardError.contains("< 0000ff06fad50332010607e800"))
    }
}
