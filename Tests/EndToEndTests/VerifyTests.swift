import Foundation
import TestSupport
import Testing
import VirtualReader

/// `nfc-session verify`, from the command line to the tag and back.
@Suite(.serialized) struct VerifyTests {
    /// Verdict, reason and exit status by design.md and issue 2, for every wrong thing a tag can be.
    @Test(
        "Each kind of tag gets its verdict, reason and exit status",
        arguments: [
            ("nbt", "genuine", nil, 0),
            ("nbt:short-type", "genuine", nil, 0),
            ("nbt:other-uid", "genuine", nil, 0),
            ("nbt:uid=random", "genuine", nil, 0),
            ("nbt:counterfeit", "notGenuine", "signatureMismatch", 1),
            ("nbt:untrusted", "notGenuine", "untrusted", 1),
            ("nbt:expired", "notGenuine", "expired", 1),
            ("nbt:not-yet-valid", "notGenuine", "notYetValid", 1),
            ("nbt:p384", "notGenuine", "unsuitableCertificate", 1),
            ("nbt:rsa", "notGenuine", "unsuitableCertificate", 1),
            ("nbt:ca", "notGenuine", "unsuitableCertificate", 1),
            ("nbt:no-signing", "notGenuine", "unsuitableCertificate", 1),
            ("nbt:no-certificate", "notGenuine", "noCertificate", 1),
            ("nbt:two-certificates", "notGenuine", "severalCertificates", 1),
            ("nbt:empty", "notGenuine", "notPersonalised", 1),
            ("nbt:locked", "unreadable", "refused", 5),
            ("type4", "notGenuine", "notPersonalised", 1),
            ("ntag213", "notGenuine", "notPersonalised", 1),
            ("employee", "notGenuine", "notPersonalised", 1),
        ] as [(String, String, String?, Int32)]
    )
    func verdict(tag: String, verdict: String, reason: String?, status: Int32) async throws {
        let result = try await Tool.run("verify --once --json --timeout 20 --virtual \(tag)")
        let objects = try result.objects
        #expect(objects.count == 1)
        #expect(objects.first?["verdict"] as? String == verdict)
        #expect(objects.first?["reason"] as? String == reason)
        #expect(result.status == status)
    }

    @Test("The JSON keys have the order that design.md fixes")
    func keys() async throws {
        let result = try await Tool.run("verify --once --json --virtual nbt")
        let keys = [
            "verdict", "reason", "uid", "subject", "serial", "notAfter", "anchor", "milliseconds",
        ]
        var rest = result.standardOutput[...]
        for key in keys {
            let range = try #require(rest.range(of: "\"\(key)\":"))
            rest = rest[range.upperBound...]
        }
        let object = try #require(try result.objects.first)
        #expect(object["uid"] as? String == "058c3fd9d4b200")
        #expect(object["subject"] as? String == "058C3FD9D4B200")
        #expect(object["testAnchor"] as? Bool == true)
        let notAfter = try #require(object["notAfter"] as? String)
        #expect(ISO8601DateFormatter().date(from: notAfter) != nil)
    }

