import VirtualReader

/// The tags of `simulate`, by the words they were named with.
struct SimulatedField {
    private let reader: VirtualReader
    private let catalog: TagCatalog
    /// Every tag named so far: one that is placed again is the same one.
    private var tags: [String: any VirtualTag] = [:]

    init(reader: VirtualReader, catalog: TagCatalog) {
        self.reader = reader
        self.catalog = catalog
    }

    /// Why a line was not obeyed.
    enum Failure: Error, Equatable, CustomStringConvertible {
        case unknownCommand(String)
        case alreadyThere(String)
        case notThere(String)

        var description: String {
            switch self {
            case .unknownCommand(let line):
                "'\(line)' is no command: write place TAG, remove TAG, swap OLD NEW or quit"
            case .alreadyThere(let tag): "'\(tag)' is in the field already"
            case .notThere(let tag): "'\(tag)' is not in the field"
            }
        }
    }

    /// Obeys one line, split into words.
    mutating func obey(_ words: [String]) throws {
        switch (words.first, words.count) {
        case ("place", 2): try place(words[1])
        case ("remove", 2): reader.remove(try tagInField(words[1]))
        case ("swap", 3):
            let old = try tagInField(words[1])
            reader.swap(old, for: try tagOutside(words[2]))
        default: throw Failure.unknownCommand(words.joined(separator: " "))
        }
    }

    /// Puts a tag into the field.
    mutating func place(_ name: String) throws {
        reader.place(try tagOutside(name))
    }

    /// The tag with this name, in the field or not.
    mutating func tag(_ name: String) throws(TagCatalogError) -> any VirtualTag {
        if let tag = tags[name] { return tag }
        let tag = try catalog.tag(name)
        tags[name] = tag
        return tag
    }

    private mutating func tagOutside(_ name: String) throws -> any VirtualTag {
        let tag = try tag(name)
        guard !isInField(tag) else { throw Failure.alreadyThere(name) }
        return tag
    }

    private func tagInField(_ name: String) throws -> any VirtualTag {
        guard let tag = tags[name], isInField(tag) else { throw Failure.notThere(name) }
        return tag
    }

    private func isInField(_ tag: any VirtualTag) -> Bool {
        reader.tags.contains { $0 === tag }
    }
}
