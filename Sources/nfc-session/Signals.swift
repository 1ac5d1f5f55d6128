import Dispatch
import Glibc

/// Stopping on request, with time to switch the field off.
enum Signals {
    /// Runs `work` and cancels it on SIGINT, SIGTERM or SIGHUP; the result is then `.interrupted`.
    ///
    /// A second signal ends the process at once, for when the clean end hangs.
    static func interruptible(_ work: @escaping @Sendable () async -> Exit) async -> Exit {
        let task = Task(operation: work)
        let queue = DispatchQueue(label: "nfc-session.signals")
        let sources = stopping().map { number in
            // Ignored, a signal reaches its source and nobody else.
            _ = signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if task.isCancelled { Exit.interrupted() }
                task.cancel()
            }
            source.activate()
            return source
        }
        defer { for source in sources { source.cancel() } }
        let exit = await task.value
        return task.isCancelled ? .interrupted : exit
    }

    /// Makes a write to a closed pipe an error instead of the end, and a read from the terminal by
    /// a background job the end of the input instead of a stop.
    static func ignoreBrokenPipes() {
        _ = signal(SIGPIPE, SIG_IGN)
        _ = signal(SIGTTIN, SIG_IGN)
    }

    /// The signals that stop the tool.
    ///
    /// SIGHUP does not when it is ignored already: that is what `nohup` asks for.
    private static func stopping() -> [Int32] {
        var hangUp = sigaction()
        _ = sigaction(SIGHUP, nil, &hangUp)
        let isIgnored =
            unsafeBitCast(hangUp.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
        return isIgnored ? [SIGINT, SIGTERM] : [SIGINT, SIGTERM, SIGHUP]
    }
}
