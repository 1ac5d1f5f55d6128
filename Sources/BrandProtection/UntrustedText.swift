/// Text from a tag as it may be printed on a terminal or into a log.
///
/// Control characters, line ends and invisible marks that turn the writing direction are replaced,
/// and more than 200 characters are cut off, so that a tag cannot forge lines or hide what follows.
package func printable(_ text: String) -> String {
    let limit = 200
    var result = ""
    for scalar in text.unicodeScalars.prefix(limit) {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate,
            .unassigned:
            result.unicodeScalars.append("\u{FFFD}")
        default:
            result.unicodeScalars.append(scalar)
        }
    }
    return text.unicodeScalars.count > limit ? result + "…" : result
}
