public import NFCReader
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Receives what a `TagMonitor` notices.
///
/// Called on the monitor's own task, one call after the other.
public protocol TagMonitorDelegate: AnyObject, Sendable {
    /// A tag came or went.
    func tagMonitor(_ monitor: TagMonitor, didReport report: UIDReport)
    /// The reader was lost, is being recovered, or is back.
    ///
    /// Does nothing unless implemented.
    func tagMonitor(_ monitor: TagMonitor, didNotice event: RecoveryEvent)
    /// The monitor has ended and its reader is closed: by `stop()`, without an error; because the reader could not be
    /// opened; or because it failed and is not kept.
    func tagMonitor(_ monitor: TagMonitor, didEndWith error: ReaderError?)
}

extension TagMonitorDelegate {
    /// Does nothing.
    public func tagMonitor(_ monitor: TagMonitor, didNotice event: RecoveryEvent) {}
}

/// Reports every tag as it comes and goes, for as long as it runs.
///
/// Unlike a phone's session it has no time limit, needs no application on the tag and sends nothing to it: one chip
/// command finds a tag with its UID. Three ways to listen, of which one is chosen:
///
///     try await TagMonitor(configuration).run { print($0.uid) }         // structured; ends closed
///     for try await report in TagMonitor(configuration).reports() { }   // a stream
///     monitor.delegate = self; monitor.start()                          // a delegate
///
/// Each monitor opens its reader and closes it with the field off; several readers take several monitors.
///
/// A reader that fails, or is unplugged, is brought back (`RecoveryStep`), and reports go on: a tag that rested on it all
/// the time is not reported again, and one that was taken away meanwhile is reported as removed.
public final class TagMonitor: Sendable {
    /// What to look for, and how.
    public struct Configuration: Sendable {
        /// The connection string of the reader: `pn532_uart:/dev/ttyUSB0`.
        public var reader: String
        /// What to look for.
        ///
        /// Type A is polled for in every round, the others in every third.
        public var technologies: [Technology]
        /// From the start of one round to the next.
        public var period: Duration
        /// Whether a tag that may be one of several products (Ultralight, NTAG) is asked for its version, which costs
        /// one exchange more before it is reported.
        public var identifies: Bool
        /// How long a tag must not have answered, besides for three rounds, before it is reported removed.
        ///
        /// An answer before that is no new tap; one after it always is.
        public var quietTime: Duration
        /// After how long a tag that stays is reported as resting, once; nil for never.
        ///
        /// It tells a tap from a hold: a tag that is removed without that report was tapped.
        public var holdTime: Duration?
        /// What may be done to bring back a reader that fails; nil to end with its error instead.
        public var recovery: RecoveryPolicy? = RecoveryPolicy()

        /// A configuration for type A tags, polled for every 100 ms.
        public init(
            reader: String,
            technologies: [Technology] = [.iso14443a],
            period: Duration = .milliseconds(100),
            identifies: Bool = false,
            quietTime: Duration = .milliseconds(300),
            holdTime: Duration? = nil
        ) {
            self.reader = reader
            self.technologies = technologies
            self.period = period
            self.identifies = identifies
            self.quietTime = quietTime
            self.holdTime = holdTime
        }

        fileprivate var rules: PresenceRules {
            var rules = PresenceRules(quietTime: quietTime)
            if let holdTime { rules.holdTime = holdTime }
            return rules
        }
    }

    private struct State {
        weak var delegate: (any TagMonitorDelegate)?
        var task: Task<Void, Never>?
        /// The keeper of the reader, once there is one.
        var keeper: ReaderKeeper?
    }

    /// What the monitor was made with.
    public let configuration: Configuration
    private let state = Mutex(State())

    /// A monitor that does nothing until it is started.
    public init(_ configuration: Configuration) {
        self.configuration = configuration
    }

