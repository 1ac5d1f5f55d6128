import APDU
import BrandProtection
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
}

extension Failure: CustomStringConvertible {
    var description: String {
        switch self {
        case .noTag(let seconds): "no tag came within \(seconds) s"
        case .unfinished(let seconds): "the tag was not verified within \(seconds) s"
        case .reader(let text): text
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
            case Failure.file, is TagCatalogError, VirtualReaderError.link: .usage
            case BrandProtectionError.unusableAnchors: .usage
            case Failure.unfinished, Failure.unsuitableTag, is APDUError: .tag
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
