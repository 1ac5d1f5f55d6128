/// How a piece of text looks on a terminal.
enum Style: Sendable {
    case plain, bold, dim
    /// The green of a verified product, 0A8276 (facts/nbt.md, 3.4).
    case genuine
    /// The orange of a product that is not genuine, E16B25 (facts/nbt.md, 3.4).
    case notGenuine

    /// `text` with the escape sequences that give it this look.
    func callAsFunction(_ text: String) -> String {
        switch self {
        case .plain: text
        case .bold: "\u{1B}[1m\(text)\u{1B}[0m"
        case .dim: "\u{1B}[2m\(text)\u{1B}[0m"
        case .genuine: "\u{1B}[1;38;2;10;130;118m\(text)\u{1B}[0m"
        case .notGenuine: "\u{1B}[1;38;2;225;107;37m\(text)\u{1B}[0m"
        }
    }
}

extension String {
    /// The text without characters that could steer a terminal.
    ///
    /// What a tag says is shown, not obeyed.
    var printable: String {
        String(
            String.UnicodeScalarView(unicodeScalars.map { Self.isControl($0) ? "\u{FFFD}" : $0 })
        )
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: true
        default: false
        }
    }
}
