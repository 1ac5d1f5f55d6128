import Foundation

/// Texts that tests compare the code with: the project's own, and the fact sheet where it is.
enum Documents {
    /// The folder of Package.swift.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// facts/corenfc.md beside the project; nil where it is not.
    static let factSheet: String? = try? String(
        contentsOf: root.deletingLastPathComponent()
            .appendingPathComponent("shared/facts/corenfc.md"),
        encoding: .utf8
    )

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The Swift files below a folder, but one, with everything in one string each.
    static func sources(in folder: String, except left: String? = nil) throws -> [String] {
        let url = root.appendingPathComponent(folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: url.path)
        return try names.filter { $0.hasSuffix(".swift") && $0 != left }.sorted().map {
            try String(contentsOf: url.appendingPathComponent($0), encoding: .utf8)
        }
    }
}

/// A Markdown text.
struct Markdown {
    let lines: [Substring]

    init(_ text: some StringProtocol) {
        lines = String(text).split(separator: "\n", omittingEmptySubsequences: false)
    }

    private init(lines: [Substring]) { self.lines = lines }

    /// What stands below the heading that begins with these words, up to the next of its level or a higher one.
    func section(_ heading: String) -> Markdown {
        let level = heading.prefix { $0 == "#" }.count
        let rest = lines.drop { !$0.hasPrefix(heading) }.dropFirst()
        let body = rest.prefix { line in
            let itsLevel = line.prefix { $0 == "#" }.count
            return itsLevel == 0 || itsLevel > level
        }
        return Markdown(lines: Array(body))
    }

    /// The cells of every table's rows, without the head.
    var tableRows: [[String]] {
        var rows: [[String]] = []
        for line in lines where line.hasPrefix("|") {
            if line.hasPrefix("|--") {
                // What came before it was the head.
                if !rows.isEmpty { rows.removeLast() }
                continue
            }
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            rows.append(
                cells.dropFirst().dropLast().map { $0.trimmingCharacters(in: .whitespaces) }
            )
        }
        return rows
    }

    /// The lines between the fences of its Swift code.
    var swiftCode: String {
        var isCode = false
        var code = ""
        for line in lines {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
            } else if isCode {
                code += line + "\n"
            }
        }
        return code
    }

    /// What stands between backticks, piece by piece.
    static func code(in text: some StringProtocol) -> [String] {
        let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
        return pieces.indices.filter { !$0.isMultiple(of: 2) }.map { String(pieces[$0]) }
    }
}
