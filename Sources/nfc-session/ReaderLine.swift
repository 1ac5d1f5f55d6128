import NFCReader

/// A reader, or a port that may have one, as `readers` prints it.
struct ReaderLine {
    /// What `--reader` takes, as it was found or named.
    let connectionString: String
    /// How it came into the list.
    let source: Source
    /// The model, or the adapter's name.
    let description: String
    /// What the system says about it; nil when it was named.
    let candidate: ReaderCandidate?
    /// What came of asking it; nil when nothing is asked.
    let answer: ReaderProbe.Answer?

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
        /// A bus on a Raspberry Pi's header, which may have anything on it.
        case i2c, spi
    }

    /// What `--reader` takes, with the baud rate at which it answers.
    private var name: String {
        if case .reader(let name, _)? = answer { name } else { connectionString }
    }

    /// Whether this is a reader for sure: by its answer, or by how it came into the list.
    var isReader: Bool {
        switch answer {
        case .reader: true
        case .failure, .notAsked: false
        case nil: source == .named || source == .configuration || source == .usb
        }
    }

    /// The reader as one JSON object; `answers` is null when it was not asked.
    var json: JSON { .object(JSON.Members(members)) }

    /// The members of the object.
    var members: [(String, JSON)] {
        [
            ("reader", .string(name)),
            ("source", .string(source.rawValue)),
            ("description", .string(description)),
            ("answers", answers),
            ("problem", .optional(problem)),
            ("chip", .optional(chip)),
            ("node", .optional(candidate?.node)),
            ("usb", .optional(candidate?.usb?.identifier.description)),
            ("serialNumber", .optional(candidate?.usb?.serialNumber)),
            ("driver", .optional(candidate?.driver)),
            ("permission", candidate?.access.map { .bool($0.isAllowed) } ?? .null),
            ("users", users),
        ]
    }

    /// The line for people: what `--reader` takes, what it is, and what came of asking it.
    var text: String {
        var words = [name, description.printable]
        if let node = candidate?.node, !name.hasSuffix(node) { words.append(node) }
        if candidate?.access?.isAllowed == false { words.append("no permission") }
        for user in candidate?.holders?.processes ?? [] {
            words.append("used by \(user)".printable)
        }
        if let chip { words.append("answers: \(chip)") }
        if let problem { words.append(problem) }
        return words.joined(separator: "  ")
    }

    private var answers: JSON {
        switch answer {
        case .reader: .bool(true)
        case .failure: .bool(false)
        case .notAsked, nil: .null
        }
    }

    private var chip: String? {
        if case .reader(_, let chip)? = answer { chip } else { nil }
    }

    private var problem: String? {
        switch answer {
        case .failure(let error): error.description
        case .notAsked(let reason): reason
        case .reader, nil: nil
        }
    }

    /// The processes that have the node open; null when not all could be looked into and none was seen.
    private var users: JSON {
        guard let holders = candidate?.holders else { return .null }
        guard holders.isComplete || !holders.processes.isEmpty else { return .null }
        return .array(
            holders.processes.map {
                .object(["process": .number($0.identifier), "name": .string($0.name)])
            }
        )
    }
}

extension ReaderLine {
    /// A candidate that was found.
    init(_ candidate: ReaderCandidate, answer: ReaderProbe.Answer?) {
        self.init(
            connectionString: candidate.connectionString,
            source: Source(candidate.source),
            description: candidate.description,
            candidate: candidate,
            answer: answer
        )
    }
}

extension ReaderLine.Source {
    fileprivate init(_ source: ReaderCandidate.Source) {
        self =
            switch source {
            case .configuration: .configuration
            case .usb: .usb
            case .serial: .serial
            case .i2c: .i2c
            case .spi: .spi
            }
    }
}
