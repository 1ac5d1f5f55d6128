public import Foundation

/// The error domain of everything this module reports: "NFCError", as on iOS.
public let NFCErrorDomain: String = "NFCError"

/// Key in `userInfo` for the error code of an ISO 15693 tag, an `NSNumber`.
public let NFCISO15693TagResponseErrorKey: String = "ISO15693TagResponseErrorCode"

/// Key in `userInfo` whose presence says that the tag's answer had an unexpected length.
public let NFCTagResponseUnexpectedLengthErrorKey: String = "NFCTagResponseUnexpectedLength"

/// What a session or a tag command reports when it fails.
///
/// Every error that this module delivers, to a delegate, to a handler or by throwing, is of this type, so
/// `error as! NFCReaderError` is as safe as on iOS. The reader's own error, where there is one, is found in
/// `userInfo` under `NSUnderlyingErrorKey`.
///
/// Apple's counterpart is an `NSError` of domain `NFCError` (facts/corenfc.md, 1.9). Different from iOS: an
/// `NSError` of that domain that somebody else built does not cast to this type on Linux.
public struct NFCReaderError: _BridgedStoredNSError {
    /// The error as an `NSError`.
    public let _nsError: NSError

    /// Wraps `error` and gives it the usual description of its code if it has none.
    public init(_nsError error: NSError) {
        guard error.userInfo[NSLocalizedDescriptionKey] == nil,
            let code = Code(rawValue: error.code)
        else {
            _nsError = error
            return
        }
        var userInfo = error.userInfo
        userInfo[NSLocalizedDescriptionKey] = code.text
        _nsError = NSError(domain: error.domain, code: error.code, userInfo: userInfo)
    }

    /// The error domain, `NFCErrorDomain`.
    public static var errorDomain: String { NFCErrorDomain }

    /// The error domain under the name by which Foundation's bridging asks for it.
    public static var _nsErrorDomain: String { NFCErrorDomain }
}

extension NFCReaderError {
    /// What happened.
    ///
    /// The raw values are Apple's.
    public enum Code: Int, _ErrorCodeProtocol, Sendable {
        /// The error type these codes belong to.
        public typealias _ErrorType = NFCReaderError

        /// There is no reader, or the reader cannot do what the session asks for.
        case readerErrorUnsupportedFeature = 1
        /// The session or the command needs an entry in the list of application identifiers or system codes.
        case readerErrorSecurityViolation = 2
        /// An argument is not valid.
        case readerErrorInvalidParameter = 3
        /// An argument's length is not valid.
        case readerErrorInvalidParameterLength = 4
        /// An argument is out of its range.
        case readerErrorParameterOutOfBound = 5
        /// The radio is switched off. Not reported on Linux.
        case readerErrorRadioDisabled = 6
        /// The device may not run a payment session. Not reported on Linux.
        case readerErrorIneligible = 7
        /// The user has not accepted payment sessions. Not reported on Linux.
        case readerErrorAccessNotAccepted = 8
        /// The tag has left the field.
        case readerTransceiveErrorTagConnectionLost = 100
        /// The command failed as often as it may be tried.
        case readerTransceiveErrorRetryExceeded = 101
        /// The tag gave no answer or one that is not valid.
        case readerTransceiveErrorTagResponseError = 102
        /// The session has ended.
        case readerTransceiveErrorSessionInvalidated = 103
        /// No tag is connected, or another one is.
        case readerTransceiveErrorTagNotConnected = 104
        /// The command is longer than the reader can send.
        case readerTransceiveErrorPacketTooLong = 105
        /// The user, or the app itself, ended the session.
        case readerSessionInvalidationErrorUserCanceled = 200
        /// The session's time was over.
        case readerSessionInvalidationErrorSessionTimeout = 201
        /// The reader failed.
        case readerSessionInvalidationErrorSessionTerminatedUnexpectedly = 202
        /// Another session or another program uses the reader.
        case readerSessionInvalidationErrorSystemIsBusy = 203
        /// The session was to end after the first NDEF message, and has read it.
        case readerSessionInvalidationErrorFirstNDEFTagRead = 204
        /// A tag command configuration is not valid.
        case tagCommandConfigurationErrorInvalidParameters = 300
        /// The tag's NDEF message cannot be written.
        case ndefReaderSessionErrorTagNotWritable = 400
        /// Writing the tag's NDEF message failed.
        case ndefReaderSessionErrorTagUpdateFailure = 401
        /// The tag has no room for the NDEF message.
        case ndefReaderSessionErrorTagSizeTooSmall = 402
        /// The tag holds no NDEF message.
        case ndefReaderSessionErrorZeroLengthMessage = 403
    }
}

