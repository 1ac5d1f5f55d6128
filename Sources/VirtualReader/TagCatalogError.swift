/// Why the words for a virtual tag make no tag.
public enum TagCatalogError: Error, Equatable {
    /// There is no kind of this name: choose one of `TagCatalog.kinds`.
    case unknownKind(String)
    /// This kind has no such option, or has it twice: `TagCatalog.kinds` says which ones there are.
    case unknownOption(String, of: String)
    /// The option's value is not what it takes; `expected` says what that is.
    case invalidValue(option: String, of: String, expected: String)
    /// Such a tag cannot be; the reason says what is wrong, with a file for example.
    case unusable(String, reason: String)
}

extension TagCatalogError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .unknownKind(let name):
            "there is no virtual tag '\(name)': use one of "
                + TagCatalog.kinds.map(\.name).joined(separator: ", ")
        case .unknownOption(let option, let text):
            "'\(option)' is no option of the virtual tag '\(text)'"
        case .invalidValue(let option, let text, let expected):
            "'\(option)' of the virtual tag '\(text)' takes \(expected)"
        case .unusable(let text, let reason): "the virtual tag '\(text)' cannot be: \(reason)"
        }
    }
}
