import Dispatch
import Synchronization

import Glibc

/// The executor of one `Reader`: a thread of its own, because libnfc blocks and is not thread safe.
///
/// The thread ends when `stop()` was called and the jobs before it are done.
final class ReaderThread: SerialExecutor {
    private struct Queue: Sendable {
        var jobs: [UnownedJob] = []
        var lastWill: (@Sendable () -> Void)?
        var isStopped = false
    }

    private let queue = Mutex(Queue())
    private let work = DispatchSemaphore(value: 0)

    /// Starts the thread, which keeps its executor alive until it is stopped.
    init() throws(ReaderError) {
        let box = Unmanaged.passRetained(self)
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, runReaderThread, box.toOpaque())
        guard status == 0 else {
            box.release()
            throw .cannotOpen("no thread for the reader: \(String(cString: strerror(status)))")
        }
        pthread_detach(thread)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.withLock { $0.jobs.append(unowned) }
        work.signal()
    }

    /// Lets the thread end after the jobs before this call and `lastWill`.
    func stop(lastWill: @escaping @Sendable () -> Void) {
        queue.withLock {
            $0.isStopped = true
            $0.lastWill = lastWill
        }
        work.signal()
    }

    fileprivate func run() {
        while true {
            work.wait()
            let (jobs, isStopped, lastWill) = queue.withLock { queue in
                defer { queue.jobs = [] }
                return (queue.jobs, queue.isStopped, queue.lastWill)
            }
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if isStopped {
                lastWill?()
                return
            }
        }
    }
}

/// The body of the thread: a C function, because a Swift method cannot be handed to `pthread_create`.
private func runReaderThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    // Signals sent to the process belong to other threads: a handler must not interrupt libnfc's reads and
    // writes. Those a thread raises on itself are let in even if the thread that started this one blocks them, as
    // Dispatch's do: since glibc 2.41 a blocked SIGABRT ends the process before CNFCGuard's handler is called.
    var signals = sigset_t()
    sigfillset(&signals)
    for own in [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP] { sigdelset(&signals, own) }
    pthread_sigmask(SIG_SETMASK, &signals, nil)
    Unmanaged<ReaderThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
