import CoreNFC
import NFCReader
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// A client of a tag session that writes down what its delegate is told.
final class Client: NSObject, NFCTagReaderSessionDelegate, Sendable {
    /// What the delegate was told.
    ///
    /// Tags of this package's sessions may be used from any thread.
    enum Event: @unchecked Sendable {
        case active
        case detected([NFCTag])
        case invalidated(any Error)
    }

    /// The session's queue, which knows itself.
    static var queueKey: DispatchSpecificKey<String> { sharedQueueKey.key }

    private static let sharedQueueKey = SharedQueueKey()

    /// A key has nothing but its identity; the Dispatch of Swift 6.0 does not declare that it may be shared.
    private struct SharedQueueKey: @unchecked Sendable {
        let key = DispatchSpecificKey<String>()
    }

    private struct State: Sendable {
        var events: [Event] = []
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var queues: [String?] = []
    }

    private let state = Mutex(State())
    private let stream: AsyncStream<Event>
    private let input: AsyncStream<Event>.Continuation

    override init() {
        (stream, input) = AsyncStream.makeStream()
    }

    /// Everything the delegate was told so far.
    var events: [Event] { state.withLock { $0.events } }

    /// On which queue it was told, as `queueKey` says.
    var queues: [String?] { state.withLock { $0.queues } }

    var invalidations: [any Error] {
        events.compactMap { if case .invalidated(let error) = $0 { error } else { nil } }
    }

    /// The next thing the delegate is told.
    func next() async throws -> Event {
        let stream = stream
        return try await within(.seconds(10)) {
            for await event in stream { return event }
            throw CancellationError()
        }
    }

    func expectActive() async throws {
        guard case .active = try await next() else { throw Unexpected(events: "\(events)") }
    }

    /// The tags that are reported next.
    func nextTags() async throws -> DetectedTags {
        guard case .detected(let tags) = try await next() else {
            throw Unexpected(events: "\(events)")
        }
        return DetectedTags(tags: tags)
    }

    /// The code of the invalidation that comes next.
    func nextInvalidation() async throws -> NFCReaderError.Code {
        guard case .invalidated(let error) = try await next() else {
            throw Unexpected(events: "\(events)")
        }
        return try #require(error as? NFCReaderError).code
    }

    private func note(_ event: Event) {
        state.withLock { state in
            state.events.append(event)
            state.queues.append(DispatchQueue.getSpecific(key: Self.queueKey))
        }
        input.yield(event)
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) { note(.active) }

    func tagReaderSession(
        _ session: NFCTagReaderSession,
        didInvalidateWithError error: any Error
    ) { note(.invalidated(error)) }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        note(.detected(tags))
    }
}

/// Something else was told than the test waits for.
struct Unexpected: Error {
    let events: String
}

/// Tags as one detection reported them.
struct DetectedTags: @unchecked Sendable {
    // The tag objects of this package's sessions may be used from any thread.
    let tags: [NFCTag]

    /// The only tag.
    var only: NFCTag {
        get throws {
            try #require(tags.count == 1)
            return try #require(tags.first)
        }
    }

    /// The only tag, an ISO 7816 one.
    var iso7816: any NFCISO7816Tag {
        get throws {
            guard case .iso7816(let tag) = try only else { throw Unexpected(events: "\(tags)") }
            return tag
        }
    }

    /// The only tag, a FeliCa one.
    var feliCa: any NFCFeliCaTag {
        get throws {
            guard case .feliCa(let tag) = try only else { throw Unexpected(events: "\(tags)") }
            return tag
        }
    }

    /// The only tag, a MIFARE one.
    var miFare: any NFCMiFareTag {
        get throws {
            guard case .miFare(let tag) = try only else { throw Unexpected(events: "\(tags)") }
            return tag
        }
    }
}

/// Runs `body`, and fails if it takes longer than `limit`.
func within<Value: Sendable>(
    _ limit: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            throw TimeIsUp()
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw TimeIsUp() }
        return first
    }
}

/// Something that a test waited for did not happen.
struct TimeIsUp: Error {}

/// A session on a virtual reader, with the client that is its delegate.
struct Bench: Sendable {
    let reader: VirtualReader
    let session: NFCTagReaderSession
    let client: Client
    let clock: ManualClock

    /// Waits until `condition` holds, which something on another thread brings about.
    func waitUntil(_ condition: @escaping @Sendable () -> Bool) async throws {
        try await within(.seconds(10)) {
            while !condition() { try await Task.sleep(for: .milliseconds(2)) }
        }
    }
}

/// A configuration for a session on `reader`: quick polls, nothing shown, beside other tests' sessions.
func configuration(for reader: VirtualReader, clock: ManualClock) -> NFCSessionConfiguration {
    var configuration = NFCSessionConfiguration()
    configuration.reader = reader.connectionString
    configuration.iso7816SelectIdentifiers = [ScriptedCard.type4AID]
    configuration.pollPeriod = .milliseconds(10)
    configuration.presenter = .none
    configuration.allowsOtherSessions = true
    configuration.clock = clock.sessionClock
    return configuration
}

/// Begins a session on a virtual reader, runs `body`, ends the session, and checks that it was invalidated exactly once
/// and left the field off.
///
/// The virtual chip may hear late of the field's end on a busy machine, when the host has given up waiting for it.
func withBench(
    _ tags: [any VirtualTag] = [],
    pollingOption: NFCTagReaderSession.PollingOption = .iso14443,
    queue: DispatchQueue? = nil,
    begins: Bool = true,
    configure: (inout NFCSessionConfiguration) -> Void = { _ in },
    _ body: (Bench) async throws -> Void
) async throws {
    let reader = try VirtualReader()
    defer { reader.close() }
    for tag in tags { reader.place(tag) }
    let client = Client()
    let clock = ManualClock()
    var configuration = configuration(for: reader, clock: clock)
    configure(&configuration)
    let session = NFCTagReaderSession(
        pollingOption: pollingOption,
        delegate: client,
        queue: queue,
        sessionConfiguration: configuration
    )
    let bench = Bench(reader: reader, session: session, client: client, clock: clock)
    do {
        if begins {
            session.begin()
            try await client.expectActive()
        }
        try await body(bench)
    } catch {
        session.invalidate()
        throw error
    }
    session.invalidate()
    if begins || !client.events.isEmpty {
        try await bench.waitUntil { !client.invalidations.isEmpty }
        #expect(client.invalidations.count == 1)
    }
    #expect(client.invalidations.allSatisfy { $0 is NFCReaderError })
    try await bench.waitUntil { !reader.isFieldOn }
}
