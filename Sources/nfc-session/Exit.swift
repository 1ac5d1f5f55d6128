import Glibc

/// How the tool ends.
///
/// Scripts rely on these numbers; nothing else in the tool calls `exit`.
enum Exit: Int32, Sendable, CaseIterable {
    /// Done, or the tag is genuine.
    case done = 0
    /// A negative verdict: not genuine, denied, not found.
    case negative = 1
    /// The command line is wrong.
    case usage = 2
    /// There is no reader, or it failed.
    case reader = 3
    /// No tag came in time.
    case noTag = 4
    /// The tag was lost, or what it said made no sense.
    case tag = 5
    /// Stopped by SIGINT or SIGTERM, or nobody reads the output any more.
    case interrupted = 130

    /// Ends the process with this status.
    func callAsFunction() -> Never { exit(rawValue) }
}
