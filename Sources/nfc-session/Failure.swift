import APDU
import BrandProtection
import NBT
import NDEF
import NFCReader
import NFCSession
import VirtualReader

/// Why a command could not do its work, where no module below has an error for it.
enum Failure: Error, Equatable {
    /// No tag came within this many seconds.
    case noTag(seconds: Int)
    /// A tag came, but the time of this many seconds was up before its verification was done.
    case unfinished(seconds: Int)
    /// The session ended because its reader failed; the text says how.
    case reader(String)
    /// A file that the user named; the reason is the system's or the parser's.
    case file(path: String, reason: String)
    /// The tag does not do what the command needs; the text says what to use instead.
    case unsuitableTag(String)
    /// A password or key is missing or cannot be used; the text says which and how to give it, and never what it was.
    case secret(String)
    /// Nobody could be asked about this, and it was not confirmed.
    case needsConsent(String)
    /// The user was asked, and said no.
    case declined
    /// What the command line asks for cannot be; the text says why.
    case impossible(String)
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .noTag(let seconds): "no tag came within \(seconds) s"
        case .unfinished(let seconds): "the tag was not verified within \(seconds) s"
        case .reader(let text): text
        case .file(let path, let reason): "\(path): \(reason)"
        case .unsuitableTag(let text), .secret(let text), .impossible(let text): text
        case .needsConsent(let text): "\(text); say --yes if that is what you want"
        case .declined: "nothing was changed"
        }
    }
}

extension Exit {
    /// The status for an error that ended a command: who is at fault stays visible in it.
    init(_ error: any Error) {
        self =
            switch error {
            case is CancellationError, is Output.Closed: .interrupted
            case is UsageError: .usage
            case Failure.noTag: .noTag
            case Failure.declined: .negative
            case Failure.secret, Failure.needsConsent, Failure.impossible: .usage
            case Failure.file, is TagCatalogError, VirtualReaderError.link: .usage
            case BrandProtectionError.unusableAnchors: .usage
            case Failure.unfinished, Failure.unsuitableTag, is APDUError, is NDEFError: .tag
            case let error as NbtError: Exit(error)
            case let error as ReaderError: Exit(error.kind)
            default: .reader
            }
    }

    /// What the tag refused is a negative verdict; what made no sense is a fault.
    private init(_ error: NbtError) {
        self =
            switch error {
            case .status, .passwordRejected, .passwordResponseMismatch, .recordNotFound,
                .wrongState:
                .negative
            case .unexpectedLength, .malformedAnswer, .malformedTlv, .malformedPolicy,
                .ndefLengthBeyondFile:
                .tag
            case .valueTooLong, .ndefMessageTooLong, .invalidPasswordId, .invalidArgument,
                .needsConsent, .invalidPlan:
                .usage
            case .channelTooSmall: .reader
            }
    }

    private init(_ kind: ReaderError.Kind) {
        self =
            switch kind {
            case .usage: .usage
            case .reader: .reader
            case .tag: .tag
            case .interrupted: .interrupted
            }
    }
}