    /// Who is told; held weakly.
    public var delegate: (any TagMonitorDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    /// How the reader is, and what it has been through since the monitor was started.
    public var health: ReaderHealth {
        state.withLock { $0.keeper }?.health ?? ReaderHealth()
    }

    /// Opens the reader and reports until the task is cancelled, which takes effect within 300 ms; 2 s while a silent
    /// port is being opened.
    ///
    /// - Parameters:
    ///   - report: called for each report, one after the other; the next round waits for it.
    ///   - recovery: called when the reader is lost, for each step to recover it, and when it is back.
    /// - Throws: the error of a reader that cannot be opened, or has failed and is not kept; cancellation is no
    ///   error. In every case the field is off and the reader closed when the call returns.
    public func run(
        _ report: @Sendable (UIDReport) async -> Void,
        recovery: @escaping @Sendable (RecoveryEvent) async -> Void = { _ in }
    ) async throws(ReaderError) {
        let keeper = ReaderKeeper(
            configuration.reader,
            policy: configuration.recovery ?? RecoveryPolicy(),
            report: recovery
        )
        state.withLock { $0.keeper = keeper }
        let outcome: Result<Void, ReaderError> = await withTaskCancellationHandler {
            do throws(ReaderError) {
                return .success(try await watch(keeper, report))
            } catch {
                return .failure(error)
            }
        } onCancel: {
            keeper.interrupt()
        }
        await keeper.close()
        if case .failure(let error) = outcome, error != .interrupted { throw error }
    }

    /// Everything `run` reports, as a stream that keeps what was not read yet.
    ///
    /// The reader is open from this call until the stream fails or its consumer ends.
    public func reports() -> AsyncThrowingStream<UIDReport, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    try await self.run { continuation.yield($0) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Starts reporting to the delegate; the monitor lives until it has ended.
    ///
    /// Nothing happens when it is running already.
    public func start() {
        state.withLock { state in
            guard state.task == nil else { return }
            state.task = Task { [weak self] in await self?.runForDelegate() }
        }
    }

    /// Ends what `start()` began.
    ///
    /// The delegate is told when the reader is closed.
    public func stop() {
        state.withLock { $0.task }?.cancel()
    }

    private func runForDelegate() async {
        var failure: ReaderError?
        do throws(ReaderError) {
            try await run {
                self.delegate?.tagMonitor(self, didReport: $0)
            } recovery: {
                self.delegate?.tagMonitor(self, didNotice: $0)
            }
        } catch {
            failure = error
        }
        state.withLock { $0.task = nil }
        delegate?.tagMonitor(self, didEndWith: failure)
    }

    private func watch(
        _ keeper: ReaderKeeper,
        _ report: @Sendable (UIDReport) async -> Void
    ) async throws(ReaderError) {
        var reader = try await keeper.open()
        // Outlives the readers: what is known of the field is compared with what the next one finds in it.
        var presence = Presence(
            technologies: configuration.technologies,
            rules: configuration.rules
        )
        var types: [Target: String] = [:]
        var next = ContinuousClock.now
        while !Task.isCancelled {
            do throws(ReaderError) {
                for event in try await presence.nextRound(of: reader) {
                    guard let news = await describe(event, reader, &types) else { continue }
                    await report(news)
                }
                if let failure = await keeper.failure() { throw failure }
            } catch {
                guard configuration.recovery != nil else { throw error }
                reader = try await keeper.recover(from: error)
            }
            // A round that took longer than the period does not make the next ones hurry.
            next = max(next + configuration.period, .now)
            // Thrown only on cancellation, which the loop looks for.
            try? await Task.sleep(until: next, clock: .continuous)
        }
    }

    /// What is reported of an event, if anything.
    private func describe(
        _ event: PresenceEvent,
        _ reader: Reader,
        _ types: inout [Target: String]
    ) async -> UIDReport? {
        let time = Date()
        switch event {
        case .arrived(let target):
            let type = await type(of: target, reader)
            types[target] = type
            return describe(.detected, target, at: time, type: type)
        case .rests(let target, let held):
            guard configuration.holdTime != nil else { return nil }
            let type = types[target] ?? TagType.name(of: target)
            return describe(.resting, target, at: time, type: type, held: held)
        case .left(let target, let held):
            let type = types.removeValue(forKey: target) ?? TagType.name(of: target)
            return describe(.removed, target, at: time, type: type, held: held)
        }
    }

    private func describe(
        _ event: UIDReport.Event,
        _ target: Target,
        at time: Date,
        type: String,
        held: Duration = .zero
    ) -> UIDReport {
        UIDReport(
            event: event,
            time: time,
            reader: configuration.reader,
            target: target,
            type: type,
            held: held
        )
    }

    private func type(of target: Target, _ reader: Reader) async -> String {
        guard configuration.identifies, TagType.needsVersion(target) else {
            return TagType.name(of: target)
        }
        return TagType.name(of: target, version: await version(of: target, reader))
    }

    /// GET_VERSION; nil from a tag that has no such command, and when two tries were disturbed.
    private func version(of target: Target, _ reader: Reader) async -> Data? {
        if let answer = try? await reader.exchangeRaw(Data([0x60])) { return answer }
        // A tag that did not understand has gone idle, and one of two may not be the active one.
        guard (try? await reader.select(uid: target.identifier)) != nil else { return nil }
        return try? await reader.exchangeRaw(Data([0x60]))
    }
}
