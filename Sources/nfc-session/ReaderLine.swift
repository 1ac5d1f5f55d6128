import NFCReader

/// A reader, or a port that may have one, as `readers` prints it.
struct ReaderLine {
    /// What `--reader` takes.
    let connectionString: String
    /// How it came into the list.
    let source: Source
    /// The model, or the adapter's name.
    let description: String
    /// What came of asking it; nil when it was not asked.
    let answer: Result<Void, ReaderError>?

    /// How a reader came into the list.
    enum Source: String {
        /// It was named with `--reader`, or is the virtual one of `--virtual`.
        case named
        /// From libnfc's configuration.
        case configuration
        /// A USB device with the id of a PN53x reader.
        case usb
        /// A serial port, which may have anything behind it.
        case serial
    }

    /// Whether this is a reader for sure: by its answer, or by how it came into the list.
    var isReader: Bool {
        switch answer {
        case .success: true
        case .failure: false
        case nil: source != .serial
        }
    }

    /// The reader as one JSON object; `answers` is null when it was not asked.
    var json: JSON {
        .object([
            "reader": .string(connectionString),
            "source": .string(source.rawValue),
            "description": .string(description),
            "answers": answer == nil ? .null : .bool(isReader),
            "problem": .optional(problem),
        ])
    }

    /// The line for people: what `--reader` takes, what it is, and what came of asking it.
    var text: String {
        let words = [connectionString, description.printable]
        return (words + (answer == nil ? [] : [problem ?? "answers"])).joined(separator: "  ")
    }

    private var problem: String? {
        if case .failure(let error) = answer { error.description } else { nil }
    }
}
