import Synchronization

/// The place of the one session that may run in this process, as one may on an iPhone.
package final class SessionSlot: Sendable {
    /// The place of this process.
    package static let process = SessionSlot()

    /// A place apart, for tests.
    package init() {}

    private let holder = Mutex<NFCReaderSession?>(nil)

    /// The answer to a session that wants to start.
    enum Claim {
        /// It may, as soon as this task, which closes the reader of the session before, is done.
        case granted(after: Task<Void, Never>?)
        /// Another session runs.
        case busy
    }

    /// Takes the place, unless a session has it that is not over.
    func claim(for session: NFCReaderSession) -> Claim {
        holder.withLock { holder in
            if let holder, !holder.isOver { return .busy }
            let predecessor = holder?.runner
            holder = session
            return .granted(after: predecessor)
        }
    }

    /// Gives the place back, unless another session has taken it since.
    func release(by session: NFCReaderSession) {
        holder.withLock { holder in
            if holder === session { holder = nil }
        }
    }
}
