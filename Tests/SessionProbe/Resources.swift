import Foundation

/// What the process holds.
struct Resources {
    let threads: Int
    let descriptors: Int
    /// Resident memory in KiB.
    let memory: Int

    static var now: Resources {
        Resources(
            threads: count("/proc/self/task"),
            descriptors: count("/proc/self/fd"),
            memory: residentMemory
        )
    }

    /// What is left once threads and descriptors are no more than `goal`'s, or after 10 s.
    static func settled(at goal: Resources) -> Resources {
        for _ in 0..<100 where now.threads > goal.threads || now.descriptors > goal.descriptors {
            Thread.sleep(forTimeInterval: 0.1)
        }
        return now
    }

    /// Members of a JSON object.
    static func json(before: Resources, after: Resources) -> String {
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
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") })
        else { return -1 }
        return line.split(separator: " ").compactMap { Int($0) }.first ?? -1
    }
}
