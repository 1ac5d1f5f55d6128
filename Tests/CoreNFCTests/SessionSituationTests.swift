import CoreNFC
import NFCReader
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// Situations that facts/corenfc.md, 2, names and that belong to no single call.
@Suite(.serialized) struct SessionSituationTests {
    private func apdu(_ encoded: String) throws -> NFCISO7816APDU {
        try #require(NFCISO7816APDU(data: hex(encoded)))
    }

    // MARK: Queues

    // Fact 2.1: A client may pass DispatchQueue.main
    @Test("With the main queue given, delegate and handlers are called on it")
    func mainQueue() async throws {
        DispatchQueue.main.setSpecific(key: Client.queueKey, value: "main")
        defer { DispatchQueue.main.setSpecific(key: Client.queueKey, value: nil) }
        try await withBench([try Type2Tag()], queue: .main) { bench in
            nonisolated(unsafe) let tag = try await bench.client.nextTags().only
            let session = bench.session
            let queue = try await within(.seconds(10)) {
                await withCheckedContinuation { continuation in
                    session.connect(to: tag) { _ in
                        let name = DispatchQueue.getSpecific(key: Client.queueKey)
                        continuation.resume(returning: name)
                    }
                }
            }
            #expect(queue == "main")
            bench.session.invalidate()
            _ = try await bench.client.nextInvalidation()
            #expect(bench.client.queues == ["main", "main", "main"])
        }
    }

