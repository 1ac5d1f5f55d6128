import CoreNFC
import TestSupport
import Testing

@Suite struct ClientShapesTests {
    private let apdu: NFCISO7816APDU

    init() throws {
        apdu = try #require(NFCISO7816APDU(data: hex("00B0000000")))
    }

    private func mimic() -> TagMimic {
        let tag = TagMimic()
        tag.answer = hex("0102")
        return tag
    }

    @Test("Without a type the tuple is chosen, on a protocol value as on a generic one")
    func tuples() async throws {
        let tag = mimic()
        #expect(try await SendingShapes.destructured(tag, apdu) == hex("01029000"))
        #expect(try await SendingShapes.destructuredToVariables(tag, apdu) == hex("01029000"))
        #expect(try await SendingShapes.numbered(tag, apdu) == hex("01029000"))
        #expect(try await SendingShapes.matched(tag, apdu) == hex("0102"))
        #expect(try await SendingShapes.generic(tag, apdu) == hex("0102"))
        try await SendingShapes.dropped(tag, apdu)
        let response = try await tag.sendCommand(apdu: apdu)
        #expect(response.0 == hex("0102"))
    }

    @Test("With its type the structure is chosen, and an empty answer has no payload")
    func structure() async throws {
        let tag = mimic()
        #expect(try await SendingShapes.structured(tag, apdu) == hex("0102"))
        tag.answer = Data()
        #expect(try await SendingShapes.structured(tag, apdu) == nil)
    }

    @Test("An error of the completion form is thrown by the async one")
    func errors() async throws {
        let tag = mimic()
        tag.failure = NFCReaderError(.readerTransceiveErrorTagConnectionLost)
        await #expect(throws: NFCReaderError(.readerTransceiveErrorTagConnectionLost)) {
            try await SendingShapes.dropped(tag, apdu)
        }
    }

    @Test("Every form of handler is called")
    func handlers() async {
        let tag = mimic()
        tag.answer = Data()
        await confirmation(expectedCount: 5) { called in
            HandlerShapes.all(tag, apdu) { called() }
        }
    }

    @Test("A test double can stand in an NFCTag, and says whether it is available")
    func doubleInEnum() {
        let double = mimic()
        let tag = NFCTag.iso7816(double)
        #expect(tag.isAvailable)
        #expect(SwitchShapes.exhaustive(tag) == double.identifier)
        #expect(SwitchShapes.defaulted(tag) == nil)
        #expect(SwitchShapes.guarded([tag]) === double)
        double.isAvailable = false
        #expect(!tag.isAvailable)
    }

    @Test("Connecting an object that no session made is an invalid parameter")
    func foreignTag() async throws {
        let delegate = PlainDelegate()
        let session = try #require(
            NFCTagReaderSession(pollingOption: .iso14443, delegate: delegate)
        )
        let error = await withCheckedContinuation { continuation in
            session.connect(to: .iso7816(mimic())) { continuation.resume(returning: $0) }
        }
        #expect((error as? NFCReaderError)?.code == .readerErrorInvalidParameter)
    }

    @Test(
        "An error can be caught, cast and compared in every way that clients have",
        arguments: [
            (NFCReaderError.Code.readerTransceiveErrorTagConnectionLost, "lost"),
            (.readerTransceiveErrorTagResponseError, "no response"),
            (.readerErrorRadioDisabled, "off"),
            (.readerSessionInvalidationErrorUserCanceled, "other"),
        ]
    )
    func errorShapes(code: NFCReaderError.Code, name: String) {
        let error: Error = NFCReaderError(code)
        #expect(ErrorShapes.caught(error) == name)
        #expect(ErrorShapes.switched(error) == name)
        #expect(ErrorShapes.numbered(error) == name)
    }

    /// A handler without `@Sendable` would trap here (facts/corenfc.md, 5.4).
    @Test("A handler written on the main actor runs on the session's queue, without a trap")
    @MainActor
    func mainActorHandler() async throws {
        let delegate = PlainDelegate()
        let session = try #require(
            NFCTagReaderSession(pollingOption: .iso14443, delegate: delegate)
        )
        let isMainThread = await withCheckedContinuation { continuation in
            ScreenModel().connect(session, to: .iso7816(mimic())) {
                continuation.resume(returning: $0)
            }
        }
        #expect(!isMainThread)
    }
}
