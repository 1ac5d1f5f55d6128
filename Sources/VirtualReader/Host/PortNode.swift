internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Where a virtual reader's port is found: its device node, and a symbolic link to it.
///
/// The link goes when the port goes, as udev's links do: the kernel gives the number of the old pseudo-terminal to
/// somebody else.
final class PortNode: Sendable {
    private struct State {
        var path: String
        /// Where the link is to stand, and whether it does.
        var link: String?
        var isLinked = false
        var isPresent = true
        var isClosed = false
    }

    private let state: Mutex<State>

    init(path: String) {
        state = Mutex(State(path: path))
    }

    /// The device node.
    var path: String { state.withLock { $0.path } }

    /// Has a link at `path` lead to the port from now on, for as long as there is one.
    func link(at path: String) throws(VirtualReaderError) {
        try state.withLock { (state) throws(VirtualReaderError) in
            guard !state.isClosed else { throw .closed }
            try Self.move(&state, to: path)
        }
    }

    /// Takes the link away when `body` says that the port has gone.
    func withdraw(_ body: () -> Bool) {
        state.withLock { state in
            guard body() else { return }
            state.isPresent = false
            Self.unlink(&state)
        }
    }

    /// Makes a new port, hands it to `body`, and has the link lead to it.
    ///
    /// The link stands at `link` from now on, or where it stood before, if there was one.
    func renew(
        at link: String?,
        _ body: (PseudoTerminal) -> Void
    ) throws(VirtualReaderError) {
        try state.withLock { (state) throws(VirtualReaderError) in
            guard !state.isClosed else { throw .closed }
            let port = try PseudoTerminal()
            Self.unlink(&state)
            state.path = port.path
            state.isPresent = true
            body(port)
            if let path = link ?? state.link { try Self.move(&state, to: path) }
        }
    }

    /// Takes the link away for good.
    ///
    /// - Returns: whether that was done for the first time.
    func close() -> Bool {
        state.withLock { state in
            defer { state.isClosed = true }
            Self.unlink(&state)
            return !state.isClosed
        }
    }

    private static func move(_ state: inout State, to path: String) throws(VirtualReaderError) {
        if state.isPresent { try makeLink(at: path, to: state.path) }
        if state.link != path { unlink(&state) }
        state.link = path
        state.isLinked = state.isPresent
    }

    private static func unlink(_ state: inout State) {
        if state.isLinked, let link = state.link { systemUnlink(link) }
        state.isLinked = false
    }

    private static func makeLink(at link: String, to path: String) throws(VirtualReaderError) {
        var status = stat()
        if lstat(link, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { systemUnlink(link) }
        guard symlink(path, link) == 0 else { throw .link(path: link, errno: errno) }
    }
}

// The C function, out of reach inside a type whose method bears its name.
private func systemUnlink(_ path: String) {
    unlink(path)
}
