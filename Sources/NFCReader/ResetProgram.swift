import Dispatch

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

import Glibc

/// Runs the program that resets a reader: `gpioset` on the chip's RSTPDN line, `uhubctl` on its USB port.
///
/// With arguments, not through a shell, and with nothing of this process but its environment.
enum ResetProgram {
    /// Runs the program and waits for it, 10 s at most.
    ///
    /// - Parameter arguments: the program, by path or as found in PATH, and its arguments.
    /// - Throws: `cannotOpen` when it cannot be run, fails, or takes longer.
    static func run(_ arguments: [String]) async throws(ReaderError) {
        let failure = await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: wait(for: arguments)) }
        }
        if let failure { throw .cannotOpen("the reset program \(failure)") }
    }

    private static func wait(for arguments: [String]) -> String? {
        guard let program = arguments.first else { return "is not configured" }
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        var (words, variables) = (cStrings(arguments), cStrings(environment))
        defer { for string in words + variables { free(string) } }
        var child = pid_t()
        let status = posix_spawnp(&child, program, nil, nil, &words, &variables)
        guard status == 0 else { return "\(program): \(String(cString: strerror(status)))" }
        for _ in 0..<500 {
            var outcome: Int32 = 0
            if waitpid(child, &outcome, WNOHANG) == child {
                // Exited with status 0.
                return outcome == 0 ? nil : "\(program) failed (wait status \(outcome))"
            }
            usleep(20_000)
        }
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
        return "\(program) took longer than 10 s"
    }

    /// A list for exec(2), which ends with nil.
    private static func cStrings(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        strings.map { strdup($0) } + [nil]
    }
}
