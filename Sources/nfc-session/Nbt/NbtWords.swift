import NBT

/// The words of the command line for what an NBT has.

extension NbtFile {
    /// The file's name on the command line.
    var word: String {
        switch self {
        case .capabilityContainer: "cc"
        case .ndef: "ndef"
        case .proprietary1: "file1"
        case .proprietary2: "file2"
        case .proprietary3: "file3"
        case .proprietary4: "file4"
        case .fileAccessPolicy: "fap"
        }
    }

    init?(word: String) {
        guard let file = Self.allCases.first(where: { $0.word == word.lowercased() }) else {
            return nil
        }
        self = file
    }
}

extension NbtUseCase {
    /// The use case with this name, whole or as Infineon's documents shorten it.
    init?(word: String) {
        let short: [String: NbtUseCase] = [
            "bp": .brandProtection, "adt": .asynchronousDataTransfer, "pt": .passThrough,
            "ch": .connectionHandover,
        ]
        guard let useCase = Self(rawValue: word.lowercased()) ?? short[word.lowercased()] else {
            return nil
        }
        self = useCase
    }
}

extension AccessCondition {
    /// What an option takes for a condition.
    static let words = "always, never or password:N with N from 1 to 31"

    /// The condition that a word stands for.
    init?(word: String) {
        let parts = word.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        switch (parts.first, parts.count) {
        case ("always", 1): self = .always
        case ("never", 1): self = .never
        case ("password", 2):
            guard let number = Int(parts[1]), let id = try? PasswordId(number) else { return nil }
            self = .password(id)
        default: return nil
        }
    }

    /// The condition's word.
    var word: String {
        switch self {
        case .always: "always"
        case .never: "never"
        case .password(let id): "password:\(id)"
        }
    }
}

extension ConfigurationTag {
    /// The tag with this name, or with this number in four hexadecimal digits.
    init?(word: String) {
        let tag = Self.allCases.first {
            $0.name == word.lowercased() || $0.rawValue == UInt16(word, radix: 16)
        }
        guard let tag else { return nil }
        self = tag
    }
}
