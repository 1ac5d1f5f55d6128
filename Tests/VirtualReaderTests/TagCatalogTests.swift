import TestSupport
import Testing
import VirtualReader

@Suite struct TagCatalogTests {
    private static let catalog = Result { try TagCatalog() }

    private func tag(_ text: String) throws -> any VirtualTag {
        try Self.catalog.get().tag(text)
    }

    private func error(_ text: String) -> TagCatalogError? {
        do {
            _ = try tag(text)
            return nil
        } catch {
            return error as? TagCatalogError
        }
    }

    @Test(
        "Every kind can be made without options, in either case",
        arguments: TagCatalog.kinds.map(\.name)
    )
    func kinds(name: String) throws {
        _ = try tag(name)
        _ = try tag(name.uppercased())
    }

    @Test(
        "uid= sets what the tag identifies itself by",
        arguments: [
            ("ntag213", "04112233445566"), ("classic-1k", "0a0b0c0d"),
            ("classic-4k", "04112233445566"),
            ("type4", "04112233445566778899"), ("desfire", "04112233445566"),
            ("nbt", "05112233445566"), ("employee", "0a0b0c0d"), ("felica", "0102030405060708"),
        ]
    )
    func uid(kind: String, uid: String) throws {
        let shown =
            switch try tag("\(kind):uid=\(uid)").identification {
            case .typeA(_, _, let uid, _): uid
            case .typeB(let pupi, _, _): pupi
            case .feliCa(let idm, _, _): idm
            }
        #expect(shown == hex(uid))
    }

    @Test(
        "uid=random gives type A tags a random UID",
        arguments: ["ntag213", "classic-1k", "type4", "desfire", "nbt"]
    )
    func random(kind: String) throws {
        guard case .typeA(_, _, let uid, _) = try tag(kind + ":uid=random").identification else {
            Issue.record("not type A")
            return
        }
        // ISO 14443-3, 6.5.4.
        #expect(uid.count == 4 && uid.first == 0x08)
    }

    @Test("Every option of nbt that the help names is understood")
    func nbtOptions() throws {
        for words in TagCatalog.nbtOptions.map(\.name) where !words.contains("=") {
            for word in words.split(separator: ", ") { _ = try tag("nbt:\(word)") }
        }
    }

    @Test(
        "What makes no tag is refused, and the error says why",
        arguments: [
            ("", .unknownKind("")),
            ("unicorn", .unknownKind("unicorn")),
            ("ntag213:color=red", .unknownOption("color", of: "ntag213:color=red")),
            ("ntag213:counterfeit", .unknownOption("counterfeit", of: "ntag213:counterfeit")),
            ("nbt:expired,rsa", .unknownOption("rsa", of: "nbt:expired,rsa")),
            ("nbt:expired,expired", .unknownOption("expired", of: "nbt:expired,expired")),
            (
                "nbt:expired=yes",
                .invalidValue(option: "expired", of: "nbt:expired=yes", expected: "no value")
            ),
            (
                "ntag213:uid=xyz",
                .invalidValue(
                    option: "uid",
                    of: "ntag213:uid=xyz",
                    expected: "bytes in hexadecimal, or random"
                )
            ),
            (
                "felica:uid",
                .invalidValue(option: "uid", of: "felica:uid", expected: "bytes in hexadecimal")
            ),
        ] as [(String, TagCatalogError)]
    )
    func refused(text: String, expected: TagCatalogError) {
        #expect(error(text) == expected)
        #expect(!"\(expected)".isEmpty)
    }

    @Test(
        "A tag that cannot be is refused with the reason",
        arguments: [
            "ntag213:uid=04", "nbt:uid=04", "employee:uid=01", "felica:uid=01", "nbt:cert=/nowhere",
            "nbt:cert=/nowhere,key=/nowhere", "type4:uid=88112233",
        ]
    )
    func unusable(text: String) {
        guard case .unusable(text, let reason) = error(text) else {
            Issue.record("\(text) was not refused")
            return
        }
        #expect(!reason.isEmpty)
    }
}
