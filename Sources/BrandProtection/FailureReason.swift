import APDU
import NBT
import NDEF

/// What errors of the layers below mean for a verification: the one place where they are
/// translated.
extension BrandProtectionError {
    /// Translates an error of a step.
    ///
    /// - Throws: `CancellationError` if the task was cancelled or the exchange was stopped on
    ///   purpose.
    init(translating error: any Error) throws(CancellationError) {
        if Task.isCancelled || error is CancellationError { throw CancellationError() }
        switch error {
        case let error as BrandProtectionError:
            self = error
        case let error as any TransportError:
            guard let reason = Self.reason(error.fault) else { throw CancellationError() }
            self = .verificationFailed(reason, detail: "\(error)")
        case let error as NbtError:
            self = .verificationFailed(Self.reason(error), detail: "\(error)")
        case let error as APDUError:
            self = .verificationFailed(Self.reason(error), detail: "\(error)")
        case is NDEFError:
            self = .verificationFailed(.protocolError, detail: "\(error)")
        default:
            // A channel's error that says no more about itself.
            self = .verificationFailed(.readerFailed, detail: "\(error)")
        }
    }

    /// Why the verification failed.
    var reason: BrandVerification.Reason {
        switch self {
        case .verificationFailed(let reason, _): reason
        case .malformedCertificate: .malformedCertificate
        // Anchors are loaded before a verification, without them nothing is trusted; keys are for
        // personalisation only.
        case .unusableAnchors, .unusableKey: .untrusted
        }
    }

    /// The reason for a fault on the way to the tag; nil when it was stopped on purpose.
    private static func reason(_ fault: TransportFault) -> BrandVerification.Reason? {
        switch fault {
        case .tagLost: .tagLost
        case .protocolError: .protocolError
        case .readerFailed: .readerFailed
        case .cancelled: nil
        }
    }

    private static func reason(_ error: NbtError) -> BrandVerification.Reason {
        switch error {
        case .status(.selectApplication, .notFound), .status(.selectFile, .notFound),
            .status(.authenticateTag, .conditionsNotSatisfied),
            // A card that holds a copied message, and has no such command.
            .status(.authenticateTag, .instructionNotSupported),
            .status(.authenticateTag, .classNotSupported):
            .notPersonalised
        case .status, .passwordRejected:
            .refused
        case .unexpectedLength, .malformedAnswer, .ndefLengthBeyondFile:
            .protocolError
        default:
            .readerFailed
        }
    }

    private static func reason(_ error: APDUError) -> BrandVerification.Reason {
        switch error {
        case .responseTooShort, .endlessAnswer: .protocolError
        case .unexpectedStatus: .refused
        case .commandTooShort, .lengthMismatch, .dataTooLong, .expectedLengthOutOfRange,
            .commandTooLong:
            .readerFailed
        }
    }
}
