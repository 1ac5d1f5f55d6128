import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// Queues and order of delegate calls (facts/corenfc.md, 2.1 and 2.2).
@Suite(.serialized) struct SessionOrderTests {
    // Fact 2.2: Started: tagReaderSessionDidBecomeActive
    // Fact 2.2: didInvalidateWithError exactly once
    @Test("The delegate hears: active, detected, invalidated, in this order and once each")
    func order() async throws {
        try await withBench([try Type2Tag()]) { bench in
            _ = try await bench.client.nextTags()
            bench.session.invalidate()
            #expect(
                try await bench.client.nextInvalidation()
                    == .readerSessionInvalidationErrorUserCanceled
            )
            let kinds = bench.client.events.map { event in
                switch event {
                case .active: "active"
                case .detected: "detected"
                case .invalidated: "invalidated"
                }
            }
            #expect(kinds == ["active", "detected", "invalidated"])
        }
    }

    // Fact 2.1: Delegate callbacks and tag completion handlers
    @Test("With no queue given, the session makes a serial one, which is not the main queue")
    func ownQueue() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let queue = bench.session.sessionQueue
            #expect(queue !== DispatchQueue.main)
            // Nothing has run on it yet that a later block would not see: the queue is serial.
            queue.setSpecific(key: Client.queueKey, value: "own")
            nonisolated(unsafe) let tag = try await bench.client.nextTags().only
            let name = try await handlerQueue { done in
                bench.session.connect(to: tag) { _ in done() }
            }
            #expect(name == "own")
        }
    }

    // Fact 2.1: Delegate callbacks and tag completion handlers
    @Test("Delegate and completion handlers are called on the queue that was given")
    func givenQueue() async throws {
        let queue = DispatchQueue(label: "test")
        queue.setSpecific(key: Client.queueKey, value: "given")
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)], queue: queue) {
            bench in
            #expect(bench.session.sessionQueue === queue)
            let tag = try await bench.client.nextTags().iso7816
            let apdu = try #require(NFCISO7816APDU(data: hex("00B0000000")))
            nonisolated(unsafe) let sent = tag
            let name = try await handlerQueue { done in
                sent.sendCommand(apdu: apdu) { _, _, _, _ in done() }
            }
            #expect(name == "given")
            bench.session.invalidate()
            _ = try await bench.client.nextInvalidation()
            #expect(bench.client.queues.allSatisfy { $0 == "given" })
        }
    }

    /// Starts something and returns the name of the queue on which its handler runs.
    private func handlerQueue(
        _ start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) async throws -> String? {
        try await within(.seconds(10)) {
            await withCheckedContinuation { continuation in
                start {
                    continuation.resume(returning: DispatchQueue.getSpecific(key: Client.queueKey))
                }
            }
        }
    }

    // Fact 2.1: Calling another tag operation from inside
    @Test("A handler may start the next command, and a blocked global thread does not stop it")
    func nestingAndBlocking() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard(otherwise: "9000"))]) {
            bench in
            let tag = try await bench.client.nextTags().iso7816
            let apdu = try #require(NFCISO7816APDU(data: hex("00B0000000")))
            nonisolated(unsafe) let sent = tag
            let session = bench.session
            // As Keycard and Satochip do: a thread of a global queue waits for nested handlers.
            let wasInTime = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    let done = DispatchSemaphore(value: 0)
                    session.connect(to: .iso7816(sent)) { _ in
                        sent.sendCommand(apdu: apdu) { _, _, _, _ in
                            sent.sendCommand(apdu: apdu) { _, _, _, _ in
                                session.alertMessage = "nested"
                                done.signal()
                            }
                        }
                    }
                    let result = done.wait(timeout: .now() + .seconds(10))
                    continuation.resume(returning: result == .success)
                }
            }
            #expect(wasInTime)
            #expect(bench.session.alertMessage == "nested")
        }
    }

    // Fact 2.2: didDetect zero or more times
    @Test("No second detection comes without restartPolling, though the tag is changed")
    func oneDetectionPerPolling() async throws {
        let first = try Type2Tag()
        let second = try Type2Tag(uid: .fixed(hex("04112233445566")))
        try await withBench([first]) { bench in
            _ = try await bench.client.nextTags()
            bench.reader.swap(first, for: second)
            let before = bench.reader.statistics.totalCommands
            // Ten poll periods in which nothing may be sent.
            try await Task.sleep(for: .milliseconds(100))
            #expect(bench.reader.statistics.totalCommands == before)
            #expect(bench.client.events.count == 2)
            bench.session.restartPolling()
            #expect(try await bench.client.nextTags().miFare.identifier == hex("04112233445566"))
        }
    }

    // Fact 2.2: begin() returns at once
    // Fact 2.3: begin()
    // Fact 2.3: isReady
    @Test("begin() returns before the reader is open, and a second begin() does nothing")
    func beginReturns() async throws {
        try await withBench(begins: false) { bench in
            #expect(!bench.session.isReady)
            bench.session.begin()
            bench.session.begin()
            try await bench.client.expectActive()
            #expect(bench.session.isReady)
            bench.session.begin()
            bench.session.invalidate()
            _ = try await bench.client.nextInvalidation()
            #expect(!bench.session.isReady)
            #expect(bench.client.events.count == 2)
        }
    }

    // Fact 2.1: The delegate is held weakly
    @Test("A begun session lives until it ends, though nobody holds it; a dropped delegate ends it")
    func lifetime() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        weak var dropped: NFCTagReaderSession?
        var client: Client? = Client()
        do {
            let session = NFCTagReaderSession(
                pollingOption: .iso14443,
                delegate: try #require(client),
                sessionConfiguration: configuration(for: reader, clock: ManualClock())
            )
            dropped = session
            session.begin()
        }
        try await client?.expectActive()
        #expect(dropped?.isReady == true)
        client = nil
        try await within(.seconds(10)) {
            while reader.isFieldOn { try await Task.sleep(for: .milliseconds(2)) }
        }
        #expect(dropped == nil || dropped?.isReady == false)
    }

    // Fact 2.1: The delegate is held weakly
    @Test(
        "A delegate dropped after a detection ends the session too, though nothing limits its time",
        arguments: [false, true]
    )
    func droppedAfterDetection(isConnected: Bool) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try ISODEPTag(application: ScriptedCard.type4))
        var configuration = configuration(for: reader, clock: ManualClock())
        configuration.sessionTimeLimit = nil
        configuration.tagTimeLimit = nil
        var client: Client? = Client()
        let session = NFCTagReaderSession(
            pollingOption: .iso14443,
            delegate: try #require(client),
            sessionConfiguration: configuration
        )
        session.begin()
        try await client?.expectActive()
        let tags = try #require(try await client?.nextTags())
        if isConnected { try await session.connect(to: tags.only) }
        client = nil
        try await within(.seconds(10)) {
            while session.isReady || reader.isFieldOn {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }
}
