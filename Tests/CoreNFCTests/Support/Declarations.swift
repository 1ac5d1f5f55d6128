import Foundation

/// The names that a piece of Swift declares, found by its keywords.
struct Declarations {
    /// Types, properties, cases, methods.
    private(set) var names: Set<String> = []
    /// Methods and initializers with their labels: `connect(to:completionHandler:)`.
    private(set) var signatures: Set<String> = []

    init(_ source: String) {
        let code = source.split(separator: "\n").map(Self.withoutComments).joined(separator: "\n")
        let declaration =
            #/
            \b (?: func | var | let | struct | protocol | enum | typealias | class (?! \s+ (?:func|var) \b ) )
            \s+ (\w+)
            /#
        names.formUnion(code.matches(of: declaration).map { String($0.1) })
        for match in code.matches(of: #/\bcase ([A-Za-z][^:\n}]*)/#) {
            guard !match.1.hasPrefix("let ") else { continue }
            let list = match.1.replacing(#/\([^)]*\)/#, with: "").prefix { $0 != ";" }
            names.formUnion(
                list.split(separator: ",").compactMap { $0.firstMatch(of: #/\w+/#) }
                    .map { String($0.0) }
            )
        }
        for match in code.matches(of: #/\b(?:func\s+(\w+)|init)[?]?\s*\(/#) {
            let name = match.1.map(String.init) ?? "init"
            let labels = Self.labels(code[match.range.upperBound...])
            signatures.insert(name + "(" + labels.map { $0 + ":" }.joined() + ")")
        }
    }

    private static func withoutComments(_ line: Substring) -> String {
        var line = line.replacing(#//\*.*?\*//#, with: "")
        if let comment = line.range(of: "//") { line.removeSubrange(comment.lowerBound...) }
        return String(line)
    }

    /// The labels of the parameters that stand before the closing parenthesis.
    private static func labels(_ text: Substring) -> [Substring] {
        var depth = 0
        var start = text.startIndex
        var labels: [Substring] = []
        func note(upTo end: String.Index) {
            let parameter = text[start..<end]
            // What has no colon is a piece of a generic type.
            guard parameter.contains(":") else { return }
            if let label = parameter.firstMatch(of: #/\w+/#) { labels.append(label.0) }
        }
        for index in text.indices {
            switch text[index] {
            case "(", "[", "{": depth += 1
            case ")" where depth == 0:
                note(upTo: index)
                return labels
            case ")", "]", "}": depth -= 1
            case "," where depth == 0:
                note(upTo: index)
                start = text.index(after: index)
            default: break
            }
        }
        return []
    }
}
