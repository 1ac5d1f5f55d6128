import Foundation
import TestSupport
import Testing
import VirtualReader

/// `nfc-session nbt personalise` and `reset`: what they refuse, and what they put on a tag.
@Suite(.serialized) struct NbtPersonaliseTests {
    @Test("Without --yes and without a terminal nothing happens, and the status is 2")
    func unconfirmed() async throws {
        let bench = try NbtBench()
        for command in ["personalise adt", "reset", "policy apply adt"] {
            let result = try await bench.run(command)
            #expect(result.status == 2)
            #expect(result.standardError.contains("--yes"))
        }
        let final = try await bench.run("personalise adt --finalise")
        #expect(final.standardError.contains("keys can never be stored again"))
        #expect(bench.card.isAs(.delivery))
    }

    @Test("A tag in another state is refused with status 1, before anything is written")
    func otherState() async throws {
        let result = try await Tool.run("nbt personalise adt --yes --virtual nbt")
        #expect(result.status == 1)
        #expect(result.standardError.contains("Reset the tag first"))
    }

    @Test("Handover stores the address in Bluetooth's order, and is read back")
    func handover() async throws {
        let bench = try NbtBench()
        let done = try await bench.run(
            "personalise handover --bluetooth 00:11:22:AA:BB:CC --name NBT --yes"
        )
        #expect(done.status == 0)
        // facts/nbt.md, 4.4 and 6.4: length 000D, low byte first, address, complete local name.
        let payload = hex("0D00CCBBAA22110004094E4254")
        #expect(bench.card.contents(of: .ndef).range(of: payload) != nil)
        // Pass-through for the GPIO, both interfaces (facts/nbt.md, 2.10).
        #expect(bench.card.configuration(0xC030) == hex("04"))
        #expect(bench.card.configuration(0xC060) == hex("11"))
        let read = try await bench.run("handover")
        #expect(read.standardOutput.contains("00:11:22:AA:BB:CC NBT"))
        #expect(read.status == 0)
    }

    @Test("A tag without pairing data is status 1 for handover")
    func noHandover() async throws {
        #expect(try await Tool.run("nbt handover --virtual nbt:empty").status == 1)
        #expect(try await Tool.run("nbt handover --virtual nbt").status == 1)
    }

    @Test(
        "What cannot be put on a tag is status 2 before a reader is touched",
        arguments: [
            "bp", "bp --certificate /nonexistent", "adt --certificate x", "adt --uri http://a",
            "handover", "handover --bluetooth 00:11", "elsewhere", "adt --tries 0",
            "adt --master-id 2", "adt --link-key-file /nonexistent", "adt --message /dev/null",
        ]
    )
    func usage(words: String) async throws {
        let result = try await Tool.run(
            "nbt personalise \(words) --yes --reader pn532_uart:/dev/ttyUSB96"
        )
        #expect(result.status == 2, "\(result.standardError)")
    }

    @Test("Key and certificate must belong together, and be for a tag")
    func keys() async throws {
        let bench = try NbtBench()
        let catalog = try TagCatalog()
        let own = try catalog.authority.identity(uid: NBTApplication.sampleUID)
        let other = try catalog.authority.identity(uid: NBTApplication.sampleUID)
        let ca = try bench.file("ca.pem", catalog.authority.manufacturingPEM)
        let certificate = try bench.file("tag.der", own.certificate)
        let key = try bench.file("other.key", try other.key.pem())
        let mixed = try await bench.run(
            "personalise bp --certificate \(certificate) --key \(key) --yes"
        )
        #expect(mixed.status == 2)
        #expect(mixed.standardError.contains("not the key of the certificate"))
        let authority = try await bench.run(
            "personalise bp --certificate \(ca) --key \(key) --yes"
        )
        #expect(authority.status == 2)
    }

    @Test("A certificate for another tag is noticed; link key and URI go with it")
    func foreign() async throws {
        let bench = try NbtBench()
        let identity = try TagCatalog().authority.identity(uid: hex("05111111111111"))
        let words =
            "personalise bp --certificate \(try bench.file("tag.der", identity.certificate)) "
            + "--key \(try bench.file("tag.key", try identity.key.pem())) "
            + "--uri https://example.com/ "
            + "--link-key-file \(try bench.file("link", "000102030405060708090a0b0c0d0e0f")) --yes"
        let result = try await bench.run(words)
        #expect(result.status == 0)
        #expect(result.standardError.contains("the certificate is for 05111111111111"))
        // URI prefix 04 is https:// (facts/nbt.md, 6.2).
        let record = hex("55046578616D706C652E636F6D2F")
        #expect(bench.card.contents(of: .ndef).range(of: record) != nil)
    }

    @Test("A chip without elliptic curve takes no key, and says so with status 1")
    func nbt1000() async throws {
        let bench = try NbtBench()
        let identity = try TagCatalog().authority.identity(uid: NBTApplication.sampleUID)
        let result = try await Tool.run(
            "nbt personalise bp --certificate \(try bench.file("tag.der", identity.certificate)) "
                + "--key \(try bench.file("tag.key", try identity.key.pem())) --yes "
                + "--virtual nbt:empty,nbt1000"
        )
        #expect(result.status == 1)
        #expect(result.standardError.contains("NBT2000"))
    }
}
