import Foundation
import TestSupport
import Testing
import VirtualReader

/// `nfc-session nbt password`, `policy` and `config`.
@Suite(.serialized) struct NbtAccessTests {
    @Test("Passwords are created, changed, unblocked and deleted")
    func passwords() async throws {
        let bench = try NbtBench()
        let one = ["NFC_SESSION_NBT_NEW_PASSWORD": "aabbccdd"]
        #expect(
            try await bench.run("password create 5 --response 1234", environment: one).status == 0
        )
        #expect(bench.card.passwordIdentifiers == [5])
        #expect(bench.card.triesLeft(ofPassword: 5) == 10)
        let twice = try await bench.run("password create 5", environment: one)
        #expect(twice.status == 1)
        #expect(twice.standardError.contains("CREATE PASSWORD answered 6985"))
        // From standard input, as '-' says.
        let changed = try await bench.run(
            "password change 5 --new-password-file -",
            input: "01020304\n"
        )
        #expect(changed.status == 0)
        #expect(try await bench.run("policy set file1 --nfc-read password:5").status == 0)
        let read = "read file1 --count 1"
        let old = ["NFC_SESSION_NBT_PASSWORD": "aabbccdd"]
        #expect(try await bench.run(read, environment: old).status == 1)
        let new = ["NFC_SESSION_NBT_PASSWORD": "01 02 03 04"]
        #expect(try await bench.run(read, environment: new).standardOutput == "00\n")
        #expect(try await bench.run("password unblock 5").status == 0)
        #expect(try await bench.run("password delete 5").status == 0)
        #expect(bench.card.passwordIdentifiers == [])
        let gone = try await bench.run("password delete 5")
        #expect(gone.status == 1)
        #expect(gone.standardError.contains("no password with this identifier"))
    }

    @Test("No password is ever shown: not a wrong one, and not by --verbose")
    func secrecy() async throws {
        let bench = try NbtBench()
        let bad = try await bench.run(
            "password create 1",
            environment: ["NFC_SESSION_NBT_NEW_PASSWORD": "5ec2e7"]
        )
        #expect(bad.status == 2)
        #expect(!bad.standardError.contains("5ec2e7"))
        let open = try bench.file("open", "5ec2e755")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
        let created = try await bench.run("password create 1 --verbose --new-password-file \(open)")
        #expect(created.status == 0)
        #expect(created.standardError.contains("chmod 600 \(open)"))
        #expect(!(created.standardError + created.standardOutput).contains("5ec2e755"))
        let virtual = try await Tool.run(
            "nbt password create 1 --verbose --virtual nbt:empty --new-password-file \(open)"
        )
        #expect(virtual.status == 0)
        #expect(virtual.standardError.contains("bytes hidden"))
        #expect(!virtual.standardError.contains("5ec2e755"))
    }

    @Test("A missing password is said before a reader is touched, with the ways to give it")
    func missing() async throws {
        let result = try await Tool.run(
            "nbt password create 1 --reader pn532_uart:/dev/ttyUSB96"
        )
        #expect(result.status == 2)
        #expect(result.standardError.contains("--new-password-file FILE"))
        #expect(result.standardError.contains("NFC_SESSION_NBT_NEW_PASSWORD"))
    }

    @Test("The master password is not deleted without being asked about")
    func master() async throws {
        let bench = try NbtBench()
        let master = try bench.file("master", "11223344")
        #expect(
            try await bench.run("password create 1 --new-password-file \(master)").status == 0
        )
        let close = "policy set fap --nfc-write password:1"
        let unconfirmed = try await bench.run(close)
        #expect(unconfirmed.status == 2)
        #expect(unconfirmed.standardError.contains("no way back"))
        #expect(try await bench.run("\(close) --yes").status == 0)
        let delete = "password delete 1 --master-password-file \(master)"
        #expect(try await bench.run(delete).status == 2)
        #expect(bench.card.passwordIdentifiers == [1])
        #expect(try await bench.run("\(delete) --yes").status == 0)
    }

    @Test("Policies are shown and set, and what is not given stays")
    func policies() async throws {
        let bench = try NbtBench()
        let set = try await bench.run("policy set file2 --nfc-read never --i2c-write password:31")
        #expect(set.standardOutput == "file2  never        always       always       password:31\n")
        // The fourth entry of six bytes: I2C read and write, NFC read and write (facts/nbt.md, 1.4).
        let entry = bench.card.policies.bytes.dropFirst(18).prefix(6)
        #expect(entry == hex("E1A2409F0040"))
        let shown = try await bench.run("policy show")
        #expect(shown.standardOutput.split(separator: "\n").count == 8)
        let objects = try await bench.run("policy show --json").objects
        #expect(objects.count == 7)
        #expect(objects.last?["file"] as? String == "fap")
        for words in ["set file9 --nfc-read never", "set ndef", "set ndef --nfc-read password:32"] {
            #expect(try await bench.run("policy \(words)").status == 2)
        }
        let never = try await bench.run("policy set fap --nfc-write never")
        #expect(never.status == 2)
        #expect(never.standardError.contains("never be changed again"))
    }

    @Test("A use case's policies alone are set on a tag as delivered")
    func apply() async throws {
        let bench = try NbtBench()
        #expect(try await bench.run("policy apply pt --yes").status == 0)
        #expect(bench.card.isAs(.passThrough))
        #expect(bench.card.configuration(0xC030) != hex("04"))
        #expect(try await bench.run("policy apply adt --yes").status == 1)
    }

    @Test("The configuration is listed, read and set by names and by numbers")
    func configuration() async throws {
        let bench = try NbtBench()
        let list = try await bench.run("config list")
        #expect(list.standardOutput.contains("C021  product-life-cycle"))
        let set = try await bench.run("config set gpio-function pass-through")
        #expect(set.standardOutput.contains("pass-through (04)"))
        #expect(bench.card.configuration(0xC030) == hex("04"))
        #expect(try await bench.run("config get C030").standardOutput == "pass-through\n")
        #expect(try await bench.run("config set c040 00000001 --json").status == 0)
        #expect(bench.card.configuration(0xC040) == hex("00000001"))
    }

    @Test(
        "What the configuration cannot be is status 2, and what has no way back is asked about",
        arguments: [
            ("set gpio-function 09", "one of"), ("set product-short-name 41", "read only"),
            ("set flash-loader ac95", "destroy"), ("set nowhere 01", "expected"),
            ("set interfaces i2c", "switches NFC off"),
            ("set product-life-cycle operational", "for good"),
        ]
    )
    func impossible(words: String, reason: String) async throws {
        let result = try await Tool.run(
            "nbt config \(words) --reader pn532_uart:/dev/ttyUSB96"
        )
        #expect(result.status == 2)
        #expect(result.standardError.contains(reason), "\(result.standardError)")
    }

    @Test("With an operational life cycle the configuration is locked, with status 1")
    func locked() async throws {
        let bench = try NbtBench()
        #expect(
            try await bench.run("config set product-life-cycle operational --yes").status == 0
        )
        let result = try await bench.run("config set gpio-function disabled")
        #expect(result.status == 1)
        #expect(result.standardError.contains("6985"))
    }

    @Test("A chip that answers 6982 to a wrong password is understood as well")
    func strict() async throws {
        var settings = NBTApplication.Settings()
        settings.wrongPassword = .securityStatus
        let bench = try NbtBench(try NBTApplication(settings: settings))
        let right = ["NFC_SESSION_NBT_NEW_PASSWORD": "aabbccdd"]
        #expect(try await bench.run("password create 2 --tries 1", environment: right).status == 0)
        #expect(try await bench.run("policy set ndef --nfc-write password:2").status == 0)
        let message = try bench.file("message", hex("D00000"))
        let wrong = ["NFC_SESSION_NBT_PASSWORD": "00000000"]
        let refused = try await bench.run("write ndef --input \(message)", environment: wrong)
        #expect(refused.status == 1)
        #expect(refused.standardError.contains("SELECT file answered 6982"))
    }
}
