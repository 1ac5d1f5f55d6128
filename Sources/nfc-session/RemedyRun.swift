import Dispatch
import Doctor

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import Glibc

/// Runs the command of a remedy, with sudo where the user is not root.
///
/// No shell sees it. What it prints goes to standard error, where everything goes that is no result.
struct RemedyRun {
    private let words: [String]
    private let input: String?

    init(_ remedy: Remedy) {
        let isRoot = geteuid() == 0
        words = (remedy.needsRoot && !isRoot ? ["sudo"] : []) + remedy.arguments
        input = remedy.input.map { $0 + "\n" }
    }

    /// Waits for the command's end on a thread of Dispatch.
    func outcome() async -> RemedyLine.Outcome {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: run() ? .done : .failed) }
        }
    }

    private func run() -> Bool {
        // Shorter than what a pipe holds, so writing it cannot block.
        var pipe: [Int32] = [-1, -1]
        guard Glibc.pipe(&pipe) == 0 else { return false }
        if let input { _ = input.withCString { write(pipe[1], $0, strlen($0)) } }
        close(pipe[1])
        defer { close(pipe[0]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A command without input keeps the terminal: it may have a question.
        if input != nil { posix_spawn_file_actions_adddup2(&actions, pipe[0], STDIN_FILENO) }
        posix_spawn_file_actions_addclose(&actions, pipe[0])
        posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Dispatch's threads block signals, and this tool ignores some; the command must be able to be stopped.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        )

        var process = pid_t()
        var arguments = words.map { strdup($0) } + [nil]
        // Not `environ`, a variable that any thread may change.
        var environment =
            ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in arguments + environment { free(word) } }
        guard let program = words.first,
            posix_spawnp(&process, program, &actions, &attributes, &arguments, &environment) == 0
        else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { return false }
        }
        // Ended by itself, with status 0.
        return status == 0
    }
}
