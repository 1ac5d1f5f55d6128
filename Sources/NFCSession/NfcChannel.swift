public import APDU
public import CoreNFC
import NFCReader

/// The way to one ISO 7816 tag of a reader session.
///
/// Where Infineon's channel of this name ends the session when it is disconnected, this one leaves that to whoever
/// started it.
public final class NfcChannel: Channel {
    // Proof for nonisolated(unsafe): the tags and sessions of this package's CoreNFC may be used from any thread, and the
    // constants are never changed. Apple's protocol for tags cannot say so, because clients conform to it.
    private nonisolated(unsafe) let tag: any NFCISO7816Tag
    private let session: NFCTagReaderSession

    /// Wraps a tag that the session has reported.
    public init(tag: any NFCISO7816Tag, session: NFCTagReaderSession) {
        self.tag = tag
        self.session = session
    }

    /// The tag's kind and identifier: "NFCISO7816Tag 05a1b2c3d4e5f6".
    public var name: String {
        "NFCISO7816Tag " + tag.identifier.map { String(format: "%02x", $0) }.joined()
    }

    /// What chip and wire carry: 65,544 bytes, any extended APDU, on a PN532; 252 on an ACR122.
    public var maximumCommandLength: Int { limits.command }

    /// What chip and wire carry, with the status word: 65,538 bytes on a PN532; 250 on an ACR122.
    public var maximumAnswerLength: Int { limits.answer }

    /// Whether the tag is connected and has not been lost.
    public var isConnected: Bool { tag.isAvailable }

    /// Connects to the tag, which keeps the application selected that the session selected.
    ///
    /// - Returns: the historical bytes of a type A tag, the application data of a type B tag.
    /// - Throws: `NfcError`.
    @discardableResult
    public func connect() async throws -> Data {
        do {
            try await session.connect(to: .iso7816(tag))
        } catch {
            throw NfcError(error)
        }
        return tag.historicalBytes ?? tag.applicationData ?? Data()
    }

    /// Lets the tag go: the session looks for tags again.
    public func disconnect() async {
        session.restartPolling()
    }

    /// Sends one command APDU.
    ///
    /// - Returns: the response with its status word.
    /// - Throws: `NfcError`.
    public func transmit(_ command: Data) async throws -> Data {
        guard let apdu = NFCISO7816APDU(data: command) else { throw NfcError.invalidCommand }
        do {
            let (data, sw1, sw2) = try await tag.sendCommand(apdu: apdu)
            return data + [sw1, sw2]
        } catch {
            throw NfcError(error)
        }
    }

    private var limits: (command: Int, answer: Int) {
        // A client's own tag says nothing of a reader; short APDUs are what every one carries.
        let limits = NFCTag.iso7816(tag).exchangeLimits
        return (limits?.command ?? 261, limits?.answer ?? 258)
    }
}

/// Why a channel could not do what it was asked.
public enum NfcError: TransportError, Equatable {
    /// The bytes are no command APDU.
    case invalidCommand
    /// The session's error for the exchange.
    case session(NFCReaderError.Code)

    init(_ error: any Error) {
        self = .session((error as? NFCReaderError)?.code ?? .readerTransceiveErrorTagResponseError)
    }

    /// Who is at fault.
    public var fault: TransportFault {
        switch self {
        case .invalidCommand: .protocolError
        case .session(let code):
            switch code {
            case .readerTransceiveErrorTagConnectionLost, .readerTransceiveErrorTagNotConnected:
                .tagLost
            // The session has ended under the exchange: by the client, or because the reader failed. Its delegate
            // is told which.
            case .readerTransceiveErrorSessionInvalidated: .cancelled
            default: .protocolError
            }
        }
    }
}
