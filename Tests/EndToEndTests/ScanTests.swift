import Foundation
import TestSupport
import Testing
import VirtualReader

/// `nfc-session scan`, from the command line to the tag and back.
@Suite(.serialized) struct ScanTests {
    /// What each tag says of itself: facts/pn532.md, 7.1, 7.2 and 7.4.
    @Test(
        "Each kind of tag is reported with what it says of itself",
        arguments: [
            ("ntag213", "iso14443a", "04a1b2c3d4e580", "0044", "00", "NTAG213"),
            ("ntag215", "iso14443a", "04a1b2c3d4e580", "0044", "00", "NTAG215"),
            ("ntag216:uid=04112233445566", "iso14443a", "04112233445566", "0044", "00", "NTAG216"),
            (
                "ultralight", "iso14443a", "04a1b2c3d4e580", "0044", "00",
                "MIFARE Ultralight or NTAG"
            ),
            (
                "ultralight-ev1", "iso14443a", "04a1b2c3d4e580", "0044", "00",
                "MIFARE Ultralight EV1 MF0UL11"
            ),
            ("classic-1k:uid=deadbeef", "iso14443a", "deadbeef", "0004", "08", "MIFARE Classic 1K"),
            ("classic-4k:uid=cafebabe", "iso14443a", "cafebabe", "0002", "18", "MIFARE Classic 4K"),
            (
                "classic-mini:uid=01020304", "iso14443a", "01020304", "0004", "09",
                "MIFARE Classic Mini"
            ),
            ("desfire", "iso14443a", "04d5f12e334480", "0344", "20", "MIFARE DESFire"),
            ("nbt", "iso14443a", "058c3fd9d4b200", "0044", "20", "ISO 14443-4"),
            (
                "type4:uid=04112233445566778899", "iso14443a", "04112233445566778899", "0084", "20",
                "ISO 14443-4"
            ),
            ("employee:uid=0badcafe", "iso14443b", "0badcafe", nil, nil, "ISO 14443 type B"),
            ("felica:uid=0102030405060708", "felica", "0102030405060708", nil, nil, "FeliCa"),
        ] as [(String, String, String, String?, String?, String)]
    )
    func kinds(
        tag: String,
        technology: String,
        uid: String,
        atqa: String?,
        sak: String?,
        type: String
    ) async throws {
        let result = try await Tool.run("scan --once --json --timeout 20 --virtual \(tag)")
        let object = try #require(try result.objects.first)
        #expect(result.status == 0)
        #expect(try result.objects.count == 1)
        #expect(object["event"] as? String == "detected")
        #expect(object["technology"] as? String == technology)
        #expect(object["uid"] as? String == uid)
        #expect(object["random"] as? Bool == false)
        #expect(object["atqa"] as? String == atqa)
        #expect(object["sak"] as? String == sak)
        #expect(object["type"] as? String == type)
    }

    @Test("A random UID is marked")
    func random() async throws {
        let result = try await Tool.run("scan --once --json --virtual type4:uid=random")
        let object = try #require(try result.objects.first)
        #expect(object["random"] as? Bool == true)
        #expect((object["uid"] as? String)?.hasPrefix("08") == true)
    }

