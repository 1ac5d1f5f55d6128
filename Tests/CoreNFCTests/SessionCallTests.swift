import CoreNFC
import NFCReader
import TestSupport
import Testing
import VirtualReader

/// Each call of a session (facts/corenfc.md, 2.3).
@Suite(.serialized) struct SessionCallTests {
    private let readBinary: NFCISO7816APDU

    init() throws {
        readBinary = try #require(NFCISO7816APDU(data: hex("00B0000000")))
    }

    // MARK: Creating and beginning

    private static let refused: [(NFCTagReaderSession.PollingOption, NFCReaderError.Code)] = [
        ([], .readerErrorInvalidParameter),
        (.iso15693, .readerErrorUnsupportedFeature),
        (.pace, .readerErrorUnsupportedFeature),
        // FeliCa without a list of system codes.
        (.iso18092, .readerErrorSecurityViolation),
        ([.iso14443, .iso18092], .readerErrorSecurityViolation),
    ]

    // Fact 2.2: Start refused
    // Fact 2.3: NFCTagReaderSession(pollingOption:delegate:queue:)
    // Fact 2.8: .pace
    @Test(
        "A session is always made; what cannot be polled for is refused when it begins",
        arguments: refused
    )
    func refusedPolling(
        option: NFCTagReaderSession.PollingOption,
        code: NFCReaderError.Code
    ) async throws {
        try await withBench(pollingOption: option, begins: false) { bench in
            bench.session.begin()
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == code)
            #expect(bench.client.events.count == 1)
            #expect(bench.reader.statistics.totalCommands == 0)
        }
    }

    // Fact 2.6: entitlement formats missing, or AID list
    // Fact 2.8: With no valid AID entry in Info.plist
    @Test("An AID list without one valid entry is refused; no list at all is not")
    func refusedList() async throws {
        try await withBench(
            begins: false,
            configure: { $0.iso7816SelectIdentifiers = ["none", "A000"] }
        ) { bench in
            bench.session.begin()
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerErrorSecurityViolation)
        }
        try await withBench(configure: { $0.iso7816SelectIdentifiers = [] }) { _ in }
    }

    @Test("A configuration that cannot be used is told to the delegate, in words")
    func refusedConfiguration() async throws {
        let fault = NFCSessionConfigurationError.invalidEnvironment(
            name: "NFC_SESSION_TIME_LIMIT",
            value: "soon",
            expected: "a number of seconds"
        )
        let client = Client()
        let session = NFCTagReaderSession(
            requested: NFCTagReaderSession.Configuration(pollingOption: .iso14443),
            delegate: client,
            queue: nil,
            configuration: .failure(fault)
        )
        session.begin()
        let reason = try await client.nextInvalidation()
        #expect(reason == .readerErrorInvalidParameter)
        #expect(
            client.invalidations.first?.localizedDescription
                == "NFC_SESSION_TIME_LIMIT=soon is not valid: write a number of seconds"
        )
    }

    // Fact 2.8: .pace
    @Test("iso15693 and pace beside iso14443 are passed over")
    func partlySupported() async throws {
        let option: NFCTagReaderSession.PollingOption = [.iso14443, .iso15693, .pace]
        try await withBench([try Type2Tag()], pollingOption: option) { bench in
            _ = try await bench.client.nextTags().miFare
        }
    }

    // MARK: alertMessage

    // Fact 2.3: alertMessage = …
    @Test(
        "The alert message is presented from begin() on, when it changes, and no more after the end"
    )
    func alertMessage() async throws {
        let (shown, input) = AsyncStream<NFCSessionPresentation>.makeStream()
        try await withBench(
            begins: false,
            configure: { $0.presenter = .closure { input.yield($0) } }
        ) { bench in
            #expect(bench.session.alertMessage.isEmpty)
            bench.session.alertMessage = "first"
            bench.session.begin()
            try await bench.client.expectActive()
            bench.session.alertMessage = "second"
            bench.session.invalidate(errorMessage: "wrong tag")
            _ = try await bench.client.nextInvalidation()
            bench.session.alertMessage = "too late"
            #expect(bench.session.alertMessage == "second")
            input.finish()
        }
        let all: [NFCSessionPresentation] = await shown.reduce(into: []) { $0.append($1) }
        #expect(
            all == [
                .opened(message: "first"), .changed(message: "second"),
                .closed(errorMessage: "wrong tag"),
            ]
        )
    }

    // MARK: connect

    // Fact 2.3: connect(to:)
    // Fact 2.3: isAvailable (on the enum and on each tag)
    @Test(
        "connect makes the tag available and the connected one, and sends nothing for a tag just found"
    )
    func connect() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tags = try await bench.client.nextTags()
            let tag = try tags.iso7816
            #expect(!tag.isAvailable)
            #expect(bench.session.connectedTag == nil)
            let before = bench.reader.statistics.totalCommands
            try await connect(bench, try tags.only)
            #expect(bench.reader.statistics.totalCommands == before)
            #expect(tag.isAvailable)
            #expect(try tags.only.isAvailable)
            guard case .iso7816(let connected)? = bench.session.connectedTag else {
                throw Unexpected(events: "no connected tag")
            }
            #expect(connected === tag)
        }
    }

    @Test("connect goes by the payload object, also of a rebuilt enum value")
    func connectRebuilt() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            try await connect(bench, .iso7816(tag))
            #expect(tag.isAvailable)
        }
    }

    // Fact 2.3: Apple's sample has a removal detection
    @Test(
        "connect on the connected tag succeeds while it is there, and notices without a command that it went"
    )
    func connectAgain() async throws {
        for card: any VirtualTag in [
            try ISODEPTag(application: ScriptedCard.type4), try Type2Tag(), try MifareClassicTag(),
        ] {
            try await withBench([card]) { bench in
                let tag = try await bench.client.nextTags().only
                for _ in 0..<3 { try await connect(bench, tag) }
                bench.reader.remove(card)
                await #expect(throws: NFCReaderError(.readerTransceiveErrorTagConnectionLost)) {
                    try await connect(bench, tag)
                }
                #expect(!tag.isAvailable)
                // The loop of Apple's sample: then polling restarts, and the tag is found when it is back.
                bench.session.restartPolling()
                bench.reader.place(card)
                _ = try await bench.client.nextTags()
            }
        }
    }

    @Test(
        "connect on the connected tag succeeds after a command that woke it",
        arguments: ["3000", "60"]
    )
    func connectAfterCommand(command: String) async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tags = try await bench.client.nextTags()
            try await connect(bench, tags.only)
            for _ in 0..<3 {
                _ = try await tags.miFare.sendMiFareCommand(commandPacket: hex(command))
                try await connect(bench, tags.only)
            }
        }
    }

    // Fact 2.3: connect(to:)
    @Test("connect to a tag that has been silent for a while asks whether it is there")
    func connectGone() async throws {
        let card = try ISODEPTag(application: ScriptedCard.type4)
        try await withBench([card]) { bench in
            let tag = try await bench.client.nextTags().only
            bench.reader.remove(card)
            bench.clock.advance(by: .seconds(1))
            await #expect(throws: NFCReaderError(.readerTransceiveErrorTagConnectionLost)) {
                try await connect(bench, tag)
            }
            #expect(bench.session.connectedTag == nil)
        }
    }

    @Test("connect to a tag that is still there after a while succeeds", arguments: [0, 1])
    func connectLate(which: Int) async throws {
        let card: any VirtualTag =
            which == 0 ? try ISODEPTag(application: ScriptedCard.type4) : try Type2Tag()
        try await withBench([card]) { bench in
            let tag = try await bench.client.nextTags().only
            bench.clock.advance(by: .seconds(1))
            try await connect(bench, tag)
            #expect(tag.isAvailable)
        }
    }

    // Fact 2.3: connect(to:)
    @Test("connect after the end gives session invalidated")
    func connectAfterEnd() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().only
            bench.session.invalidate()
            _ = try await bench.client.nextInvalidation()
            await #expect(throws: NFCReaderError(.readerTransceiveErrorSessionInvalidated)) {
                try await connect(bench, tag)
            }
        }
    }

    // MARK: Commands and connect

    // Fact 2.3: tag command before connect
    @Test("A command without connect works on the only tag, and connects it")
    func commandWithoutConnect() async throws {
        let card = ScriptedCard([ScriptedCard.selectType4: "9000", "00b0000000": "aabb9000"])
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let (data, sw1, sw2) = try await tag.sendCommand(apdu: readBinary)
            #expect(data == hex("aabb"))
            #expect((sw1, sw2) == (0x90, 0x00))
            #expect(tag.isAvailable)
        }
    }

    // Fact 2.3: restartPolling()
    // Fact 2.6: command on a tag that is not connected
    @Test("A command on a tag of an earlier detection gives tag not connected")
    func deadTag() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let first = try await bench.client.nextTags()
            try await connect(bench, try first.only)
            bench.session.restartPolling()
            #expect(bench.session.connectedTag == nil)
            let firstTag = try first.iso7816
            #expect(!firstTag.isAvailable)
            let second = try await bench.client.nextTags()
            #expect(try firstTag !== second.iso7816)
            await #expect(throws: NFCReaderError(.readerTransceiveErrorTagNotConnected)) {
                try await firstTag.sendCommand(apdu: readBinary)
            }
            await #expect(throws: NFCReaderError(.readerTransceiveErrorTagConnectionLost)) {
                try await connect(bench, try first.only)
            }
            try await connect(bench, try second.only)
        }
    }

    // Fact 2.6: command on a tag of an ended session
    @Test("A command after the end gives session invalidated")
    func commandAfterEnd() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            bench.session.invalidate()
            await #expect(throws: NFCReaderError(.readerTransceiveErrorSessionInvalidated)) {
                try await tag.sendCommand(apdu: readBinary)
            }
            #expect(!tag.isAvailable)
        }
    }

    // MARK: restartPolling

    // Fact 2.3: restartPolling()
    @Test("restartPolling reports the same tag again, as a new object")
    func restart() async throws {
        try await withBench([try Type2Tag()]) { bench in
            let first = try await bench.client.nextTags().miFare
            bench.session.restartPolling()
            let second = try await bench.client.nextTags().miFare
            #expect(first !== second)
            #expect(first.identifier == second.identifier)
        }
    }

    // Fact 2.3: restartPolling()
    @Test("restartPolling before begin, while polling and after the end has no effect")
    func idleRestart() async throws {
        try await withBench(begins: false) { bench in
            bench.session.restartPolling()
            bench.session.begin()
            try await bench.client.expectActive()
            bench.session.restartPolling()
            bench.session.restartPolling()
            bench.reader.place(try Type2Tag())
            _ = try await bench.client.nextTags()
            bench.session.invalidate()
            _ = try await bench.client.nextInvalidation()
            bench.session.restartPolling()
            #expect(!bench.session.isReady)
            #expect(bench.client.events.count == 3)
        }
    }

    // Fact 2.3: restartPolling(configuration:) (26.4)
    @Test(
        "restartPolling(configuration:) holds for one restart, the next one is as the session was made"
    )
    func restartWithConfiguration() async throws {
        let other = "A000000001"
        let card = ScriptedCard([
            ScriptedCard.selectType4: "9000", "00a4040005a00000000100": "9000",
        ])
        try await withBench(
            [try ISODEPTag(application: card)],
            configure: { $0.iso7816SelectIdentifiers = [ScriptedCard.type4AID, other] }
        ) { bench in
            try await expectSelected(ScriptedCard.type4AID, bench)
            bench.session.restartPolling(
                configuration: NFCTagReaderSession.Configuration(
                    pollingOption: .iso14443,
                    iso7816SelectIdentifiers: [other]
                )
            )
            try await expectSelected(other, bench)
            bench.session.restartPolling()
            try await expectSelected(ScriptedCard.type4AID, bench)
        }
    }

    private func expectSelected(_ application: String, _ bench: Bench) async throws {
        let tag = try await bench.client.nextTags().iso7816
        #expect(tag.initialSelectedAID == application)
    }

    // MARK: Ending

    // Fact 2.3: invalidate()
    // Fact 2.3: invalidate(errorMessage:)
    // Fact 2.3: second invalidate()
    // Fact 2.3: second begin() on an ended session
    // Fact 2.6: app calls invalidate() / invalidate(errorMessage:)
    @Test(
        "invalidate and invalidate(errorMessage:) give user canceled, once, however often they are called"
    )
    func invalidate() async throws {
        try await withBench { bench in
            bench.session.invalidate(errorMessage: "no")
            bench.session.invalidate()
            bench.session.invalidate(errorMessage: "again")
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerSessionInvalidationErrorUserCanceled)
            bench.session.invalidate()
            bench.session.begin()
            #expect(bench.client.events.count == 2)
        }
    }

    @Test("A session that was never begun ends silently, and does not begin any more")
    func invalidateUnbegun() async throws {
        try await withBench(begins: false) { bench in
            bench.session.invalidate()
            bench.session.begin()
            // On the same serial queue as the delegate calls, so behind any that came.
            await withCheckedContinuation { done in
                bench.session.sessionQueue.async { done.resume() }
            }
            #expect(bench.client.events.isEmpty)
            #expect(!bench.session.isReady)
        }
    }

    private func connect(_ bench: Bench, _ tag: NFCTag) async throws {
        try await bench.session.connect(to: tag)
    }
}
