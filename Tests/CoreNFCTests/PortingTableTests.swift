import Foundation
import Testing

/// The table of Apple's API in docs/porting.md, against the module's sources and the fact sheet.
@Suite struct PortingTableTests {
    /// A symbol of the table.
    private struct Symbol {
        /// `NFCReaderError.Code` has two.
        let names: [String]
        /// With labels, for methods and initializers.
        let signature: String?
        let mark: String

        init(_ code: String, mark: String) {
            let base = code.prefix { $0 != "(" }
            names = base.split(separator: ".").map(String.init)
            signature = code.contains("(") ? code : nil
            self.mark = mark
        }
    }

    private let symbols: [Symbol]
    private static let present: Set<String> = ["works", "beyond", "declared"]
    private static let inherited = "works (Foundation)"
    private static let absent = "absent"

    init() throws {
        let page = Markdown(try Documents.text("docs/porting.md"))
        let rows = page.section("## Apple's API").tableRows.filter { $0.count == 3 }
        symbols = rows.flatMap { row in
            var codes: [String] = []
            var plain = ""
            for piece in Markdown.code(in: row[0]) {
                // A bare label is a further form of the method before it.
                if piece.wholeMatch(of: #/\w+:/#) != nil {
                    codes.append(plain.dropLast() + piece + ")")
                } else {
                    plain = piece
                    codes.append(piece)
                }
            }
            return codes.map { Symbol($0, mark: row[1]) }
        }
    }

    @Test("Every row has one of the marks, and the table is there")
    func marks() {
        #expect(symbols.count > 250)
        let marks = Self.present.union([Self.inherited, Self.absent])
        for symbol in symbols {
            #expect(marks.contains(symbol.mark), "\(symbol.names): \(symbol.mark)")
        }
    }

    @Test("Every symbol that is marked as present is declared, with these labels; no absent one is")
    func declared() throws {
        let sources = try Documents.sources(in: "Sources/CoreNFC").map(Declarations.init)
        let names = sources.reduce(into: Set<String>()) { $0.formUnion($1.names) }
        let signatures = sources.reduce(into: Set<String>()) { $0.formUnion($1.signatures) }
        for symbol in symbols where symbol.mark != Self.inherited {
            let isDeclared =
                symbol.signature.map(signatures.contains) ?? symbol.names.allSatisfy(names.contains)
            #expect(
                isDeclared == Self.present.contains(symbol.mark),
                "\(symbol.signature ?? "\(symbol.names)")"
            )
        }
    }

    @Test("Every error code that is marked as working is made somewhere; no declared one is")
    func errorCodes() throws {
        let code = try Documents.sources(in: "Sources/CoreNFC", except: "NFCReaderError.swift")
            .joined()
        let codes = symbols.filter { $0.names.last?.firstMatch(of: #/^[a-z].*Error[A-Z]/#) != nil }
        #expect(codes.count > 20)
        for symbol in codes where symbol.mark != Self.absent {
            let name = try #require(symbol.names.last)
            let isMade = code.firstMatch(of: try Regex("\\.\(name)\\b")) != nil
            #expect(isMade == (symbol.mark == "works"), "\(name)")
        }
    }

    @Test(
        "Every symbol that the fact sheet names is in the table",
        .enabled(if: Documents.factSheet != nil, "needs ../shared/facts/corenfc.md")
    )
    func complete() throws {
        let facts = Markdown(try #require(Documents.factSheet))
        let names = Set(symbols.flatMap(\.names))
        let signatures = Set(symbols.compactMap(\.signature))
        let apple = Declarations(facts.section("## 1. Public API").swiftCode)
        #expect(apple.names.count > 100)
        #expect(apple.names.subtracting(names).sorted() == [])
        #expect(apple.signatures.subtracting(signatures).sorted() == [])

        let codes = facts.section("### 1.9").tableRows.map { Markdown.code(in: $0[1]).first ?? "" }
        #expect(codes.count == 24)
        #expect(Set(codes).subtracting(names) == [])

        let named = ["### 1.7", "### 1.10"].map { facts.section($0).lines.joined(separator: "\n") }
        let words = named.flatMap { Markdown.code(in: $0) }
            .compactMap { $0.firstMatch(of: #/^(?:typealias )?(\w+)/#).map { String($0.1) } }
            .filter { !Self.notSymbols.contains($0) }
        #expect(words.count > 50)
        #expect(Set(words).subtracting(names).sorted() == [])
    }

    /// What 1.7 and 1.10 set as code without its being a symbol of the module, or as part of an absent one.
    private static let notSymbols: Set<String> = [
        "OptionSet", "UInt8", "resultHandler", "requestFlags", "swift", "Mode", "ErrorCode", "init",
        "class", "var",
    ]
}
