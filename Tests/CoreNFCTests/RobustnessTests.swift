import CoreNFC
import NFCReader
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// Faults of wire, chip and radio, and ending a session at any moment.
@Suite(.serialized) struct RobustnessTests {
    private func apdu(_ encoded: String) throws -> NFCISO7816APDU {
        try #require(NFCISO7816APDU(data: hex(encoded)))
    }

    // MARK: Faults

    @Test("A few garbled frames while polling are not a lost reader; the tag is found")
    func garbledPolls() async throws {
        try await withBench { bench in
            bench.reader.faults = Faults(Fault(.wrongChecksum, .fraction(0.3)))
            try await bench.waitUntil { bench.reader.statistics.commands[0x4A, default: 0] > 6 }
            bench.reader.place(try Type2Tag())
            _ = try await bench.client.nextTags().miFare
            bench.reader.faults = .none
        }
    }

    @Test("A reader that fails five times in a row while a tag is asked for is not lost")
    func garbledPresence() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().only
            try await bench.session.connect(to: tag)
            bench.reader.faults = Faults(
                Fault(.wrongChecksum, .nth(1)),
                Fault(.wrongChecksum, .nth(2)),
                Fault(.wrongChecksum, .nth(3)),
                Fault(.wrongChecksum, .nth(4)),
                Fault(.wrongChecksum, .nth(5))
            )
            try await bench.session.connect(to: tag)
            #expect(tag.isAvailable)
            #expect(bench.session.isReady)
        }
    }

    // Fact 2.6: app backgrounded, stack died
    @Test("A reader that is unplugged ends the session unexpectedly, while polling")
    func unplugged() async throws {
        try await withBench { bench in
            bench.reader.hangUp()
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerSessionInvalidationErrorSessionTerminatedUnexpectedly)
        }
    }

    @Test("A reader that is unplugged under a tag ends the session at the next command")
    func unpluggedUnderTag() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.reader.hangUp()
            await #expect(throws: NFCReaderError.self) {
                try await tag.sendCommand(apdu: try apdu("00B0000000"))
            }
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerSessionInvalidationErrorSessionTerminatedUnexpectedly)
        }
    }

    @Test("A garbled answer to a command is that command's error; the next one works")
    func garbledCommand() async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000"], otherwise: "9000")
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.reader.faults = Faults(Fault(.wrongChecksum, .nth(1)))
            await #expect {
                try await tag.sendCommand(apdu: try apdu("00B0000000"))
            } throws: {
                ($0 as? NFCReaderError)?.code == .readerTransceiveErrorTagResponseError
            }
            let (_, sw1, _) = try await tag.sendCommand(apdu: try apdu("00B0000001"))
            #expect(sw1 == 0x90)
        }
    }

    /// Status bit 7 makes libnfc call abort(); the reader contains it and is opened again (facts/libnfc.md, 7.5).
    @Test("A status byte that makes libnfc abort costs the tag, not the session")
    func libraryFault() async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000"], otherwise: "9000")
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.reader.faults = Faults(Fault(.status(0x80), .nth(1)))
            await #expect(throws: NFCReaderError.self) {
                try await tag.sendCommand(apdu: try apdu("00B0000000"))
            }
            #expect(!tag.isAvailable)
            bench.session.restartPolling()
            let again = try await bench.client.nextTags().iso7816
            let (_, sw1, _) = try await again.sendCommand(apdu: try apdu("00B0000000"))
            #expect(sw1 == 0x90)
        }
    }

    @Test("A status byte that makes libnfc abort while a tag is connected costs that try only")
    func libraryFaultInConnect() async throws {
        try await withBench(begins: false) { bench in
            for uid in ["04A1A1A1A1A1A1", "04B2B2B2B2B2B2"] {
                let card = ScriptedCard.type4
                bench.reader.place(try ISODEPTag(uid: .fixed(hex(uid)), application: card))
            }
            bench.session.begin()
            try await bench.client.expectActive()
            let tags = try await bench.client.nextTags().tags
            try #require(tags.count == 2)
            try await bench.session.connect(to: tags[0])
            // The other one is selected, and then its application, which is the first exchange.
            bench.reader.faults = Faults(Fault(.status(0x80), .nth(1)))
            await expect(.readerTransceiveErrorTagConnectionLost) {
                try await bench.session.connect(to: tags[1])
            }
            #expect(!tags[0].isAvailable && !tags[1].isAvailable)
            #expect(bench.session.isReady)
            try await bench.session.connect(to: tags[1])
            #expect(tags[1].isAvailable)
        }
    }

    // Fact 2.6: no NFC hardware
    @Test("A reader that is not there, or not responding, is told to the delegate")
    func noReader() async throws {
        try await withBench(
            begins: false,
            configure: { $0.reader = "pn532_uart:/dev/does-not-exist" }
        ) { bench in
            bench.session.begin()
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerErrorUnsupportedFeature)
            #expect(bench.client.events.count == 1)
        }
        try await withBench(begins: false, configure: { $0.reader = "nonsense" }) { bench in
            bench.session.begin()
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerErrorInvalidParameter)
        }
    }

    @Test("A silent reader can be given up at once, though opening it takes seconds")
    func silentReader() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.faults = .silence
        try await expectQuick {
            let client = Client()
            let session = NFCTagReaderSession(
                pollingOption: .iso14443,
                delegate: client,
                sessionConfiguration: configuration(for: reader, clock: ManualClock())
            )
            session.begin()
            let start = ContinuousClock.now
            session.invalidate()
            let reason = try await client.nextInvalidation()
            #expect(reason == .readerSessionInvalidationErrorUserCanceled)
            return ContinuousClock.now - start
        }
    }

    // MARK: Ending at any moment

    @Test("invalidate() while polling ends within 300 ms, field off")
    func endWhilePolling() async throws {
        try await expectQuick {
            var time = Duration.zero
            try await withBench { bench in
                let start = ContinuousClock.now
                bench.session.invalidate()
                _ = try await bench.client.nextInvalidation()
                time = ContinuousClock.now - start
                #expect(!bench.reader.isFieldOn)
            }
            return time
        }
    }

    @Test(
        "invalidate() inside an exchange ends within 300 ms; that command and later ones are told"
    )
    func endInsideExchange() async throws {
        try await expectQuick { try await timeToEndInsideExchange() }
    }

    /// Expects 300 ms at most of the quickest of a few tries: other tests share the machine.
    private func expectQuick(_ measure: () async throws -> Duration) async throws {
        var quickest = Duration.seconds(60)
        for _ in 0..<3 where quickest >= .milliseconds(300) {
            quickest = min(quickest, try await measure())
        }
        #expect(quickest < .milliseconds(300))
    }

    private func timeToEndInsideExchange() async throws -> Duration {
        var time = Duration.zero
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let codes = Mutex<[NFCReaderError.Code?]>([])
            // The chip answers to nobody from now on.
            bench.reader.faults = Faults(Fault(.acknowledgeOnly, command: 0x40))
            let before = bench.reader.statistics.framesFromHost
            for _ in 0..<3 {
                tag.sendCommand(apdu: try apdu("00B0000000")) { _, _, _, error in
                    let code = (error as? NFCReaderError)?.code
                    codes.withLock { $0.append(code) }
                }
            }
            try await bench.waitUntil { bench.reader.statistics.framesFromHost > before }
            let start = ContinuousClock.now
            bench.session.invalidate()
            _ = try await bench.client.nextInvalidation()
            time = ContinuousClock.now - start
            #expect(!bench.reader.isFieldOn)
            #expect(
                codes.withLock { $0 }
                    == Array(repeating: .readerTransceiveErrorSessionInvalidated, count: 3)
            )
        }
        return time
    }

    @Test("invalidate() inside a delegate call and inside a handler works")
    func endInsideCallbacks() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().only
            let session = bench.session
            session.connect(to: tag) { _ in session.invalidate(errorMessage: "enough") }
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerSessionInvalidationErrorUserCanceled)
        }
    }

    @Test("Sessions ended at 40 different moments leave the field off and the port closed")
    func endAnywhere() async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000"], otherwise: "9000")
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try ISODEPTag(application: card))
        let before = try openDescriptors(of: reader.path)
        for round in 0..<40 {
            let client = Client()
            var configuration = configuration(for: reader, clock: ManualClock())
            configuration.pollPeriod = .milliseconds(10)
            let session = NFCTagReaderSession(
                pollingOption: .iso14443,
                delegate: client,
                sessionConfiguration: configuration
            )
            session.begin()
            let ender = Task {
                try await Task.sleep(for: .milliseconds(round * 4))
                session.invalidate()
            }
            events: while true {
                switch try await client.next() {
                case .active: continue
                case .detected(let tags):
                    guard case .iso7816(let tag)? = tags.first else { continue }
                    while let command = NFCISO7816APDU(data: hex("00B0000000")) {
                        guard
                            (try? await tag.sendCommand(apdu: command)) as (Data, UInt8, UInt8)?
                                != nil
                        else { break }
                    }
                case .invalidated: break events
                }
            }
            #expect(client.invalidations.count == 1)
            try await ender.value
            try await within(.seconds(5)) {
                while reader.isFieldOn { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
        try await within(.seconds(5)) {
            while try openDescriptors(of: reader.path) > before {
                try await Task.sleep(for: .milliseconds(1))
            }
        }
    }
}

/// How many of this process's descriptors lead to the device node.
private func openDescriptors(of path: String) throws -> Int {
    let folder = "/proc/self/fd"
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { name in
        // A descriptor of another test may have been closed meanwhile.
        (try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)) == path
    }.count
}
