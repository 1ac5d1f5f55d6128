import BrandProtection
import Foundation
import TestSupport
import Testing

@Suite struct NoticesTests {
    @Test(
        "a UID that the certificate names needs no notice",
        arguments: ["05A1B2C3D4E5F6", "05a1b2c3d4e5f6"]
    )
    func same(subject: String) {
        #expect(Notices.uid(hex("05A1B2C3D4E5F6"), subject: subject) == nil)
    }

    @Test("a UID that differs is told, with both")
    func different() throws {
        let notice = try #require(
            Notices.uid(hex("05A1B2C3D4E5F6"), subject: "058C3FD9D4B200")
        )
        #expect(notice.contains("058c3fd9d4b200"))
        #expect(notice.contains("05a1b2c3d4e5f6"))
    }

    @Test(
        "where there is nothing to compare, that is told",
        arguments: [
            ("08AABBCC", "random"), ("AABBCCDD", "4 bytes"), ("", "0 bytes"),
            ("05A1B2C3D4E5F6A7B8C9", "10 bytes"),
        ]
    )
    func uid(text: String, words: String) throws {
        let notice = try #require(Notices.uid(hex(text), subject: "05A1B2C3D4E5F6"))
        #expect(notice.contains(words))
        #expect(notice.contains("not compared"))
    }

    @Test(
        "a subject that names no UID is told",
        arguments: [nil, "", "Chip 5", "05A1B2C3D4E5", "05A1B2C3D4E5F6A7"]
    )
    func subject(subject: String?) throws {
        let notice = try #require(Notices.uid(hex("05A1B2C3D4E5F6"), subject: subject))
        #expect(notice.contains("names no UID"))
    }

    @Test("an address is shown as text that nobody vouches for")
    func address() throws {
        let notices = Notices.uris(["https://example.com/\u{202E}moc.kcatta\n"])
        let notice = try #require(notices.first)
        #expect(notices.count == 1)
        #expect(notice.contains("not verified and was not opened"))
        #expect(notice.hasSuffix("https://example.com/\u{FFFD}moc.kcatta\u{FFFD}"))
        #expect(Notices.uris([]).isEmpty)
    }

    @Test("a tag with hundreds of addresses does not flood the screen")
    func manyAddresses() {
        let notices = Notices.uris(Array(repeating: "http://a", count: 500))
        #expect(notices.count == 4)
        #expect(notices.last == "The tag carries 497 more addresses.")
    }

    @Test("text from a tag cannot move the cursor, forge a line or turn the direction")
    func printableText() {
        #expect(
            printable("a\u{1B}[31mb\r\nc\u{200B}d\u{2028}e\u{E000}\u{0}")
                == "a\u{FFFD}[31mb\u{FFFD}\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}\u{FFFD}"
        )
        #expect(printable("Größe 日本 😀 ™") == "Größe 日本 😀 ™")
        #expect(printable(String(repeating: "a", count: 200)).count == 200)
        #expect(printable(String(repeating: "a", count: 201)).hasSuffix("a…"))
        #expect(printable(String(repeating: "a", count: 100_000)).count == 201)
    }
}
