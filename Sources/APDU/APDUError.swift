public import Foundation

/// What is wrong with a command or a response APDU.
///
/// Faults of the way to the tag (tag lost, reader failed) are not here: they come from the channel,
/// as `TransportError`.
public enum APDUError: Error, Equatable, Sendable {
    /// The command has fewer than the four bytes of its header. Send at least CLA INS P1 P2.
    case commandTooShort(count: Int)
    /// Lc and Le do not fit the bytes after the header. Check Lc, and do not mix short and extended
    /// fields.
    case lengthMismatch
    /// A data field has more than 65535 bytes. Split it into several commands.
    case dataTooLong(count: Int)
    /// Ne, the expected length, is not 1...65536. Leave it out if no answer data is expected.
    case expectedLengthOutOfRange(Int)
    /// The encoded command is longer than the channel carries, in bytes. Split it into several
    /// commands.
    case commandTooLong(count: Int, limit: Int)
    /// A response has fewer than the two bytes of its status word. Repeat, with the tag held still.
    case responseTooShort(count: Int)
    /// The tag announces more and more bytes (61xx): it has given `count` of them. Try another tag.
    case endlessAnswer(count: Int)
    /// The tag answered another status word than 9000; its `meaning` says why.
    case unexpectedStatus(StatusWord)
}

extension APDUError: CustomStringConvertible {
    /// The fault and its remedy as a sentence.
    public var description: String {
        switch self {
        case .commandTooShort(let count):
            "A command APDU needs at least 4 bytes (CLA INS P1 P2), this one has \(count)."
        case .lengthMismatch:
            "Lc and Le do not fit the bytes that follow the command's header."
        case .dataTooLong(let count):
            "A command carries at most 65535 bytes of data, not \(count); split it."
        case .expectedLengthOutOfRange(let length):
            "The expected length must be 1 to 65536 bytes, not \(length)."
        case .commandTooLong(let count, let limit):
            "The command has \(count) bytes, but the reader carries only \(limit); split it."
        case .responseTooShort(let count):
            "The answer has \(count) bytes, too few for a status word; hold the tag still."
        case .endlessAnswer(let count):
            "The tag has more to say for ever, after \(count) bytes; it is broken."
        case .unexpectedStatus(let status):
            "The tag answered \(status): \(status.meaning)."
        }
    }
}

extension APDUError: LocalizedError {
    /// As `description`.
    public var errorDescription: String? { description }
}