extension NFCReaderError.Code {
    /// The description clients see and some compare with: Apple's where logs show it (facts/corenfc.md, 1.9).
    var text: String {
        switch self {
        case .readerErrorUnsupportedFeature: "Feature not supported"
        case .readerErrorSecurityViolation: "Missing required entitlement"
        case .readerErrorInvalidParameter: "Invalid parameter"
        case .readerErrorInvalidParameterLength: "Invalid parameter length"
        case .readerErrorParameterOutOfBound: "Parameter out of bound"
        case .readerErrorRadioDisabled: "NFC radio is disabled"
        case .readerErrorIneligible: "Device is not eligible"
        case .readerErrorAccessNotAccepted: "Access not accepted"
        case .readerTransceiveErrorTagConnectionLost: "Tag connection lost"
        case .readerTransceiveErrorRetryExceeded: "Retry exceeded"
        case .readerTransceiveErrorTagResponseError: "Tag response error / no response"
        case .readerTransceiveErrorSessionInvalidated: "Session invalidated"
        case .readerTransceiveErrorTagNotConnected: "Tag is not connected"
        case .readerTransceiveErrorPacketTooLong: "Packet is too long"
        case .readerSessionInvalidationErrorUserCanceled: "Session invalidated by user"
        case .readerSessionInvalidationErrorSessionTimeout: "Session timeout"
        case .readerSessionInvalidationErrorSessionTerminatedUnexpectedly:
            "Session invalidated unexpectedly"
        case .readerSessionInvalidationErrorSystemIsBusy: "System resource unavailable"
        case .readerSessionInvalidationErrorFirstNDEFTagRead: "First NDEF tag read"
        case .tagCommandConfigurationErrorInvalidParameters: "Invalid command parameters"
        case .ndefReaderSessionErrorTagNotWritable: "NDEF tag is not writable"
        case .ndefReaderSessionErrorTagUpdateFailure: "NDEF tag update failed"
        case .ndefReaderSessionErrorTagSizeTooSmall: "NDEF tag is too small"
        case .ndefReaderSessionErrorZeroLengthMessage:
            "NDEF tag does not contain any NDEF message"
        }
    }
}

/// Each code under the name of the error type, so that it can stand in `catch` and `case` patterns.
extension NFCReaderError {
    /// There is no reader, or the reader cannot do what the session asks for.
    public static var readerErrorUnsupportedFeature: Code { .readerErrorUnsupportedFeature }
    /// The session or the command needs an entry in the list of application identifiers or system codes.
    public static var readerErrorSecurityViolation: Code { .readerErrorSecurityViolation }
    /// An argument is not valid.
    public static var readerErrorInvalidParameter: Code { .readerErrorInvalidParameter }
    /// An argument's length is not valid.
    public static var readerErrorInvalidParameterLength: Code { .readerErrorInvalidParameterLength }
    /// An argument is out of its range.
    public static var readerErrorParameterOutOfBound: Code { .readerErrorParameterOutOfBound }
    /// The radio is switched off.
    public static var readerErrorRadioDisabled: Code { .readerErrorRadioDisabled }
    /// The device may not run a payment session.
    public static var readerErrorIneligible: Code { .readerErrorIneligible }
    /// The user has not accepted payment sessions.
    public static var readerErrorAccessNotAccepted: Code { .readerErrorAccessNotAccepted }
    /// The tag has left the field.
    public static var readerTransceiveErrorTagConnectionLost: Code {
        .readerTransceiveErrorTagConnectionLost
    }
    /// The command failed as often as it may be tried.
    public static var readerTransceiveErrorRetryExceeded: Code {
        .readerTransceiveErrorRetryExceeded
    }
    /// The tag gave no answer or one that is not valid.
    public static var readerTransceiveErrorTagResponseError: Code {
        .readerTransceiveErrorTagResponseError
    }
    /// The session has ended.
    public static var readerTransceiveErrorSessionInvalidated: Code {
        .readerTransceiveErrorSessionInvalidated
    }
    /// No tag is connected, or another one is.
    public static var readerTransceiveErrorTagNotConnected: Code {
        .readerTransceiveErrorTagNotConnected
    }
    /// The command is longer than the reader can send.
    public static var readerTransceiveErrorPacketTooLong: Code {
        .readerTransceiveErrorPacketTooLong
    }
    /// The user, or the app itself, ended the session.
    public static var readerSessionInvalidationErrorUserCanceled: Code {
        .readerSessionInvalidationErrorUserCanceled
    }
    /// The session's time was over.
    public static var readerSessionInvalidationErrorSessionTimeout: Code {
        .readerSessionInvalidationErrorSessionTimeout
    }
    /// The reader failed.
    public static var readerSessionInvalidationErrorSessionTerminatedUnexpectedly: Code {
        .readerSessionInvalidationErrorSessionTerminatedUnexpectedly
    }
    /// Another session or another program uses the reader.
    public static var readerSessionInvalidationErrorSystemIsBusy: Code {
        .readerSessionInvalidationErrorSystemIsBusy
    }
    /// The session was to end after the first NDEF message, and has read it.
    public static var readerSessionInvalidationErrorFirstNDEFTagRead: Code {
        .readerSessionInvalidationErrorFirstNDEFTagRead
    }
    /// A tag command configuration is not valid.
    public static var tagCommandConfigurationErrorInvalidParameters: Code {
        .tagCommandConfigurationErrorInvalidParameters
    }
    /// The tag's NDEF message cannot be written.
    public static var ndefReaderSessionErrorTagNotWritable: Code {
        .ndefReaderSessionErrorTagNotWritable
    }
    /// Writing the tag's NDEF message failed.
    public static var ndefReaderSessionErrorTagUpdateFailure: Code {
        .ndefReaderSessionErrorTagUpdateFailure
    }
    /// The tag has no room for the NDEF message.
    public static var ndefReaderSessionErrorTagSizeTooSmall: Code {
        .ndefReaderSessionErrorTagSizeTooSmall
    }
    /// The tag holds no NDEF message.
    public static var ndefReaderSessionErrorZeroLengthMessage: Code {
        .ndefReaderSessionErrorZeroLengthMessage
    }
}
