import Foundation
import VirtualReader

/// Times of one contender, in seconds.
struct Samples {
    private let sorted: [Double]

    init(_ times: [Double]) { sorted = times.sorted() }

    var median: Double { quantile(0.5) }
    var p95: Double { quantile(0.95) }

    private func quantile(_ share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        return sorted[Int((Double(sorted.count - 1) * share).rounded())]
    }
}

/// CPU share and memory of one contender.
struct Load: CustomStringConvertible {
    let share: Double
    let resident: Double

    var description: String {
        String(format: "%6.2f %%  %6.1f MiB", share * 100, resident / 1_048_576)
    }
}

func measureTaps(_ count: Int, of contender: Contender) throws -> Samples {
    defer { contender.stop() }
    var times: [Double] = []
    for tap in 0..<count {
        let tag = try MifareClassicTag(
            kind: .classic1K,
            uid: .fixed(Data([0xDE, 0xAD, 0xBE, UInt8(tap)]))
        )
        try contender.waitForPolls(1)
        usleep(UInt32(100_000 * tap / count))
        let start = ContinuousClock.now
        contender.reader.place(tag)
        try contender.waitForDetection()
        times.append(start.duration(to: .now).seconds)
        contender.reader.remove(tag)
        try contender.waitForRemoval()
    }
    return Samples(times)
}

func measureIdle(_ contender: Contender) throws -> Load {
    defer { contender.stop() }
    try contender.waitForPolls(10)
    let start = try processorTime(contender.identifier)
    let begin = ContinuousClock.now
    Thread.sleep(forTimeInterval: 10)
    let used = try processorTime(contender.identifier) - start
    return Load(
        share: used / begin.duration(to: .now).seconds,
        resident: try residentBytes(contender.identifier)
    )
}

/// User and system time of a process so far, in seconds (proc(5): /proc/PID/stat, fields 14 and 15).
private func processorTime(_ identifier: Int32) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
    // The second field is the name in parentheses, which may hold blanks.
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 13, let user = Double(fields[11]), let system = Double(fields[12]) else {
        return .nan
    }
    return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
}

/// Memory of a process that is in RAM, in bytes (proc(5): VmRSS in /proc/PID/status).
private func residentBytes(_ identifier: Int32) throws -> Double {
    let text = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
    return (kibibytes ?? .nan) * 1024
}

/// Chip commands from the poll that met a tag to its report.
func countScan() throws -> Int {
    let contender = try Contender(session: session)
    defer { contender.stop() }
    try contender.waitForPolls(1)
    // That poll is over before the tag comes, so the next one finds it.
    usleep(50_000)
    contender.reader.resetStatistics()
    contender.reader.place(try MifareClassicTag(kind: .classic1K, uid: .fixed(Data([1, 2, 3, 4]))))
    try contender.waitForDetection()
    let statistics = contender.reader.statistics
    // Polls that found nothing belong to waiting; the one that found the tag is the report's.
    return statistics.totalCommands - max((statistics.commands[0x4A] ?? 0) - 1, 0)
}

/// Chip commands and exchanges of `nfc-session verify --once` on a tag whose message takes four reads, like that of the
/// sample tag (793 bytes); opening and closing the reader are not counted.
func countVerification() throws -> (commands: Int, exchanges: Int) {
    let authority = try CertificateAuthority()
    let uid = NBTApplication.sampleUID
    let card = try NBTApplication.brandProtection(
        authority.identity(uid: uid),
        uid: uid,
        url: "https://example.com/" + String(repeating: "x", count: 300)
    )
    let reader = try VirtualReader(timing: .real)
    defer { reader.close() }
    reader.place(try ISODEPTag(name: "NBT", uid: .fixed(uid), application: card))
    let anchor = FileManager.default.temporaryDirectory
        .appendingPathComponent("nfc-bench-\(getpid()).pem")
    try Data(authority.manufacturingPEM.utf8).write(to: anchor)
    defer { try? FileManager.default.removeItem(at: anchor) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: session)
    process.arguments = [
        "verify", "--once", "--json", "--anchor", anchor.path, "--reader", reader.connectionString,
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
        throw BenchmarkError.failed("verify", status: process.terminationStatus)
    }
    let statistics = reader.statistics
    let polls = statistics.commands[0x4A] ?? 0
    let exchanges = (statistics.commands[0x40] ?? 0) + (statistics.commands[0x42] ?? 0)
    return (polls + exchanges, exchanges)
}

extension Duration {
    /// Seconds as a number.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