    // Fact 2.1: alertMessage may be set from any thread
    @Test("The alert message may be set from many threads; what is shown last is what it is")
    func alertFromAnyThread() async throws {
        let (shown, input) = AsyncStream<NFCSessionPresentation>.makeStream()
        try await withBench(configure: { $0.presenter = .closure { input.yield($0) } }) { bench in
            let session = bench.session
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask { session.alertMessage = "message \(number)" }
                }
            }
            let last = session.alertMessage
            session.invalidate()
            _ = try await bench.client.nextInvalidation()
            var presentations = shown.makeAsyncIterator()
            var messages: [String] = []
            presenting: while let presentation = await presentations.next() {
                switch presentation {
                case .opened: continue
                case .changed(let message): messages.append(message)
                case .closed: break presenting
                }
            }
            #expect(messages.count == 100)
            #expect(messages.last == last)
        }
    }

    // MARK: Ending

    // Fact 2.6: user taps Cancel
    @Test("Whoever lets a user cancel calls invalidate, from any thread: user canceled")
    func cancel() async throws {
        try await withBench([try Type2Tag()]) { bench in
            _ = try await bench.client.nextTags()
            let session = bench.session
            Thread.detachNewThread { session.invalidate() }
            let reason = try await bench.client.nextInvalidation()
            #expect(reason == .readerSessionInvalidationErrorUserCanceled)
        }
    }

    // Fact 2.6: NFC off
    @Test("No fault of a reader reads as a radio that is switched off, which readers do not have")
    func radioDisabled() {
        let faults: [ReaderError] = [
            .invalidConnectionString("x"), .noReader, .severalReaders(["a", "b"]),
            .cannotOpen("x"), .inUse("x"), .notResponding("x"), .failed(code: -1, during: "x"),
            .libraryFault(during: "x"), .malformedAnswer(during: "x"), .tagLost,
            .tagError(status: 0x0B), .commandTooLong(size: 2, limit: 1),
            .answerTooLong(limit: 1), .closed, .interrupted,
        ]
        for fault in faults {
            #expect(NFCReaderError(endingSession: fault).code != .readerErrorRadioDisabled)
            #expect(NFCReaderError(duringCommand: fault).code != .readerErrorRadioDisabled)
        }
    }

    // MARK: Commands

    // Fact 2.6: frame too long
    @Test("A command of one byte more than the reader takes gives code 105, and nothing is sent")
    func tooLong() async throws {
        // A PN532 takes every APDU there is; to a tag without ISO-DEP it sends 262 bytes (facts/libnfc.md, 7.1).
        try await withBench([try Type2Tag()]) { bench in
            let tag = try await bench.client.nextTags().miFare
            await expect(.readerTransceiveErrorPacketTooLong) {
                _ = try await tag.sendMiFareCommand(commandPacket: [0x60] + Data(count: 262))
            }
            #expect(bench.reader.statistics.tagExchanges == 0)
            // One byte less reaches the tag, which does not know such a command.
            await expect(.readerTransceiveErrorTagResponseError) {
                _ = try await tag.sendMiFareCommand(commandPacket: [0x60] + Data(count: 261))
            }
            #expect(bench.reader.statistics.tagExchanges == 1)
        }
    }

    // Fact 2.6: With the completion form, sw1/sw2 beside an error
    @Test("Beside an error a handler gets no data and 00 00, which no card's success looks like")
    func valuesBesideError() async throws {
        try await withBench([try ISODEPTag(application: ScriptedCard.type4)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let unlisted = try apdu("00A4040005A00000000100")
            let answer = await withCheckedContinuation { continuation in
                tag.sendCommand(apdu: unlisted) { data, sw1, sw2, error in
                    continuation.resume(returning: (data, sw1, sw2, error as? NFCReaderError))
                }
            }
            #expect(answer.0.isEmpty)
            #expect((answer.1, answer.2) == (0, 0))
            #expect(answer.3?.code == .readerErrorSecurityViolation)
        }
    }

    // Fact 2.10: Command chaining (CLA 10) is up to the caller
    @Test("Commands of a chain go out as they are given, each with its own answer")
    func commandChaining() async throws {
        let card = ScriptedCard([
            ScriptedCard.selectType4: "9000", "10da000002a1a2": "9000", "00da000001a3": "b19000",
        ])
        try await withBench([try ISODEPTag(application: card)]) { bench in
            let tag = try await bench.client.nextTags().iso7816
            let (first, sw1, sw2) = try await tag.sendCommand(apdu: try apdu("10DA000002A1A2"))
            #expect(first.isEmpty)
            #expect((sw1, sw2) == (0x90, 0x00))
            let (second, _, _) = try await tag.sendCommand(apdu: try apdu("00DA000001A3"))
            #expect(second == hex("B1"))
            #expect(
                card.commands == [ScriptedCard.selectType4, "10da000002a1a2", "00da000001a3"]
            )
        }
    }

    // MARK: Payment

    /// The proximity payment system environment, "2PAY.SYS.DDF01" (EMV, book B).
    private static let paymentEnvironment = "325041592E5359532E4444463031"

    // Fact 2.8: Payment AIDs and PPSE are refused
    @Test("A payment application that is listed is selected, by a tag session and by a payment one")
    func payment() async throws {
        let select = "00a404000e" + Self.paymentEnvironment.lowercased() + "00"
        let list: (inout NFCSessionConfiguration) -> Void = {
            $0.iso7816SelectIdentifiers = [Self.paymentEnvironment]
        }
        try await withBench(
            [try ISODEPTag(application: ScriptedCard([select: "9000"]))],
            configure: list
        ) { bench in
            let tag = try await bench.client.nextTags().iso7816
            #expect(tag.initialSelectedAID == Self.paymentEnvironment)
            #expect(!tag.supportsPACE)
        }

        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try ISODEPTag(application: ScriptedCard([select: "9000"])))
        var configuration = configuration(for: reader, clock: ManualClock())
        list(&configuration)
        let client = Client()
        let session = NFCPaymentTagReaderSession(
            delegate: client,
            sessionConfiguration: configuration
        )
        session.begin()
        try await client.expectActive()
        let tag = try await client.nextTags().iso7816
        #expect(tag.initialSelectedAID == Self.paymentEnvironment)
        session.invalidate()
        let reason = try await client.nextInvalidation()
        #expect(reason == .readerSessionInvalidationErrorUserCanceled)
    }
}
