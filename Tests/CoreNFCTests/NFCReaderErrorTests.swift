import CoreNFC
import NFCReader
import Testing

@Suite struct NFCReaderErrorTests {
    /// Apple's raw values (facts/corenfc.md, 1.9).
    private static let numbers: [(Int, NFCReaderError.Code)] = [
        (1, .readerErrorUnsupportedFeature),
        (2, .readerErrorSecurityViolation),
        (3, .readerErrorInvalidParameter),
        (4, .readerErrorInvalidParameterLength),
        (5, .readerErrorParameterOutOfBound),
        (6, .readerErrorRadioDisabled),
        (7, .readerErrorIneligible),
        (8, .readerErrorAccessNotAccepted),
        (100, .readerTransceiveErrorTagConnectionLost),
        (101, .readerTransceiveErrorRetryExceeded),
        (102, .readerTransceiveErrorTagResponseError),
        (103, .readerTransceiveErrorSessionInvalidated),
        (104, .readerTransceiveErrorTagNotConnected),
        (105, .readerTransceiveErrorPacketTooLong),
        (200, .readerSessionInvalidationErrorUserCanceled),
        (201, .readerSessionInvalidationErrorSessionTimeout),
        (202, .readerSessionInvalidationErrorSessionTerminatedUnexpectedly),
        (203, .readerSessionInvalidationErrorSystemIsBusy),
        (204, .readerSessionInvalidationErrorFirstNDEFTagRead),
        (300, .tagCommandConfigurationErrorInvalidParameters),
        (400, .ndefReaderSessionErrorTagNotWritable),
        (401, .ndefReaderSessionErrorTagUpdateFailure),
        (402, .ndefReaderSessionErrorTagSizeTooSmall),
        (403, .ndefReaderSessionErrorZeroLengthMessage),
    ]

    @Test("Every code has the number it has on iOS", arguments: numbers)
    func codes(rawValue: Int, code: NFCReaderError.Code) {
        #expect(code.rawValue == rawValue)
        #expect(NFCReaderError(code).errorCode == rawValue)
    }

    /// Texts that logs of real apps show (facts/corenfc.md, 1.9).
    @Test(
        "A code is described in the words clients know",
        arguments: [
            (NFCReaderError.readerErrorUnsupportedFeature, "Feature not supported"),
            (.readerErrorSecurityViolation, "Missing required entitlement"),
            (.readerTransceiveErrorTagConnectionLost, "Tag connection lost"),
            (.readerTransceiveErrorTagResponseError, "Tag response error / no response"),
            (.readerTransceiveErrorSessionInvalidated, "Session invalidated"),
            (.readerSessionInvalidationErrorUserCanceled, "Session invalidated by user"),
            (.readerSessionInvalidationErrorSessionTimeout, "Session timeout"),
            (
                .readerSessionInvalidationErrorSessionTerminatedUnexpectedly,
                "Session invalidated unexpectedly"
            ),
            (.readerSessionInvalidationErrorSystemIsBusy, "System resource unavailable"),
            (
                .ndefReaderSessionErrorZeroLengthMessage,
                "NDEF tag does not contain any NDEF message"
            ),
        ]
    )
    func texts(code: NFCReaderError.Code, text: String) {
        let error: any Error = NFCReaderError(code)
        #expect(error.localizedDescription == text)
        #expect((error as NSError).localizedDescription == text)
    }

    @Test("A text that is given takes the place of the usual one")
    func givenText() {
        let error = NFCReaderError(
            .readerErrorInvalidParameter,
            userInfo: [NSLocalizedDescriptionKey: "no such reader"]
        )
        #expect(error.localizedDescription == "no such reader")
    }

    @Test("As an NSError it has Apple's domain and the code")
    func bridging() {
        let error = NFCReaderError(.readerTransceiveErrorTagNotConnected) as NSError
        #expect(error.domain == "NFCError")
        #expect(error.domain == NFCErrorDomain)
        #expect(error.code == 104)
    }

    @Test("It can be cast from any Error and matched by code in catch and switch")
    func patterns() throws {
        let delivered: any Error = NFCReaderError(.readerSessionInvalidationErrorUserCanceled)
        let cast = try #require(delivered as? NFCReaderError)
        #expect(cast.code == .readerSessionInvalidationErrorUserCanceled)

        do {
            throw delivered
        } catch NFCReaderError.readerSessionInvalidationErrorSessionTimeout {
            Issue.record("matched another code")
        } catch NFCReaderError.readerSessionInvalidationErrorUserCanceled {
            // As it should be.
        }

        switch cast.code {
        case NFCReaderError.readerSessionInvalidationErrorUserCanceled: break
        default: Issue.record("no match")
        }
    }

    /// The table of facts/corenfc.md, 2.6.
    @Test(
        "A reader's error during a command becomes the code of its situation",
        arguments: [
            (ReaderError.tagLost, 100), (.tagError(status: 0x13), 102),
            (.commandTooLong(size: 300, limit: 262), 105), (.answerTooLong(limit: 250), 105),
            (.interrupted, 103), (.closed, 103),
            (.malformedAnswer(during: "exchange"), 102),
            (.failed(code: -1, during: "exchange"), 102),
        ]
    )
    func commandErrors(cause: ReaderError, code: Int) {
        let error = NFCReaderError(duringCommand: cause)
        #expect(error.errorCode == code)
        #expect(error.readerError == cause)
    }

    @Test(
        "A reader's error that ends a session becomes the code of its situation",
        arguments: [
            (ReaderError.noReader, 1), (.cannotOpen("no such file"), 1),
            (.severalReaders(["a", "b"]), 3), (.invalidConnectionString("x"), 3),
            (.inUse("another program"), 203), (.notResponding("silent"), 202),
            (.failed(code: -1, during: "poll"), 202),
        ]
    )
    func sessionErrors(cause: ReaderError, code: Int) {
        let error = NFCReaderError(endingSession: cause)
        #expect(error.errorCode == code)
        #expect(error.readerError == cause)
    }
}
