import Foundation

/// What the process holds.
struct Resources {
    let threads: Int
    let descriptors: Int
    /// Resident memory, in KiB.
    let memory: Int

    static var now: Resources {
        Resources(
            threads: count("/proc/self/task"),
            descriptors: count("/proc/self/fd"),
            memory: residentMemory
        )
    }

    /// What is there when nothing has changed for half a second.
    static var steady: Resources {
        get async {
            var (last, count) = (now, 0)
            while count < 5 {
                try? await Task.sleep(for: .milliseconds(100))
                let now = now
                let isSame = now.threads == last.threads && now.descriptors == last.descriptors
                (last, count) = (now, isSame ? count + 1 : 0)
            }
            return last
        }
    }

    /// What is left once it is no more than `goal`, or after 10 s.
    static func settled(at goal: Resources) async -> Resources {
        for _ in 0..<100 {
            let now = now
            if now.threads <= goal.threads, now.descriptors <= goal.descriptors { return now }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return now
    }

    private static func count(_ folder: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? -1
    }

    private static var residentMemory: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? -1
    }
}

extension Duration {
    var milliseconds: Int { Int(self / .milliseconds(1)) }
}
