import Testing

@testable import nfc_session

@Suite struct StyleTests {
    @Test(
        "What a tag says cannot steer a terminal",
        arguments: ["\u{1B}[2J", "a\u{202E}b", "a\rb", "a\nb", "\u{9B}31m", "\u{7}", "\u{2028}"]
    )
    func printable(text: String) {
        #expect(
            text.printable.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            }
        )
        #expect(text.printable.contains("\u{FFFD}"))
    }

    @Test("Ordinary text stays as it is", arguments: ["ACS ACR122U", "Prüfung ✓", "日本"])
    func ordinary(text: String) {
        #expect(text.printable == text)
    }
}
