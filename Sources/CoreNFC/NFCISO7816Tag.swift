public import Foundation

/// An ISO 14443-4 tag, type A or B, that takes the commands of ISO 7816-4.
///
/// Apple's protocol of the same name (facts/corenfc.md, 1.4). Not `Sendable`, as Apple's is not, so that clients can
/// write test doubles freely; the objects that a session hands out may be used from any thread.
public protocol NFCISO7816Tag: NFCNDEFTag, __NFCTag {
    /// The listed application that the session has selected on the tag, as the list spells it.
    ///
    /// Empty when none was found and `NFCSessionConfiguration.allowsUnlistedApplications` let the tag through.
    var initialSelectedAID: String { get }
    /// The UID of a type A tag (4, 7 or 10 bytes), the PUPI of a type B tag (4 bytes).
    var identifier: Data { get }
    /// The historical bytes of a type A tag's answer to select; nil for type B.
    var historicalBytes: Data? { get }
    /// The application data of a type B tag's ATQB, 4 bytes; nil for type A.
    var applicationData: Data? { get }
    /// Whether the application data is coded in the maker's own way and not as ISO 14443-3 says.
    var proprietaryApplicationDataCoding: Bool { get }
    /// Whether the tag speaks PACE (iOS 26.4); false for tags that do not say.
    ///
    /// Sessions do not look for PACE, so it is false for every tag they report. A client that runs PACE itself needs
    /// no more than `sendCommand`. That Apple's type is `Bool` is inferred (facts/corenfc.md, 1.4).
    var supportsPACE: Bool { get }

    /// Sends a command and hands over the answer: data, SW1, SW2.
    ///
    /// A status word other than 9000 is no error. Nothing is done by itself on `61xx` and `6Cxx`.
    ///
    /// - Parameters:
    ///   - apdu: the command, short or extended. A PN532 carries every length, commands of more than 262 bytes in
    ///     several parts; when one of these fails the tag counts as lost. An ACR122 carries commands of 252 bytes and
    ///     answers of 250; more gives `readerTransceiveErrorPacketTooLong`.
    ///   - completionHandler: called on the session's queue. With an error (`readerErrorSecurityViolation` for
    ///     selecting an application that is not listed, before anything is sent; `readerTransceiveError…`) the other
    ///     arguments mean nothing.
    @preconcurrency
    func sendCommand(
        apdu: NFCISO7816APDU,
        completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    )

    /// Sends a command and returns data, SW1, SW2, as the form with a completion handler does.
    ///
    /// Cancelling the task does not stop a command that the tag is working on.
    func sendCommand(apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8)
}

extension NFCISO7816Tag {
    /// False, also for test doubles written before iOS 26.4.
    public var supportsPACE: Bool { false }

    /// Sends a command and returns data, SW1, SW2.
    public func sendCommand(apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8) {
        try await withCheckedThrowingContinuation { continuation in
            sendCommand(apdu: apdu) { continuation.finish($3, ($0, $1, $2)) }
        }
    }

    /// Sends a command and returns the answer; chosen over the tuple only where the type asks for it.
    @_disfavoredOverload
    public func sendCommand(apdu: NFCISO7816APDU) async throws -> NFCISO7816ResponseAPDU {
        let (data, sw1, sw2): (Data, UInt8, UInt8) = try await sendCommand(apdu: apdu)
        return NFCISO7816ResponseAPDU(data, sw1, sw2)
    }

    /// Sends a command and hands over the answer or an error.
    @preconcurrency
    public func sendCommand(
        apdu: NFCISO7816APDU,
        resultHandler: @escaping @Sendable (Result<NFCISO7816ResponseAPDU, any Error>) -> Void
    ) {
        sendCommand(apdu: apdu) { resultHandler(result($3, NFCISO7816ResponseAPDU($0, $1, $2))) }
    }
}
