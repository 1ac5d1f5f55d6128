public import APDU
import Bytes

/// What went wrong with a command of the NBT.
///
/// Faults of the way to the tag are not here: they come from the channel, as `TransportError`.
public enum NbtError: Error, Equatable, Sendable {
    /// The tag answered a status word other than 9000.
    case status(NbtCommand, StatusWord)
    /// The answer has `count` bytes of data where `expected` were possible. Repeat, with the tag
    /// held still.
    case unexpectedLength(NbtCommand, count: Int, expected: ClosedRange<Int>)
    /// The NDEF file says that its message has `length` bytes, but the file cannot hold so many.
    /// Write the message anew.
    case ndefLengthBeyondFile(length: Int)
    /// The message to be written is longer than the NDEF file, which holds 4094 bytes.
    case ndefMessageTooLong(length: Int)
    /// The tag answered 0000 or FFFF in place of the password's response: the password is wrong or
    /// blocked.
    case passwordRejected(response: UInt16)
    /// The channel carries too few bytes, `limit`, for this command. Use another reader.
    case channelTooSmall(NbtCommand, limit: Int)
    /// An argument cannot be sent; the text says what is allowed.
    case invalidArgument(NbtCommand, String)
}

extension NbtError: CustomStringConvertible {
    /// The fault as a sentence, with the command's name.
    public var description: String {
        switch self {
        case .status(let command, let status):
            "\(command.rawValue) answered \(status): \(command.meaning(of: status))."
        case .unexpectedLength(let command, let count, let expected):
            "\(command.rawValue) answered \(count) bytes, expected were \(Self.text(expected))."
        case .ndefLengthBeyondFile(let length):
            "The NDEF file claims a message of \(length) bytes, more than it can hold."
        case .ndefMessageTooLong(let length):
            "The NDEF file holds 4094 bytes, the message has \(length)."
        case .passwordRejected(let response):
            "The password was rejected (response \(response.hex)): it is wrong or blocked."
        case .channelTooSmall(let command, let limit):
            "The reader carries only \(limit) bytes, too few for \(command.rawValue)."
        case .invalidArgument(let command, let problem):
            "\(command.rawValue) cannot be sent: \(problem)."
        }
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        range.lowerBound == range.upperBound
            ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
}
