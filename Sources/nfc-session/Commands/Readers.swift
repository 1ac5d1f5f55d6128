import NFCReader

extension Command {
    /// Lists readers.
    static let readers = Command(
        "readers",
        summary: "List readers, and serial ports that may have one",
        discussion: """
            Nothing is written to any port unless --probe is given. --probe opens each
            candidate and asks whether it is a PN53x reader; another kind of device on a
            serial port may take that amiss. With --reader only that one is listed.

            Exit status: 0 when there is a reader (with --probe: when one answers), else 3.
            """,
        options: [.probe],
        run: { arguments, output in try await listReaders(arguments, output) }
    )
}

extension Option {
    static let probe = Option("probe", help: "Ask each candidate whether it is a reader")
}

private func listReaders(_ arguments: Arguments, _ output: Output) async throws -> Exit {
    if arguments.has(.timeout) { throw UsageError.unexpectedOption(.timeout) }
    let choice = try ReaderChoice(arguments)
    let isProbing = arguments.has(.probe)
    var isFound = false
    func list(_ connectionString: String, _ source: ReaderLine.Source, _ description: String)
        async throws
    {
        let line = ReaderLine(
            connectionString: connectionString,
            source: source,
            description: description,
            answer: isProbing ? await probe(connectionString) : nil
        )
        try Task.checkCancellation()
        isFound = isFound || line.isReader
        try output.result(line.json, text: line.text)
    }
    if choice == .real(nil) {
        for candidate in await ReaderCandidates.all() {
            let source: ReaderLine.Source =
                switch candidate.source {
                case .configuration: .configuration
                case .usb: .usb
                case .serial: .serial
                }
            try await list(candidate.connectionString, source, candidate.description)
        }
    } else {
        try await choice.use(output) { reader in
            let description = reader.authority == nil ? "named" : "virtual PN532"
            try await list(reader.connectionString, .named, description)
        }
    }
    if !isFound { output.notice("no reader found") }
    return isFound ? .done : .reader
}

/// Whether a PN53x reader answers there; the error says why not.
private func probe(_ connectionString: String) async -> Result<Void, ReaderError> {
    do throws(ReaderError) {
        let reader = try await Reader.open(connectionString)
        await reader.close()
        return .success(())
    } catch {
        return .failure(error)
    }
}
