import Bytes
import Foundation
import NFCReader
import NFCSession
import VirtualReader

/// A virtual reader under a name that stays, and a monitor on it whose events can be waited for.
final class Desk {
    /// Something the monitor said.
    enum Event: Equatable {
        case detected(String)
        case removed(String)
        case lost
        case back
        /// The monitor has ended; with an error or without.
        case ended(hasFailed: Bool)
    }

    let reader: VirtualReader
    let connectionString: String
    private let folder: URL
    private let period: Duration
    private let quietTime: Duration
    private var task: Task<Void, Never>?
    private var events: AsyncStream<Event>
    private var input: AsyncStream<Event>.Continuation

    init(
        timing: Timing = .immediate,
        period: Duration = .milliseconds(100),
        quietTime: Duration = .milliseconds(300)
    ) throws {
        reader = try VirtualReader(timing: timing)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let link = folder.appendingPathComponent("reader").path
        try reader.link(at: link)
        connectionString = "pn532_uart:" + link
        (self.period, self.quietTime) = (period, quietTime)
        (events, input) = AsyncStream.makeStream()
    }

    deinit {
        reader.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts a monitor that keeps the reader.
    func start() {
        (events, input) = AsyncStream.makeStream()
        let input = input
        let configuration = TagMonitor.Configuration(
            reader: connectionString,
            period: period,
            quietTime: quietTime
        )
        task = Task {
            do {
                try await TagMonitor(configuration).run { report in
                    let uid = report.uid.hex
                    input.yield(report.event == .removed ? .removed(uid) : .detected(uid))
                } recovery: { event in
                    switch event {
                    case .lost: input.yield(.lost)
                    case .attempted: break
                    case .back: input.yield(.back)
                    }
                }
                input.yield(.ended(hasFailed: false))
            } catch {
                input.yield(.ended(hasFailed: true))
            }
        }
    }

    /// Ends the monitor; its end is an event.
    func cancel() { task?.cancel() }

    /// The next event, or nil when none comes in time.
    func next(within limit: Duration) async -> Event? {
        let input = input
        // The stream has one consumer, so the time limit is an event too, and ends it.
        let timer = Task {
            try await Task.sleep(for: limit)
            input.finish()
        }
        defer { timer.cancel() }
        for await event in events { return event }
        return nil
    }

    /// Waits for one of these events, passing over others; nil when none comes in time.
    func wait(for wanted: [Event], within limit: Duration) async -> Event? {
        let end = ContinuousClock.now + limit
        while let event = await next(within: ContinuousClock.now.duration(to: end)) {
            if wanted.contains(event) { return event }
        }
        return nil
    }
}
