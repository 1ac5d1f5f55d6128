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
    /// The answer's data are not what the command answers; the text says why. Repeat, with the tag
    /// held still.
    case malformedAnswer(NbtCommand, String)
    /// Bytes are no TLV structure: what is wrong, and at which offset.
    case malformedTlv(TlvFault, offset: Int)
    /// A value has more bytes, `count`, than can be coded. Split it.
    case valueTooLong(count: Int, limit: Int)
    /// Bytes are no file access policy; the text says why.
    case malformedPolicy(String)
    /// The NDEF file says that its message has `length` bytes, but the file cannot hold so many.
    /// Write the message anew.
    case ndefLengthBeyondFile(length: Int)
    /// The message to be written is longer than the NDEF file, which holds 4094 bytes.
    case ndefMessageTooLong(length: Int)
    /// The tag answered 0000 or FFFF in place of the password's response: the password is wrong or
    /// blocked.
    case passwordRejected(response: UInt16)
    /// The tag took the password but answered another response than the one stored with it. It is
    /// another tag, or a fake.
    case passwordResponseMismatch(PasswordId)
    /// A password's identifier is not 1 to 31.
    case invalidPasswordId(Int)
    /// The channel carries too few bytes, `limit`, for this command. Use another reader.
    case channelTooSmall(NbtCommand, limit: Int)
    /// An argument cannot be sent; the text says what is allowed.
    case invalidArgument(NbtCommand, String)
    /// The command does what cannot be undone, and was not told to; the text says what.
    case needsConsent(NbtCommand, String)
    /// The message holds no record that a use case could understand; the text says which it looked
    /// for.
    case recordNotFound(String)
    /// A personalisation plan contradicts itself; the text says where. Correct the plan.
    case invalidPlan(String)
    /// The tag is in a state from which the plan does not start; the text says what it found. Reset
    /// the tag first.
    case wrongState(String)
}

extension NbtError {
    /// Whether the tag refused a password: wrong, blocked, missing, or answered by a fake.
    public var concernsPassword: Bool {
        switch self {
        case .passwordRejected, .passwordResponseMismatch: true
        case .status(_, .securityStatusNotSatisfied): true
        default: false
        }
    }
}
