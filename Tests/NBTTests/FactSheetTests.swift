import Foundation
import Testing

/// Whether the tests name every vector and quirk that the fact sheet lists (facts/nbt.md, 7 and 8).
@Suite struct FactSheetTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let sheet = package.deletingLastPathComponent()
        .appendingPathComponent("shared/facts/nbt.md")
    private static let isThere = FileManager.default.fileExists(atPath: sheet.path)

    /// Vector 139 is about I2C frames, for which there is no simulator here.
    private static let exceptions: Set<Int> = [139]

    @Test("every vector has a test with its number", .enabled(if: isThere, "needs ../shared"))
    func vectors() throws {
        let listed = Set(try rows("[0-9]+").compactMap { Int($0) }).filter { $0 <= 139 }
        #expect(listed.count == 139)
        let named = try Self.phrases().reduce(into: Set<Int>()) { numbers, phrase in
            for match in phrase.matches(of: /[Vv]ectors? ((?:[0-9]+(?:, | and | to )?)+)/) {
                numbers.formUnion(Self.numbers(String(match.1)))
            }
        }
        #expect(listed.subtracting(Self.exceptions).subtracting(named).sorted() == [])
    }

    @Test("every quirk has a test with its name", .enabled(if: isThere, "needs ../shared"))
    func quirks() throws {
        let listed = Set(try rows("[ANRT][0-9]+"))
        #expect(listed.count == 17 + 9 + 8 + 14)
        let named = try Self.phrases().reduce(into: Set<String>()) { names, phrase in
            for match in phrase.matches(of: /\b([ANRT])([0-9]+)(?: to \1([0-9]+))?\b/) {
                guard let first = Int(match.2) else { continue }
                let last = match.3.flatMap { Int($0) } ?? first
                guard first <= last else { continue }
                for number in first...last { names.insert("\(match.1)\(number)") }
            }
        }
        #expect(listed.subtracting(named).sorted() == [])
    }

    /// The first cells of the sheet's tables in parts 7 and 8 that look like this.
    private func rows(_ pattern: String) throws -> [String] {
        let text = try String(contentsOf: Self.sheet, encoding: .utf8)
        let lines = text.split(separator: "\n").drop { !$0.hasPrefix("## 7.") }
            .prefix { !$0.hasPrefix("## 9.") }
        let cell = try Regex("^\\| (\(pattern)) \\|", as: (Substring, Substring).self)
        return lines.compactMap { $0.firstMatch(of: cell).map { String($0.1) } }
    }

    /// Doc comments and names of tests: what is written in words, not in hexadecimal digits.
    private static func phrases() throws -> [String] {
        let folder = package.appendingPathComponent("Tests")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        var phrases: [String] = []
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", file.lastPathComponent != "FactSheetTests.swift"
            else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            phrases += text.split(separator: "\n")
                .filter { $0.contains("//") || $0.contains("\"") }
                .filter { $0.contains(/[a-z]{4}/) }
                .map(String.init)
        }
        return phrases
    }

    /// The numbers of "1, 3 and 5 to 7".
    private static func numbers(_ text: String) -> Set<Int> {
        var numbers: Set<Int> = []
        var last: Int?
        var isRange = false
        for word in text.replacingOccurrences(of: ",", with: " ").split(separator: " ") {
            if word == "to" { isRange = true }
            guard let number = Int(word) else { continue }
            if isRange, let last, last <= number { numbers.formUnion(last...number) }
            numbers.insert(number)
            last = number
            isRange = false
        }
        return numbers
    }
}
