import Foundation

/// What the process holds.
package struct Resources: Sendable {
    package let threads: Int
    package let descriptors: Int
    /// Resident memory, in KiB.
    package let memory: Int

    package static var now: Resources {
        Resources(
            threads: count("/proc/self/task"),
            descriptors: count("/proc/self/fd"),
            memory: residentMemory
        )
    }

    /// What is there when nothing has changed for half a second.
    package static var steady: Resources {
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
    package static func settled(at goal: Resources) async -> Resources {
        for _ in 0..<100 {
            let now = now
            if now.threads <= goal.threads, now.descriptors <= goal.descriptors { return now }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return now
    }

    /// Members of a JSON object.
    package static func json(before: Resources, after: Resources) -> String {
        """
        "threadsBefore":\(before.threads),"threadsAfter":\(after.threads),\
        "descriptorsBefore":\(before.descriptors),"descriptorsAfter":\(after.descriptors),\
        "memoryBefore":\(before.memory),"memoryAfter":\(after.memory)
        """
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
