/// What can go wrong when a virtual reader or a virtual tag is made.
public enum VirtualReaderError: Error, Equatable, CustomStringConvertible {
    /// The system gave no pseudo-terminal, pipe or thread. Close what is open, or raise the limits; `errno` says
    /// which.
    case system(call: String, errno: Int32)
    /// No link can be made at this path. Choose one in an existing, writable folder where no other file stands.
    case link(path: String, errno: Int32)
    /// The virtual reader has been closed. Make a new one.
    case closed
    /// A tag cannot be like this; the text says what is wrong with it.
    case invalidTag(String)

    /// One sentence for people.
    public var description: String {
        switch self {
        case .system(let call, let errno): "\(call) failed (errno \(errno))"
        case .link(let path, let errno): "no link can be made at \(path) (errno \(errno))"
        case .closed: "the virtual reader has been closed"
        case .invalidTag(let reason): reason
        }
    }
}
