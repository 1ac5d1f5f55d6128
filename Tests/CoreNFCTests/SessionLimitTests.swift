import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// Time limits, and which of several sessions runs (facts/corenfc.md, 2.4 and 2.5).
@Suite(.serialized) struct SessionLimitTests {
    // Fact 2.4: 60 s from begin()
    // Fact 2.6: 60 s over
    @Test("After 60 seconds the session times out, and not before")
    func sessionLimit() async throws {
        try await withBench { bench in
            try await bench.waitUntil { bench.clock.sleeperCount == 1 }
            bench.clock.advance(by: .milliseconds(59_900))
            #expect(bench.session.isReady)
            bench.clock.advance(by: .milliseconds(100))
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerSessionInvalidationErrorSessionTimeout)
        }
    }

    // Fact 2.4: 20 s from tag connection
    @Test(
        "20 seconds after a tag was connected the session ends unexpectedly, whatever was sent meanwhile"
    )
    func tagLimit() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tags = try await bench.client.nextTags()
            bench.clock.advance(by: .seconds(10))
            try await bench.session.connect(to: tags.only)
            try await bench.waitUntil { bench.clock.sleeperCount == 2 }
            bench.clock.advance(by: .seconds(19))
            try await bench.session.connect(to: tags.only)
            #expect(bench.session.isReady)
            bench.clock.advance(by: .seconds(1))
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerSessionInvalidationErrorSessionTerminatedUnexpectedly)
        }
    }

    @Test("restartPolling lets go of the tag and of its time limit")
    func tagLimitRestarts() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tags = try await bench.client.nextTags()
            try await bench.session.connect(to: tags.only)
            try await bench.waitUntil { bench.clock.sleeperCount == 2 }
            bench.session.restartPolling()
            _ = try await bench.client.nextTags()
            try await bench.waitUntil { bench.clock.sleeperCount == 1 }
            bench.clock.advance(by: .seconds(30))
            #expect(bench.session.isReady)
        }
    }

    @Test("Both limits can be lifted")
    func lifted() async throws {
        try await withBench(
            [try Type2Tag()],
            configure: {
                $0.sessionTimeLimit = nil
                $0.tagTimeLimit = nil
            }
        ) { bench in
            let tags = try await bench.client.nextTags()
            try await bench.session.connect(to: tags.only)
            #expect(bench.clock.sleeperCount == 0)
            bench.clock.advance(by: .seconds(1_000_000))
            #expect(bench.session.isReady)
        }
    }

    // MARK: Several sessions

    private func session(
        _ client: Client,
        _ reader: VirtualReader,
        _ slot: SessionSlot
    ) -> NFCTagReaderSession {
        var configuration = configuration(for: reader, clock: ManualClock())
        configuration.allowsOtherSessions = false
        configuration.slot = slot
        return NFCTagReaderSession(
            pollingOption: .iso14443,
            delegate: client,
            sessionConfiguration: configuration
        )
    }

    // Fact 2.5: Only one reader session of any type
    // Fact 2.6: another session active
    @Test(
        "A session begun while another is active ends with system is busy, also on another reader"
    )
    func busy() async throws {
        let slot = SessionSlot()
        let readers = [try VirtualReader(), try VirtualReader()]
        defer { readers.forEach { $0.close() } }
        let clients = [Client(), Client()]
        let first = session(clients[0], readers[0], slot)
        let second = session(clients[1], readers[1], slot)
        first.begin()
        second.begin()
        let reason = try await clients[1].nextInvalidation()
        #expect(reason == .readerSessionInvalidationErrorSystemIsBusy)
        try await clients[0].expectActive()
        first.invalidate()
        _ = try await clients[0].nextInvalidation()
    }

    // Fact 2.5: Tearing down takes time on the phone
    @Test(
        "A session begun in the invalidation of the last one, or right after invalidate(), starts"
    )
    func successors() async throws {
        let slot = SessionSlot()
        let reader = try VirtualReader()
        defer { reader.close() }
        var last: (NFCTagReaderSession, Client)?
        for round in 0..<6 {
            let client = Client()
            let next = session(client, reader, slot)
            if let (session, client) = last {
                session.invalidate()
                if round % 2 == 0 { _ = try await client.nextInvalidation() }
            }
            next.begin()
            try await client.expectActive()
            last = (next, client)
        }
        last?.0.invalidate()
        _ = try await last?.1.nextInvalidation()
        #expect(!reader.isFieldOn)
    }

    @Test("With other sessions allowed, two run on two readers, and one reader is still in use")
    func beside() async throws {
        let readers = [try VirtualReader(), try VirtualReader()]
        defer { readers.forEach { $0.close() } }
        let clients = [Client(), Client(), Client()]
        let sessions = zip(clients, [readers[0], readers[1], readers[0]]).map { client, reader in
            NFCTagReaderSession(
                pollingOption: .iso14443,
                delegate: client,
                sessionConfiguration: configuration(for: reader, clock: ManualClock())
            )
        }
        for (session, client) in zip(sessions, clients).prefix(2) {
            session.begin()
            try await client.expectActive()
        }
        sessions[2].begin()
        let reason = try await clients[2].nextInvalidation()
        #expect(reason == .readerSessionInvalidationErrorSystemIsBusy)
        for (session, client) in zip(sessions, clients).prefix(2) {
            session.invalidate()
            _ = try await client.nextInvalidation()
        }
    }
}
