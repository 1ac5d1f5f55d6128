import Foundation
package import NFCReader

extension NFCReaderError {
    /// The reader's error behind this one, if that is what it came from.
    package var readerError: ReaderError? { userInfo[NSUnderlyingErrorKey] as? ReaderError }

    /// What a client is told when a command to a tag fails (facts/corenfc.md, 2.6).
    ///
    /// A fault of the reader in the middle of a command reads as "no response": the session decides apart from this
    /// whether it can go on.
    package init(duringCommand error: ReaderError) {
        let code: Code =
            switch error {
            case .tagLost: .readerTransceiveErrorTagConnectionLost
            case .tagError: .readerTransceiveErrorTagResponseError
            case .commandTooLong, .answerTooLong: .readerTransceiveErrorPacketTooLong
            case .closed, .interrupted: .readerTransceiveErrorSessionInvalidated
            default: .readerTransceiveErrorTagResponseError
            }
        self.init(code, userInfo: [NSUnderlyingErrorKey: error])
    }

    /// What the delegate is told when a session cannot start or loses its reader (facts/corenfc.md, 2.6).
    package init(endingSession error: ReaderError) {
        let code: Code =
            switch error {
            case .noReader, .cannotOpen: .readerErrorUnsupportedFeature
            case .invalidConnectionString, .severalReaders: .readerErrorInvalidParameter
            case .inUse: .readerSessionInvalidationErrorSystemIsBusy
            default: .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
            }
        self.init(code, userInfo: [NSUnderlyingErrorKey: error])
    }
}
