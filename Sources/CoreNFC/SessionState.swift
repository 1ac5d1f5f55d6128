import NFCReader

/// Everything about a session that changes, kept under one lock.
struct SessionState: Sendable {
    var phase = SessionPhase.created
    var alertMessage = ""
    /// The open reader; nil before it is opened and after it is closed.
    var reader: Reader?
    /// Opens the reader and brings it back; nil before it is needed.
    var keeper: ReaderKeeper?
    /// The task that does the session's work, from `begin()` on.
    var runner: Task<Void, Never>?
    /// Ends the session when its delegate has gone.
    var delegateWatch: Task<Void, Never>?
    /// Ends the session when its time is over.
    var sessionTimer: Task<Void, Never>?
    /// Ends the session when a tag has been connected for too long.
    var tagTimer: Task<Void, Never>?
    /// What to look for in place of the session's usual plan, until tags are found.
    var planForOnce: SearchPlan?
}

/// Something a client has asked for that the session's task does, in the order of the calls.
enum SessionOperation: Sendable {
    /// A command, or connecting a tag. Does its own checks and calls the client's handler.
    case perform(@Sendable () async -> Void)
    /// Polling restarts; what was asked of the old tags has been dealt with.
    case restart
}
