import Bytes
import Foundation
import TestSupport
import Testing
import VirtualReader

/// The exchanges that docs/nbt.md shows are what a virtual tag answers.
@Suite struct WorkedExchangeTests {
    private static let document = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/nbt.md")

    /// One line of an exchange.
    private enum Line {
        case command(Data)
        case answer(Data)
    }

    @Test(
        "the document's bytes are the tag's",
        arguments: ["Access policies", "Passwords", "Configuration"]
    )
    func exchanges(heading: String) throws {
        let card = try NBTApplication()
        #expect(card.respond(to: hex("00A4040007D276000085010100")) == hex("9000"))
        var answer: Data?
        var answers = 0
        for line in try lines(under: heading) {
            switch line {
            case .command(let bytes): answer = card.respond(to: bytes)
            case .answer(let bytes):
                #expect(answer?.hex == bytes.hex)
                answers += 1
            }
        }
        #expect(answers >= 2)
    }

    private func lines(under heading: String) throws -> [Line] {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let section = text.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("### \(heading)") }.dropFirst()
            .prefix { !$0.hasPrefix("#") }
        return try section.compactMap { line in
            guard line.hasPrefix("-> ") || line.hasPrefix("<- ") else { return nil }
            // Two blanks begin a remark.
            let text = line.dropFirst(3)
            let bytes = text.firstRange(of: "  ").map { text[..<$0.lowerBound] } ?? text
            let data = try #require(Data(hex: String(bytes)), "\(line)")
            return line.hasPrefix("->") ? .command(data) : .answer(data)
        }
    }
}
