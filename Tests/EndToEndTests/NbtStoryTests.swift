import Foundation
import TestSupport
import Testing
import VirtualReader

/// The life of a tag on the command line, from blank to blank (issue 4).
@Suite(.serialized) struct NbtStoryTests {
    @Test(
        "blank, prepared, genuine, locked, refused, updated, blocked, unblocked, reset, blank",
        .enabled(if: OpenSSLChain.isInstalled, "needs openssl")
    )
    func story() async throws {
        let bench = try NbtBench()
        let chain = try await OpenSSLChain(uid: NBTApplication.sampleUID)
        let master = try bench.file("master", "11223344\n")
        let update = try bench.file("update", "aabbccdd\n")
        let wrong = try bench.file("wrong", "00000000\n")
        let anchor = try bench.file("ca.pem", chain.anchorPEM)
        let message = try bench.file("message", hex("D1010855036578616D706C65"))
        let personalise =
            "personalise bp --certificate \(try bench.file("tag.der", chain.certificate)) "
            + "--key \(try bench.file("tag.key", chain.keyPEM)) --master-password-file \(master)"

        let blank = try #require(try await bench.run("info --json").objects.first)
        #expect((blank["state"] as? [String: Any])?["name"] as? String == "delivery")
        #expect(blank["key"] as? Bool == false)

        // Only shown first, and nothing is written.
        let shown = try await bench.run("\(personalise) --dry-run --json")
        #expect(shown.status == 0)
        #expect(try shown.objects.contains { $0["state"] as? String == "toDo" })
        #expect(bench.card.isAs(.delivery) && bench.card.passwordIdentifiers == [])

        #expect(try await bench.run("\(personalise) --yes").status == 0)
        #expect(bench.card.passwordIdentifiers == [1])
        let verified = try await bench.tool("verify --once --anchor \(anchor)")
        #expect(verified.status == 0)
        #expect(verified.standardOutput.hasPrefix("genuine  058c3fd9d4b200"))
        let prepared = try #require(try await bench.run("info --json").objects.first)
        let state = prepared["state"] as? [String: Any]
        #expect(state?["useCases"] as? [String] == ["brand-protection"])

        // A password of its own for updates.
        let created = try await bench.run(
            "password create 2 --tries 3 --new-password-file \(update) "
                + "--master-password-file \(master)"
        )
        #expect(created.status == 0)
        let lock = "policy set ndef --nfc-write password:2"
        #expect(try await bench.run(lock).status == 1)
        #expect(try await bench.run("\(lock) --master-password-file \(master)").status == 0)

        let write = "write ndef --input \(message)"
        let refused = try await bench.run(write)
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("password"))
        #expect(try await bench.run("\(write) --password-file \(update)").status == 0)
        #expect(
            try await bench.run("read ndef").standardOutput == "d1010855036578616d706c65\n"
        )

        for _ in 1...3 {
            #expect(try await bench.run("\(write) --password-file \(wrong)").status == 1)
        }
        #expect(bench.card.triesLeft(ofPassword: 2) == 0)
        let blocked = try await bench.run("\(write) --password-file \(update)")
        #expect(blocked.status == 1)
        #expect(blocked.standardError.contains("Unblock it with the master password"))
        #expect(try await bench.run("password unblock 2").status == 1)
        #expect(
            try await bench.run("password unblock 2 --master-password-file \(master)").status == 0
        )
        #expect(try await bench.run("\(write) --password-file \(update)").status == 0)

        let keyless = try await bench.run("reset --yes")
        #expect(keyless.status == 1)
        #expect(keyless.standardError.contains("master password"))
        #expect(try await bench.run("reset --yes --master-password-file \(master)").status == 0)
        #expect(bench.card.isAs(.delivery) && bench.card.passwordIdentifiers == [])
        let reset = try #require(try await bench.run("info --json").objects.first)
        #expect((reset["state"] as? [String: Any])?["name"] as? String == "delivery")
        #expect((reset["message"] as? [String: Any])?["bytes"] as? Int == 0)
    }

    @Test("A tag that is lost on the way is brought on by the same command")
    func interrupted() async throws {
        let bench = try NbtBench()
        let master = try bench.file("master", "11223344")
        let message = try bench.file("message", hex("D1010855036578616D706C65"))
        let command =
            "personalise adt --message \(message) --master-password-file \(master) --yes"
        // Before the first write, after the password, in the configuration, between policies.
        for number in [3, 15, 25, 30, 34] {
            bench.loseTag(atExchange: number)
            let lost = try await bench.run(command)
            #expect(lost.status == 5, "exchange \(number): \(lost.standardError)")
            #expect(lost.standardError.contains("the same command once more"))
        }
        bench.loseTag(atExchange: nil)
        #expect(try await bench.run(command).status == 0)
        #expect(bench.card.contents(of: .ndef).prefix(14) == hex("000CD1010855036578616D706C65"))
        #expect(bench.card.policies[.proprietary2].nfcWrite == .never)
        #expect(bench.card.passwordIdentifiers == [1])
        // Done already: everything is found so.
        #expect(try await bench.run(command).status == 0)

        bench.loseTag(atExchange: 60)
        let reset = "reset --yes --master-password-file \(master)"
        #expect(try await bench.run(reset).status == 5)
        bench.loseTag(atExchange: nil)
        #expect(try await bench.run(reset).status == 0)
        #expect(bench.card.isAs(.delivery))
    }
}
