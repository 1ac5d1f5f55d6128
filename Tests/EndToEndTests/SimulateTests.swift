import Foundation
import TestSupport
import Testing
import VirtualReader

/// `nfc-session simulate`: a reader for other programs.
@Suite(.serialized) struct SimulateTests {
    private func link() -> String {
        FileManager.default.temporaryDirectory.appending(path: "nfc-" + UUID().uuidString).path
    }

    private func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }

    @Test(
        "Another nfc-session verifies a tag on it, with the anchor it wrote, and the link is gone at the end"
    )
    func verify() async throws {
        let (link, anchor) = (link(), link() + ".pem")
        defer { try? FileManager.default.removeItem(atPath: anchor) }
        let simulate = try RunningTool("simulate nbt --link \(link) --write-anchor \(anchor)")
        defer { simulate.kill() }
        #expect(try await simulate.nextLine() == "pn532_uart:\(link)")
        #expect(isLink(link))
        let result = try await Tool.run(
            "verify --once --json --reader pn532_uart:\(link) --anchor \(anchor)"
        )
        #expect(result.status == 0)
        // A named anchor is the user's own affair.
        #expect(try result.objects.first?["testAnchor"] as? Bool == false)
        #expect(try await simulate.end(by: SIGINT) == 130)
        #expect(!isLink(link))
    }

    @Test("Lines on standard input change the field")
    func lines() async throws {
        let link = link()
        let simulate = try RunningTool("simulate --json --link \(link)")
        defer { simulate.kill() }
        let ready = try await simulate.nextObject()
        #expect(ready["event"] as? String == "ready")
        #expect(ready["reader"] as? String == "pn532_uart:\(link)")
        let scan = try RunningTool("scan --json --reader pn532_uart:\(link)")
        defer { scan.kill() }

        func obey(_ line: String) async throws {
            try simulate.write(line)
            #expect(try await simulate.nextObject()["command"] as? String == line)
        }
        func expect(_ event: String, _ uid: String) async throws {
            let object = try await scan.nextObject()
            #expect(object["event"] as? String == event)
            #expect(object["uid"] as? String == uid)
        }
        try await obey("place ntag213")
        try await expect("detected", "04a1b2c3d4e580")
        try await obey("swap ntag213 classic-1k:uid=01020304")
        var events = Set<String>()
        for _ in 0..<2 {
            let object = try await scan.nextObject()
            events.insert("\(object["event"] ?? "") \(object["uid"] ?? "")")
        }
        #expect(events == ["detected 01020304", "removed 04a1b2c3d4e580"])
        try await obey("remove classic-1k:uid=01020304")
        try await expect("removed", "01020304")
        try simulate.write("quit")
        #expect(try await simulate.end() == 0)
        // Its reader is gone, and is waited for.
        #expect(try await scan.end(by: SIGINT) == 130)
    }

    @Test("A line that makes no sense is refused, and the reader stands on")
    func badLines() async throws {
        let lines = "fly\nplace\nplace unicorn\nremove ntag213\nplace felica\nplace felica\nquit\n"
        let result = try await Tool.run("simulate", input: lines)
        #expect(result.status == 0)
        #expect(result.standardOutput.hasSuffix("done place felica\n"))
        let errors = result.standardError.split(separator: "\n")
        #expect(errors.count == 5)
        #expect(errors.last == "nfc-session: 'felica' is in the field already")
    }

    @Test("A tag that is placed again has kept its memory")
    func memory() async throws {
        let link = link()
        let simulate = try RunningTool("simulate type4 --link \(link)")
        defer { simulate.kill() }
        _ = try await simulate.nextLine()
        let select = "--aid d2760000850101 00a4000c02e104"
        let written = try await Tool.run(
            "apdu --reader pn532_uart:\(link) \(select) 00d60000050003d00000"
        )
        #expect(written.status == 0)
        for line in ["remove type4", "place type4"] {
            try simulate.write(line)
            #expect(try await simulate.nextLine() == "done " + line)
        }
        let read = try await Tool.run(
            "apdu --json --reader pn532_uart:\(link) \(select) 00b0000005"
        )
        #expect(try read.objects.last?["data"] as? String == "0003d00000")
    }

    @Test("It stands when standard input ends, until it is stopped")
    func endOfInput() async throws {
        let link = link()
        let simulate = try RunningTool("simulate ntag213 --link \(link)")
        defer { simulate.kill() }
        _ = try await simulate.nextLine()
        try simulate.closeInput()
        let scan = try await Tool.run("scan --once --json --reader pn532_uart:\(link)")
        #expect(scan.status == 0)
        #expect(try await simulate.end(by: SIGTERM) == 130)
    }

    @Test(
        "A wrong option is a usage error",
        arguments: [
            "simulate --timing slow", "simulate --link /tmp/a:b", "simulate --link /nowhere/link",
            "simulate --reader pn532_uart:/dev/ttyUSB0", "simulate unicorn",
            "simulate --write-anchor /nowhere/file", "simulate nbt:cert=/dev/null",
        ]
    )
    func usage(line: String) async throws {
        let result = try await Tool.run(line)
        #expect(result.status == 2, "\(result.standardError)")
        #expect(result.standardOutput == "")
    }
}
