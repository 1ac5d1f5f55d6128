/// A JSON value whose keys keep the order they were written in, so that every line of output looks alike.
enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([JSON])
    case object(Members)

    /// The members of an object, in their order.
    struct Members: Sendable, Equatable, ExpressibleByDictionaryLiteral {
        private let keys: [String]
        private let values: [JSON]

        init(_ members: [(String, JSON)]) {
            keys = members.map(\.0)
            values = members.map(\.1)
        }

        init(dictionaryLiteral members: (String, JSON)...) { self.init(members) }

        fileprivate var text: String {
            zip(keys, values).map { JSON.quoted($0) + ":" + $1.description }.joined(separator: ",")
        }
    }

    /// A string, or null.
    static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
}

extension JSON: CustomStringConvertible {
    /// The value as JSON text on one line (RFC 8259).
    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): "\(value)"
        case .string(let text): Self.quoted(text)
        case .array(let values): "[" + values.map(\.description).joined(separator: ",") + "]"
        case .object(let members): "{" + members.text + "}"
        }
    }

    fileprivate static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            // JSON does not ask for DEL and C1 to be escaped, but a terminal would obey them.
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