    @Test("--format changes the UID, and a format that drops bytes is announced")
    func format() async throws {
        let colons = try await Tool.run("scan --once --format hex: --virtual ntag213")
        #expect(
            colons.standardOutput
                == "detected  04:a1:b2:c3:d4:e5:80  NTAG213  ATQA 0044  SAK 00\n"
        )
        #expect(colons.standardError == "")
        let wiegand = try await Tool.run(
            "scan --once --json --format wiegand26 --virtual classic-1k:uid=aa3f9b1a"
        )
        #expect(try wiegand.objects.first?["uid"] as? String == "155,16298")
        #expect(wiegand.standardError.contains("different tags can look the same"))
    }

    @Test("--poll leaves out what it does not name, and --timeout ends with status 4")
    func poll() async throws {
        let nothing = try await Tool.run("scan --poll a,b --timeout 1 --virtual felica")
        #expect(nothing.status == 4)
        #expect(nothing.standardOutput == "")
        let all = try await Tool.run(
            "scan --poll f,a --count 2 --json --virtual felica+ntag213+employee"
        )
        #expect(all.status == 0)
        #expect(
            Set(try all.objects.compactMap { $0["technology"] as? String }) == [
                "felica", "iso14443a",
            ]
        )
    }

    @Test("--timeout after a tag came is status 0")
    func timeoutWithTag() async throws {
        let result = try await Tool.run("scan --json --timeout 1 --virtual ntag213")
        #expect(result.status == 0)
        #expect(try result.objects.count == 1)
    }

    @Test(
        "What is not understood is a usage error, and nothing is printed as a result",
        arguments: [
            "scan --once --count 2", "scan --poll a,x", "scan --poll a,a", "scan --poll=",
            "scan --format octal", "scan --count 0", "scan --timeout soon", "scan ntag213",
            "scan --virtual ntag213 --reader pn532_uart:/dev/ttyUSB0", "scan --virtual unicorn",
            "scan --virtual ntag213:color=red", "scan --virtual ntag213:uid=04",
            "scan --reader nonsense", "scan --reader acr122_usb",
        ]
    )
    func usage(line: String) async throws {
        let result = try await Tool.run(line)
        #expect(result.status == 2, "\(result.standardError)")
        #expect(result.standardOutput == "")
        #expect(result.standardError.hasPrefix("nfc-session: "))
    }

    @Test("A port that is not there is a reader fault, with the reason")
    func noPort() async throws {
        let result = try await Tool.run("scan --reader pn532_uart:/dev/ttyUSB99")
        #expect(result.status == 3)
        #expect(result.standardError.contains("/dev/ttyUSB99"))
    }

    @Test("Tags that come and go are each reported once, in order")
    func comingAndGoing() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let catalog = try TagCatalog()
        let tags = try ["ntag213", "classic-1k", "desfire", "employee", "felica"].map(catalog.tag)
        let scan = try RunningTool("scan --json --reader \(reader.connectionString)")
        defer { scan.kill() }
        for tag in tags {
            reader.place(tag)
            let came = try await scan.nextObject()
            #expect(came["event"] as? String == "detected")
            reader.remove(tag)
            let left = try await scan.nextObject()
            #expect(left["event"] as? String == "removed")
            #expect(left["uid"] as? String == came["uid"] as? String)
            #expect(left["type"] as? String == came["type"] as? String)
        }
        #expect(try await scan.end(by: SIGINT) == 130)
    }

    @Test("--hold reports a tag that stays, and how long it stayed")
    func hold() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try TagCatalog().tag("ntag213")
        reader.place(tag)
        let scan = try RunningTool("scan --json --hold 1 --reader \(reader.connectionString)")
        defer { scan.kill() }
        let came = try await scan.nextObject()
        #expect(came["event"] as? String == "detected")
        #expect(came["milliseconds"] == nil)
        let rests = try await scan.nextObject()
        #expect(rests["event"] as? String == "resting")
        #expect(rests["uid"] as? String == came["uid"] as? String)
        let soFar = try #require(rests["milliseconds"] as? Int)
        #expect(soFar >= 1_000)
        reader.remove(tag)
        let left = try await scan.nextObject()
        #expect(left["event"] as? String == "removed")
        #expect(try #require(left["milliseconds"] as? Int) >= soFar)
    }

    /// A tag that speaks ISO-DEP is active after the poll and ignores the next ones (facts/pn532.md, 3.1).
    @Test(
        "A tag whose first answer is lost on the wire is reported all the same",
        arguments: ["nbt", "employee", "ntag213", "felica"]
    )
    func lostAnswer(tag: String) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try TagCatalog().tag(tag))
        reader.faults = Faults(Fault(.wrongChecksum, .nth(1), command: 0x4A))
        let result = try await Tool.run(
            "scan --once --json --timeout 10 --reader \(reader.connectionString)"
        )
        #expect(result.status == 0)
        #expect(try result.objects.count == 1)
    }

    @Test(
        "SIGINT, SIGTERM and SIGHUP end with the field off",
        arguments: [SIGINT, SIGTERM, SIGHUP]
    )
    func signals(signal: Int32) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try TagCatalog().tag("ntag213"))
        let scan = try RunningTool("scan --json --reader \(reader.connectionString)")
        defer { scan.kill() }
        _ = try await scan.nextObject()
        #expect(try await scan.end(by: signal) == 130)
        #expect(!reader.isFieldOn)
    }

    @Test("An unplugged reader is a reader fault with --no-wait")
    func unplugged() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try TagCatalog().tag("ntag213"))
        let scan = try RunningTool("scan --json --no-wait --reader \(reader.connectionString)")
        defer { scan.kill() }
        _ = try await scan.nextObject()
        reader.hangUp()
        #expect(try await scan.end() == 3)
    }

    @Test("An unplugged reader is waited for, and its tags are reported on, each once")
    func replugged() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let link = try TemporaryLink()
        try reader.link(at: link.path)
        let (resting, taken) = (try TagCatalog().tag("ntag213"), try TagCatalog().tag("felica"))
        reader.place(resting)
        let scan = try RunningTool("scan --json --reader pn532_uart:\(link.path)")
        defer { scan.kill() }
        let first = try await scan.nextObject()
        #expect(first["type"] as? String == "NTAG213")
        reader.hangUp()
        try reader.reconnect()
        reader.place(taken)
        // The tag that rested all the time is not reported again.
        let second = try await scan.nextObject()
        #expect(second["type"] as? String == "FeliCa")
        reader.hangUp()
        reader.remove(taken)
        try reader.reconnect()
        let third = try await scan.nextObject()
        #expect(third["event"] as? String == "removed")
        #expect(third["type"] as? String == "FeliCa")
        #expect(try await scan.end(by: SIGINT) == 130)
    }
}

/// A path for a link in a folder of its own, gone with it.
private final class TemporaryLink {
    let path: String
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appendingPathComponent("reader").path
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
}
