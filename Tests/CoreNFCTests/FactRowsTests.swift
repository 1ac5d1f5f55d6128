import Foundation
import Testing

/// Each statement of the fact sheet about behaviour (facts/corenfc.md, 2) is named by a test: by a line
/// `// Fact 2.6: ` above it, followed by the statement's first words.
@Suite(.enabled(if: Documents.factSheet != nil, "needs ../shared/facts/corenfc.md"))
struct FactRowsTests {
    /// A statement: a table's row, an item of a list, or a paragraph.
    private struct Statement: Hashable {
        let section: String
        let text: String
    }

    /// Statements that no test can show, each with the reason.
    private static let exempt: [Statement: String] = [
        Statement(section: "2.4", text: "App goes to the background"): "Linux has no such thing",
        Statement(section: "2.7", text: "In read-only mode the error mark"): "there is no sheet",
    ]

    private static let sections = (1...10).map { "2.\($0)" }

    private func statements(_ section: String) throws -> [Statement] {
        let body = Markdown(try #require(Documents.factSheet)).section("### \(section) ")
        let rows = body.tableRows.map { $0[0] }
        let items = body.lines.compactMap { line -> Substring? in
            guard !line.hasPrefix("|"), !line.isEmpty else { return nil }
            return line.trimmingPrefix(#/(?:- |\d+\. )/#)
        }
        // A line that ends without a full stop is the title of what follows.
        let sentences = items.filter { $0.hasSuffix(".") }
        return (rows + sentences.map(String.init)).map {
            Statement(section: section, text: Self.plain($0))
        }
    }

    private static func plain(_ text: some StringProtocol) -> String {
        String(text).replacing("`", with: "").replacing("*", with: "")
    }

    /// The statements that tests name; each must stand above a test.
    private func named() throws -> Set<Statement> {
        var named: Set<Statement> = []
        for folder in ["Tests/CoreNFCTests", "Tests/CoreNFCClient5Tests"] {
            for source in try Documents.sources(in: folder) {
                let lines = source.split(separator: "\n").map { $0.drop { $0 == " " } }
                for (index, line) in lines.enumerated() where line.hasPrefix("// Fact 2.") {
                    let next = lines[index...].first { !$0.hasPrefix("//") }
                    #expect(next?.hasPrefix("@Test") == true, "not above a test: \(line)")
                    let words = line.dropFirst("// Fact ".count).split(
                        separator: ": ",
                        maxSplits: 1
                    )
                    try #require(words.count == 2, "not a section and a statement: \(line)")
                    named.insert(
                        Statement(section: String(words[0]), text: Self.plain(words[1]))
                    )
                }
            }
        }
        return named
    }

    @Test("Every statement is named by a test, and every name is a statement's")
    func everyStatement() throws {
        let named = try named().union(Self.exempt.keys)
        #expect(named.allSatisfy { Self.sections.contains($0.section) })
        for section in Self.sections {
            let statements = try statements(section)
            #expect(!statements.isEmpty)
            let names = named.filter { $0.section == section }
            for statement in statements {
                let isNamed = names.contains { statement.text.hasPrefix($0.text) }
                #expect(isNamed, "no test for \(section): \(statement.text.prefix(80))")
            }
            for name in names {
                let meant = statements.filter { $0.text.hasPrefix(name.text) }
                #expect(meant.count == 1, "\(meant.count) begin in \(section) with: \(name.text)")
            }
        }
    }
}
