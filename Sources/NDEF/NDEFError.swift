/// What is wrong with an NDEF message or record.
///
/// `offset` counts bytes from the start of the message to the start of the record at fault; it is 0
/// for a record that is made, not read.
public enum NDEFError: Error, Equatable, Sendable {
    /// There are no bytes. An empty message is the three bytes D0 00 00.
    case noBytes
    /// The bytes end before the record at `offset` is complete: the message was cut, a length in it
    /// is wrong, or its last record lacks the message-end flag.
    case truncated(offset: Int)
    /// The message-begin flag is missing in the first record, or set in a later one.
    case misplacedMessageBegin(offset: Int)
    /// A chunk that is not the last one carries the message-end flag.
    case misplacedMessageEnd(offset: Int)
    /// Bytes follow the record with the message-end flag. Pass the message only, without NLEN or
    /// padding.
    case trailingBytes(offset: Int)
    /// A chunked record does not go on as it must, or a chunk stands alone.
    case brokenChunk(offset: Int)
    /// A record of the type "empty" has a type, an identifier or a payload.
    case contentInEmptyRecord(offset: Int)
    /// A record of unknown type names a type.
    case typeInUnknownRecord(offset: Int)
    /// A length in the record is larger than this machine can address.
    case recordTooLong(offset: Int)
    /// A type has more than 255 bytes.
    case typeTooLong(count: Int)
    /// An identifier has more than 255 bytes.
    case identifierTooLong(count: Int)
    /// A payload has more than 4294967295 bytes.
    case payloadTooLong(count: Int)
    /// A message has more than the 65534 bytes for which a type 4 tag can have room.
    case messageTooLong(count: Int)
    /// The record is not of the type that was to be decoded from it.
    case unexpectedType(expected: String)
    /// The payload of a known type breaks that type's rules; `problem` says how.
    case malformedPayload(type: String, problem: String)
}

extension NDEFError: CustomStringConvertible {
    /// The fault as a sentence.
    public var description: String {
        switch self {
        case .noBytes:
            "There is no NDEF message."
        case .truncated(let offset):
            "The NDEF message ends before the record at byte \(offset) is complete."
        case .misplacedMessageBegin(let offset):
            "The NDEF record at byte \(offset) has a wrong message-begin flag."
        case .misplacedMessageEnd(let offset):
            "The NDEF record at byte \(offset) has a wrong message-end flag."
        case .trailingBytes(let offset):
            "The NDEF message ends at byte \(offset), but more bytes follow."
        case .brokenChunk(let offset):
            "The chunked NDEF record is broken at byte \(offset)."
        case .contentInEmptyRecord(let offset):
            "The empty NDEF record at byte \(offset) has content."
        case .typeInUnknownRecord(let offset):
            "The NDEF record of unknown type at byte \(offset) names a type."
        case .recordTooLong(let offset):
            "The NDEF record at byte \(offset) is too long for this machine."
        case .typeTooLong(let count):
            "An NDEF record type has at most 255 bytes, not \(count)."
        case .identifierTooLong(let count):
            "An NDEF record identifier has at most 255 bytes, not \(count)."
        case .payloadTooLong(let count):
            "An NDEF payload has at most 4294967295 bytes, not \(count)."
        case .messageTooLong(let count):
            "An NDEF message on a tag has at most 65534 bytes, not \(count)."
        case .unexpectedType(let expected):
            "The NDEF record is not of type \(expected)."
        case .malformedPayload(let type, let problem):
            "The NDEF record of type \(type) is malformed: \(problem)."
        }
    }
}
