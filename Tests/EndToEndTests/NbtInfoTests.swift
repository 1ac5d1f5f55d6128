import Foundation
import TestSupport
import Testing
import VirtualReader

/// `nfc-session nbt info`.
@Suite(.serialized) struct NbtInfoTests {
    @Test("Everything is said in words")
    func text() async throws {
        let result = try await Tool.run("nbt info --virtual nbt")
        #expect(result.status == 0)
        let text = result.standardOutput
        for part in [
            "058c3fd9d4b200", "prepared for brand-protection", "stored",
            "mapping version 2.0, answers up to 256 bytes, takes 255",
            "cc     always       never        never        never",
            "file1  never        never        never        never",
            "fap    always       always       always       always",
            "http://optiga-nbt-cott-service.infineon.com?cott=",
            "for 058C3FD9D4B200, not verified",
        ] {
            #expect(text.contains(part), "\(part) is missing in \(text)")
        }
    }

    @Test("JSON is one object, with the seven files and nineteen values at most")
    func json() async throws {
        let objects = try await Tool.run("nbt info --json --virtual nbt:pass-through").objects
        let object = try #require(objects.first)
        #expect(objects.count == 1)
        let state = object["state"] as? [String: Any]
        // Their policies are the same (facts/nbt.md, 1.4).
        #expect(state?["useCases"] as? [String] == ["pass-through", "handover"])
        #expect((object["policies"] as? [Any])?.count == 7)
        let files = object["files"] as? [[String: Any]]
        #expect(files?.compactMap { $0["size"] as? Int } == [47, 4096, 1024, 1024, 1024, 1024, 42])
        let configuration = object["configuration"] as? [[String: Any]]
        #expect(configuration?.count == 19)
        let gpio = configuration?.first { $0["tag"] as? String == "c030" }
        #expect(gpio?["value"] as? String == "pass-through")
    }

    @Test("What the tag refuses is shown as refused, and is no error")
    func refused() async throws {
        let result = try await Tool.run("nbt info --json --virtual nbt:locked")
        #expect(result.status == 0)
        let message = try result.objects.first?["message"] as? [String: Any]
        #expect((message?["refused"] as? String)?.contains("may not be read") == true)
        let plain = try await Tool.run("nbt info --virtual nbt:locked")
        #expect(plain.standardOutput.contains("Message: refused: READ BINARY answered 6982"))
    }

    @Test("It takes no more than fifty exchanges")
    func exchanges() async throws {
        let result = try await Tool.run("nbt info --verbose --virtual nbt")
        let count = result.standardError.split(separator: "\n").count { $0.contains(" -> ") }
        #expect((20...50).contains(count))
    }

    @Test(
        "A tag that is no NBT is status 5, and none at all is 4",
        arguments: [("type4", 5), ("ntag213", 5), ("desfire", 5), ("felica", 4)]
    )
    func other(tag: String, status: Int32) async throws {
        let result = try await Tool.run("nbt info --timeout 1 --virtual \(tag)")
        #expect(result.status == status)
        #expect(result.standardOutput == "")
    }
}
