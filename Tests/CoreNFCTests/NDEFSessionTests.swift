import CoreNFC
import NFCReader
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// The two modes of an NDEF session (facts/corenfc.md, 2.7).
@Suite(.serialized) struct NDEFSessionTests {
    /// The URI record for http://www.nfc.com (RTD URI 1.0, A.1).
    private static let message = hex("d1010855016e66632e636f6d")
    private static let otherMessage = hex("d101035401 6161".replacingOccurrences(of: " ", with: ""))

    private func ntag(_ message: Data, uid: String = "04A1B2C3D4E580") throws -> Type2Tag {
        let tag = try Type2Tag(uid: .fixed(hex(uid)))
        tag.load(hex("03") + Data([UInt8(message.count)]) + message + hex("FE"))
        return tag
    }

    private func withSession(
        _ client: some NDEFClient,
        _ tags: [any VirtualTag],
        invalidateAfterFirstRead: Bool = false,
        _ body: (NFCNDEFReaderSession, VirtualReader) async throws -> Void
    ) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        for tag in tags { reader.place(tag) }
        var configuration = configuration(for: reader, clock: ManualClock())
        configuration.iso7816SelectIdentifiers = []
        let session = NFCNDEFReaderSession(
            delegate: client,
            queue: nil,
            invalidateAfterFirstRead: invalidateAfterFirstRead,
            sessionConfiguration: configuration
        )
        session.begin()
        do {
            try await body(session, reader)
        } catch {
            session.invalidate()
            throw error
        }
        session.invalidate()
        try await within(.seconds(10)) {
            while client.log.codes.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
        }
        #expect(client.log.codes.count == 1)
        #expect(!reader.isFieldOn)
    }

    // MARK: Without didDetect

    // Fact 2.7: Delegate without didDetect
    // Fact 2.7: NFC Forum types 1…5 with valid NDEF are found
    @Test("Messages are read by the session, a tag after another, each once")
    func readsMessages() async throws {
        let client = MessageClient()
        let first = try ntag(Self.message)
        try await withSession(client, [first]) { session, reader in
            #expect(try await client.log.next() == Self.message)
            // The tag rests for ten poll periods and is not read again.
            try await Task.sleep(for: .milliseconds(100))
            session.restartPolling()
            reader.swap(first, for: try ntag(Self.otherMessage, uid: "04112233445566"))
            #expect(try await client.log.next() == Self.otherMessage)
            reader.removeAll()
            reader.place(
                try ISODEPTag(application: try Type4Application(ndefMessage: Self.message))
            )
            #expect(try await client.log.next() == Self.message)
            #expect(session.isReady)
        }
        #expect(client.log.messageCount == 3)
        #expect(client.log.codes == [.readerSessionInvalidationErrorUserCanceled])
    }

    // Fact 2.6: invalidateAfterFirstRead session read its message
    // Fact 2.7: Delegate without didDetect
    @Test("With invalidateAfterFirstRead the session ends after the first message, and says so")
    func firstRead() async throws {
        let client = MessageClient()
        try await withSession(
            client,
            [try ntag(Self.message)],
            invalidateAfterFirstRead: true
        ) { session, _ in
            #expect(try await client.log.next() == Self.message)
            try await within(.seconds(10)) {
                while client.log.codes.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
            }
            #expect(client.log.codes == [.readerSessionInvalidationErrorFirstNDEFTagRead])
            #expect(!session.isReady)
        }
    }

    @Test("Tags without a message, and with a broken one, are passed over")
    func passesOver() async throws {
        let client = MessageClient()
        let empty = try ntag(Data())
        try await withSession(client, [empty]) { _, reader in
            let broken = try ntag(hex("FFFFFF"), uid: "04112233445566")
            let card = try ISODEPTag(application: ScriptedCard())
            // Each is there until the reader has spoken to it.
            try await exchange(reader, 2)
            reader.swap(empty, for: broken)
            try await exchange(reader, 2)
            reader.swap(broken, for: card)
            try await exchange(reader, 2)
            reader.swap(card, for: try ntag(Self.message, uid: "04998877665544"))
            #expect(try await client.log.next() == Self.message)
        }
        #expect(client.log.messageCount == 1)
    }

    /// Waits until the reader has exchanged something with a tag that was just placed.
    private func exchange(_ reader: VirtualReader, _ count: Int) async throws {
        let before = reader.statistics.tagExchanges
        try await within(.seconds(10)) {
            while reader.statistics.tagExchanges < before + count {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
    }

    // MARK: With didDetect

    // Fact 2.7: Delegate with didDetect
    @Test("A delegate with didDetect gets the tags, and messages only when it reads them")
    func reportsTags() async throws {
        let client = TagClient()
        try await withSession(
            client,
            [try ntag(Self.message)],
            invalidateAfterFirstRead: true
        ) { session, _ in
            let tag = try await client.nextTag()
            #expect(!tag.isAvailable)
            try await session.connect(to: tag)
            #expect(tag.isAvailable)
            let status = try await tag.queryNDEFStatus()
            #expect(status.0 == .readWrite)
            let message = NFCNDEFMessage(records: [
                NFCNDEFPayload(
                    format: .media,
                    type: Data("a/b".utf8),
                    identifier: Data(),
                    payload: hex("01")
                )
            ])
            try await tag.writeNDEF(message)
            let read = try await tag.readNDEF()
            #expect(read.encoded == message.encoded)
            #expect(session.isReady)
            session.restartPolling()
            let again = try await client.nextTag()
            #expect(again !== tag)
            await expect(.readerTransceiveErrorTagNotConnected) { _ = try await tag.readNDEF() }
        }
        #expect(client.log.messageCount == 0)
    }

    // Fact 2.7: NFCNDEFReaderSession needs no AID list
    @Test("A type 4 tag is reported too, though no application is listed")
    func reportsType4() async throws {
        let client = TagClient()
        let card = try Type4Application(ndefMessage: Self.message)
        try await withSession(client, [try ISODEPTag(application: card)]) { _, _ in
            let message = try await client.nextTag().readNDEF()
            #expect(message.encoded == Self.message)
        }
    }
}

/// What a client of an NDEF session was told.
private final class Log: Sendable {
    private let state = Mutex<(codes: [NFCReaderError.Code], messages: Int)>(([], 0))
    private let stream: AsyncStream<Data>
    private let input: AsyncStream<Data>.Continuation

    init() { (stream, input) = AsyncStream.makeStream() }

    var codes: [NFCReaderError.Code] { state.withLock { $0.codes } }
    var messageCount: Int { state.withLock { $0.messages } }

    func invalidated(_ error: any Error) {
        let code = (error as? NFCReaderError)?.code
        state.withLock { state in
            if let code { state.codes.append(code) }
        }
    }

    func read(_ messages: [NFCNDEFMessage]) {
        for message in messages {
            state.withLock { $0.messages += 1 }
            input.yield(message.encoded ?? Data())
        }
    }

    func next() async throws -> Data {
        let stream = stream
        return try await within(.seconds(10)) {
            for await message in stream { return message }
            throw CancellationError()
        }
    }
}

private protocol NDEFClient: NFCNDEFReaderSessionDelegate, Sendable {
    var log: Log { get }
}

/// A client that leaves reading to the session.
private final class MessageClient: NSObject, NDEFClient {
    let log = Log()

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        log.invalidated(error)
    }

    func readerSession(
        _ session: NFCNDEFReaderSession,
        didDetectNDEFs messages: [NFCNDEFMessage]
    ) { log.read(messages) }
}

/// A client that speaks to tags.
private final class TagClient: NSObject, NDEFClient {
    let log = Log()
    private let stream: AsyncStream<FoundTag>
    private let input: AsyncStream<FoundTag>.Continuation

    /// The tag objects of this package's sessions may be used from any thread.
    private struct FoundTag: @unchecked Sendable { let tag: any NFCNDEFTag }

    override init() { (stream, input) = AsyncStream.makeStream() }

    func nextTag() async throws -> any NFCNDEFTag {
        let stream = stream
        return try await within(.seconds(10)) {
            for await found in stream { return found }
            throw CancellationError()
        }.tag
    }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        log.invalidated(error)
    }

    func readerSession(
        _ session: NFCNDEFReaderSession,
        didDetectNDEFs messages: [NFCNDEFMessage]
    ) { log.read(messages) }

    func readerSession(_ session: NFCNDEFReaderSession, didDetect tags: [any NFCNDEFTag]) {
        for tag in tags { input.yield(FoundTag(tag: tag)) }
    }
}