    @Test("Text has one line a result, and the test anchor is called one")
    func text() async throws {
        let genuine = try await Tool.run("verify --once --virtual nbt")
        #expect(
            genuine.standardOutput
                == "genuine  058c3fd9d4b200  nfc-session virtual manufacturing CA (test anchor)\n"
        )
        let copy = try await Tool.run("verify --once --quiet --virtual nbt:counterfeit")
        #expect(copy.standardOutput.hasPrefix("notGenuine (signatureMismatch)  058c3fd9d4b200  "))
        #expect(copy.standardOutput.split(separator: "\n").count == 1)
        #expect(copy.standardError == "")
    }

    @Test(
        "Infineon's sample tag is genuine under the sample CA, and called a sample",
        .needsSampleFiles
    )
    func sample() async throws {
        let result = try await Tool.run(
            "verify --once --json --virtual \(SampleFiles.tag) "
                + "--anchor \(SampleFiles.path("SampleRootCertificate.pem"))"
        )
        let object = try #require(try result.objects.first)
        #expect(result.status == 0)
        #expect(object["verdict"] as? String == "genuine")
        // facts/nbt.md, 3.3: serial, last day and issuer of the sample device certificate.
        #expect(object["serial"] as? String == "08000002")
        #expect(object["notAfter"] as? String == "2042-07-30T23:59:59Z")
        #expect(
            object["anchor"] as? String
                == "NFC bridge & CL tag devices TEST manufacturing CA 100"
        )
        #expect(object["testAnchor"] as? Bool == true)
    }

    @Test("Infineon's sample tag is not genuine under the production CA", .needsSampleFiles)
    func production() async throws {
        let result = try await Tool.run(
            "verify --once --json --virtual \(SampleFiles.tag) "
                + "--anchor \(SampleFiles.path("NFCBridgeCLTagDevicesManufacturingCA.pem"))"
        )
        let object = try #require(try result.objects.first)
        #expect(result.status == 1)
        #expect(object["reason"] as? String == "untrusted")
        #expect(object["anchor"] is NSNull)
    }

    @Test("A tag lost at any exchange is unreadable, never a fake", arguments: 1...6)
    func tagLost(exchange: Int) async throws {
        let result = try await verify(with: Faults(Fault(.tagLost, .nth(exchange))))
        // Lost before it was selected, the tag was never there for the session, which waits for another.
        guard result.status != 4 else { return #expect(exchange == 1) }
        #expect(try result.objects.first?["reason"] as? String == "tagLost")
        #expect(result.status == 5)
    }

    @Test(
        "Noise on the wire never makes a genuine tag a fake",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func noise(seed: UInt64) async throws {
        let result = try await verify(with: .noise(wire: 0.03, seed: seed), timeout: 60)
        let verdict = try result.objects.first?["verdict"] as? String
        #expect(verdict != "notGenuine", "\(result.standardOutput)")
        // 3: the reader could not even be opened.
        #expect([0, 3, 5].contains(result.status), "\(result.standardError)")
    }

    @Test("An answer that makes no sense is unreadable", arguments: [2, 3])
    func nonsense(exchange: Int) async throws {
        // An answer of one byte has no status word.
        let result = try await verify(with: Faults(Fault(.response(Data([0x90])), .nth(exchange))))
        #expect(try result.objects.first?["reason"] as? String == "protocolError")
        #expect(result.status == 5)
    }

    @Test("A reader that says nothing is a reader fault")
    func silence() async throws {
        let result = try await verify(with: .silence, timeout: 60)
        #expect(result.status == 3)
        #expect(result.standardOutput == "")
        #expect(result.standardError.contains("no PN53x answers at"))
    }

    /// Verifies a genuine tag on a reader with faults.
    private func verify(with faults: Faults, timeout: Int = 3) async throws -> ProcessResult {
        let catalog = try TagCatalog()
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try catalog.tag("nbt"))
        reader.faults = faults
        let anchor = try TemporaryFile(catalog.authority.manufacturingPEM)
        return try await Tool.run(
            "verify --once --json --timeout \(timeout) --reader \(reader.connectionString) "
                + "--anchor \(anchor.path)"
        )
    }

    @Test("Without an anchor nothing is verified on a real reader")
    func noAnchor() async throws {
        let result = try await Tool.run("verify --reader pn532_uart:/dev/null")
        #expect(result.status == 2)
        #expect(result.standardOutput == "")
        #expect(result.standardError.hasPrefix("nfc-session: --anchor PEM is missing\nUsage: "))
    }

    @Test("An anchor file that is none is a usage error", arguments: ["/nowhere.pem", "/dev/null"])
    func badAnchor(path: String) async throws {
        let result = try await Tool.run("verify --once --virtual nbt --anchor \(path)")
        #expect(result.status == 2)
        #expect(result.standardError.contains(path))
    }

    @Test("No tag in time is status 4")
    func noTag() async throws {
        let result = try await Tool.run("verify --once --virtual felica --timeout 1")
        #expect(result.status == 4)
        #expect(result.standardOutput == "")
        #expect(result.standardError.contains("no tag came within 1 s"))
    }

    @Test(
        "Without --once the status says whether every tag was genuine",
        arguments: [("nbt", 0), ("nbt:copy", 2), ("nbt:counterfeit", 1)] as [(String, Int32)]
    )
    func continuous(tag: String, status: Int32) async throws {
        let result = try await Tool.run("verify --json --timeout 2 --virtual \(tag)")
        #expect(result.status == status)
        #expect(try result.objects.count == (status == 2 ? 0 : 1))
    }

    @Test(
        "On a terminal the screen shows the steps, in color unless NO_COLOR says not",
        .needsScript
    )
    func screen() async throws {
        let line = "\(Tool.path) verify --once --virtual nbt"
        let colored = try await Process.run(
            "/usr/bin/script",
            ["-qec", line, "/dev/null"],
            environment: ["TERM": "xterm", "NO_COLOR": ""]
        )
        for text in [
            "NBT Brand Protection", "Waiting for a tag", "The product is being verified ...",
            "Product successfully verified",
        ] {
            #expect(colored.standardOutput.contains(text))
        }
        // The green of facts/nbt.md, 3.4: 0A8276.
        #expect(colored.standardOutput.contains("\u{1B}[1;38;2;10;130;118m"))
        #expect(colored.status == 0)
        let plain = try await Process.run(
            "/usr/bin/script",
            ["-qec", line, "/dev/null"],
            environment: ["TERM": "xterm", "NO_COLOR": "1"]
        )
        #expect(plain.standardOutput.contains("Product successfully verified"))
        #expect(!plain.standardOutput.contains("38;2"))
    }
}

/// Infineon's sample certificates and key in `../shared/data/nbt`, beside the package (facts/nbt.md, 10).
enum SampleFiles {
    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "shared/data/nbt")

    static let areThere = FileManager.default.fileExists(atPath: folder.path)

    static func path(_ name: String) -> String { folder.appending(path: name).path }

    /// The virtual tag with the sample device's certificate and key.
    static var tag: String {
        "nbt:cert=\(path("SampleDeviceCertificate.pem")),key=\(path("SampleDeviceKey.pem"))"
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test, saying why, where Infineon's sample files are not beside the package.
    static var needsSampleFiles: Self {
        .enabled(if: SampleFiles.areThere, "needs ../shared/data/nbt")
    }

    /// Skips a test, saying why, where `script` is not installed, which gives a program a terminal.
    static var needsScript: Self {
        .enabled(
            if: Process.find("script") == "/usr/bin/script",
            "needs /usr/bin/script (bsdutils)"
        )
    }
}

/// A file that is gone when its owner is.
final class TemporaryFile {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
