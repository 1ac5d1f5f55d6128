import NFCReader

/// The reader that a command works on: a real one, or a virtual one that lives as long as the command.
enum ReaderChoice: Equatable {
    /// The one with this connection string, or the one that the environment or the USB bus suggests.
    case real(String?)
    /// A virtual one with these tags in its field, as `--virtual` names them.
    case virtual(String)

    init(_ arguments: Arguments) throws(UsageError) {
        if let tags = arguments.value(of: .virtual) {
            guard !arguments.has(.reader) else { throw .conflict(.reader, .virtual) }
            self = .virtual(tags)
        } else {
            self = .real(arguments.value(of: .reader))
        }
    }
}

extension ReaderChoice {
    /// Runs `body` with the connection string of the reader.
    func use<Result>(
        _ output: Output,
        _ body: (String) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .real(let named):
            let connectionString = try await ReaderCandidates.resolve(named)
            output.trace("using \(connectionString)")
            return try await body(connectionString)
        case .virtual:
            throw CancellationError()
        }
    }
}
