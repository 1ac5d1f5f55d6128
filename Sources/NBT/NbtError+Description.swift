import Bytes
public import Foundation

extension NbtError: CustomStringConvertible {
    /// The fault as a sentence with the command's name, and what to do about it.
    public var description: String {
        guard let remedy = recoverySuggestion else { return fault }
        return "\(fault) \(remedy)"
    }

    private var fault: String {
        switch self {
        case .status(let command, let status):
            "\(command.rawValue) answered \(status): \(command.meaning(of: status))."
        case .unexpectedLength(let command, let count, let expected):
            "\(command.rawValue) answered \(count) bytes, expected were \(Self.text(expected))."
        case .malformedAnswer(let command, let problem):
            "\(command.rawValue) answered what it should not: \(problem)."
        case .malformedTlv(let fault, let offset):
            "The data objects are malformed: \(fault.rawValue) at offset \(offset)."
        case .valueTooLong(let count, let limit):
            "A value of \(count) bytes is too long, \(limit) can be coded."
        case .malformedPolicy(let problem):
            "This is no file access policy: \(problem)."
        case .ndefLengthBeyondFile(let length):
            "The NDEF file claims a message of \(length) bytes, more than it can hold."
        case .ndefMessageTooLong(let length):
            "The NDEF file holds 4094 bytes, the message has \(length)."
        case .passwordRejected(let response):
            "The password was rejected (response \(response.hex)): it is "
                + Self.rejection(response) + "."
        case .passwordResponseMismatch(let id):
            "The tag took password \(id) but did not answer the response that belongs to it."
        case .invalidPasswordId(let number):
            "The identifier of a password is 1 to 31, not \(number)."
        case .channelTooSmall(let command, let limit):
            "The reader carries only \(limit) bytes, too few for \(command.rawValue)."
        case .invalidArgument(let command, let problem):
            "\(command.rawValue) cannot be sent: \(problem)."
        case .needsConsent(let command, let consequence):
            "\(command.rawValue) was not sent: \(consequence)."
        case .recordNotFound(let what): "The tag's message holds no \(what)."
        case .invalidPlan(let problem): "The plan contradicts itself: \(problem)."
        case .wrongState(let problem): "The tag is not in the state for this: \(problem)."
        }
    }

    private static func text(_ range: ClosedRange<Int>) -> String {
        range.lowerBound == range.upperBound
            ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }

    /// The chip's answers are not confirmed, so that the text claims no more than is likely
    /// (facts/nbt.md, 2.2).
    private static func rejection(_ response: UInt16) -> String {
        response == 0xFFFF ? "blocked, or the tag has no such password" : "wrong"
    }
}

extension NbtError: LocalizedError {
    /// As `description`.
    public var errorDescription: String? { description }

    /// What to do, as a sentence; nil where the fault says it already.
    public var recoverySuggestion: String? {
        switch self {
        case .status(let command, let status): command.remedy(for: status)
        case .unexpectedLength, .malformedAnswer: "Hold the tag still and try again."
        case .valueTooLong: "Split it."
        case .ndefLengthBeyondFile: "Write the message anew."
        case .ndefMessageTooLong: "Shorten the message."
        case .passwordRejected(0xFFFF): "Unblock it with the master password."
        case .passwordRejected: "Each wrong try counts: check the password before the next one."
        case .passwordResponseMismatch: "It is another tag than the one prepared, or a fake."
        case .channelTooSmall: "Use another reader."
        case .needsConsent: "Confirm it if you want it."
        case .wrongState: "Reset the tag first, or take another one."
        case .malformedTlv, .malformedPolicy, .invalidPasswordId, .invalidArgument,
            .recordNotFound, .invalidPlan:
            nil
        }
    }
}
