import Bytes
import NFCReader
import VirtualReader

/// The reader that a command works on: a real one, or a virtual one that lives as long as the command.
enum ReaderChoice: Equatable {
    /// The one with this connection string, or the one that the environment or the USB bus suggests.
    case real(String?)
    /// A virtual one with these tags in its field.
    case virtual([String])

    init(_ arguments: Arguments) throws(UsageError) {
        if let tags = arguments.value(of: .virtual) {
            guard !arguments.has(.reader) else { throw .conflict(.reader, .virtual) }
            self = .virtual(tags.split(separator: "+").map(String.init))
        } else {
            self = .real(arguments.value(of: .reader))
        }
    }

    /// A reader that is there for use.
    struct Ready {
        let connectionString: String
        /// Who signed the certificates of the virtual NBT tags; nil on a real reader.
        let authority: CertificateAuthority?
    }

    /// Runs `body` with the reader; a virtual one is closed afterwards.
    ///
    /// With --verbose the frames of a virtual one are shown, unless `showsFrames` is false: those of
    /// some commands hold passwords and keys.
    func use<Result>(
        _ output: Output,
        showsFrames: Bool = true,
        _ body: (Ready) async throws -> Result
    ) async throws -> Result {
        switch self {
        case .real(let named):
            let connectionString = try await ReaderCandidates.resolve(named)
            output.trace("using \(connectionString)")
            return try await body(Ready(connectionString: connectionString, authority: nil))
        case .virtual(let tags):
            let catalog = try TagCatalog()
            let reader = try VirtualReader()
            defer { reader.close() }
            for tag in tags { reader.place(try catalog.tag(tag)) }
            if showsFrames, output.detail == .verbose {
                reader.trace = { output.trace("\($0.line)") }
            }
            return try await body(
                Ready(connectionString: reader.connectionString, authority: catalog.authority)
            )
        }
    }
}

extension TraceEvent {
    /// The frame on one line: `>` to the chip, `<` from it.
    var line: String {
        (direction == .toChip ? "> " : "< ") + bytes.hex
    }
}
