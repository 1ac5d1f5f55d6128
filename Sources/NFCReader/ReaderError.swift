/// What went wrong between this program, the reader and a tag.
///
/// `kind` says who is at fault, and stays visible up to the exit status of the command line.
public enum ReaderError: Error, Equatable, Sendable {
    /// The connection string is not one this package opens; the text says why and what to write instead.
    case invalidConnectionString(String)
    /// No reader was named and none was found.
    case noReader
    /// Several readers were found and none was named; the connection strings are listed.
    case severalReaders([String])
    /// The device node is missing or may not be opened; the text says what to do.
    case cannotOpen(String)
    /// Another program holds the reader; the text names it where the system tells.
    case inUse(String)
    /// Something answers, but not as a PN53x does; the text says what to check.
    case notResponding(String)
    /// The reader failed in the middle of its work: libnfc's error code and what was being done.
    case failed(code: Int32, during: String)
    /// libnfc stopped itself on bytes it could not digest. The device must be closed and opened again.
    case libraryFault(during: String)
    /// The chip's answer does not fit the command that was sent.
    case malformedAnswer(during: String)
    /// The tag left the field or stopped answering.
    case tagLost
    /// The exchange with the tag failed with this status byte of the chip (facts/pn532.md, 4).
    case tagError(status: UInt8)
    /// The command is longer than the reader can send: `size` and `limit` in bytes.
    case commandTooLong(size: Int, limit: Int)
    /// The tag answers more than the reader can take: `limit` in bytes.
    case answerTooLong(limit: Int)
    /// The reader was closed before the call.
    case closed
    /// The call was interrupted by `Reader.interrupt()`.
    case interrupted

    /// Who is at fault, and so who can mend it.
    public enum Kind: Sendable {
        /// The caller: a wrong argument or a call out of order.
        case usage
        /// The reader or its connection.
        case reader
        /// The tag, or its place in the field.
        case tag
        /// Nobody: the call was stopped on purpose.
        case interrupted
    }

    /// Who is at fault.
    public var kind: Kind {
        switch self {
        case .invalidConnectionString, .severalReaders, .commandTooLong, .closed: .usage
        case .noReader, .cannotOpen, .inUse, .notResponding, .failed, .libraryFault,
            .malformedAnswer:
            .reader
        case .tagLost, .tagError, .answerTooLong: .tag
        case .interrupted: .interrupted
        }
    }
}
