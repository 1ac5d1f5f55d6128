import APDU
import NFCReader

/// Why a command could not do its work, where no module below has an error for it.
enum Failure: Error, Equatable {
    /// No tag came within this many seconds.
    case noTag(seconds: Int)
    /// A file that the user named; the reason is the system's or the parser's.
    case file(path: String, reason: String)
    /// The tag does not do what the command needs; the text says what to use instead.
    case unsuitableTag(String)
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .noTag(let seconds): "no tag came within \(seconds) s"
        case .file(let path, let reason): "\(path): \(reason)"
        case .unsuitableTag(let text): text
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
            case Failure.file: .usage
            case Failure.unsuitableTag, is APDUError: .tag
            case let error as ReaderError: Exit(error.kind)
            default: .reader
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
