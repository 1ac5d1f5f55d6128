public import Foundation

/// A MIFARE tag, or another type A tag without ISO 14443-4.
///
/// Apple's protocol of the same name (facts/corenfc.md, 1.5). Not `Sendable`, as Apple's is not; the objects that a
/// session hands out may be used from any thread.
public protocol NFCMiFareTag: NFCNDEFTag, __NFCTag {
    /// The family, as far as ATQA, SAK and ATS tell.
    var mifareFamily: NFCMiFareFamily { get }
    /// The UID: 4, 7 or 10 bytes.
    var identifier: Data { get }
    /// The historical bytes of the answer to select; nil when the tag has none.
    var historicalBytes: Data? { get }

    /// Sends a command of the tag's own and hands over the answer.
    ///
    /// The CRC is added and checked by the reader. A tag that merely acknowledges (WRITE) answers one byte, `0A`; a tag
    /// that refuses (NAK) gives `readerTransceiveErrorTagResponseError`, and is selected anew for the next command.
    ///
    /// **Ultralight and NTAG** take every command of theirs: READ `30`, WRITE `A2`, FAST_READ `3A`, GET_VERSION `60`,
    /// READ_SIG `3C`, READ_CNT `39`, PWD_AUTH `1B` and the others. COMPATIBILITY_WRITE is `A0`, page and 16 bytes in one
    /// call. Only SECTOR_SELECT `C2` is not supported (`readerErrorUnsupportedFeature`): of tags with several sectors the
    /// first is within reach.
    ///
    /// **DESFire**, native: the chaining is done inside the call, both ways, and the answer is the last status byte
    /// followed by the data of all frames: `60` gives `00` and the 28 bytes of GetVersion. An answer of the tag that
    /// wants the client's word comes as it is, status `AF` first: that of an authentication (`0A`, `1A`, `AA`, `71`,
    /// `77`), or of an `AF` frame that the client sent. Apple says that it chains and joins, not where the status goes.
    /// Wrapped commands (`90 …`) and APDUs (`00 …`) go as they are and come back with their status word; `91AF` is for
    /// the client to go on with, as on iPhones. So it is with all commands to a **Plus** in ISO 14443-4. Selecting an
    /// application that is not listed gives `readerErrorSecurityViolation`, as in `sendMiFareISO7816Command`.
    ///
    /// **Classic**, beyond iPhones; the reader does the cipher:
    ///
    /// | command                                                                | answer   |
    /// |------------------------------------------------------------------------|----------|
    /// | `60` (key A) or `61` (key B), block, key of 6 bytes, last 4 bytes of UID | none     |
    /// | `30`, block                                                            | 16 bytes |
    /// | `A0`, block, 16 bytes                                                  | `0A`     |
    /// | `C0` decrement, `C1` increment or `C2` restore, block, 4 bytes         | `0A`     |
    /// | `B0` transfer, block                                                   | `0A`     |
    ///
    /// Numbers are of 4 bytes, lowest first. The value commands leave their result in the tag until a transfer to a block
    /// of the same sector. After a wrong key the tag halts, and after a refused command it is idle; both give
    /// `readerTransceiveErrorTagResponseError`, the tag is selected anew, and no sector is open: authenticate again.
    ///
    /// - Parameters:
    ///   - command: the command without CRC.
    ///   - completionHandler: called on the session's queue. With an error the data means nothing.
    @preconcurrency
    func sendMiFareCommand(
        commandPacket command: Data,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    )

    /// Sends a command of the tag's own and returns the answer, as the form with a completion handler does.
    func sendMiFareCommand(commandPacket command: Data) async throws -> Data

    /// Sends a command APDU to a DESFire or Plus tag and hands over data, SW1, SW2.
    ///
    /// Other families give `readerErrorInvalidParameter`; see `NFCISO7816Tag.sendCommand` for the rest.
    @preconcurrency
    func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU,
        completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    )

    /// Sends a command APDU to a DESFire or Plus tag and returns data, SW1, SW2.
    func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8)
}

extension NFCMiFareTag {
    /// Sends a command of the tag's own and returns the answer.
    public func sendMiFareCommand(commandPacket command: Data) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            sendMiFareCommand(commandPacket: command) { continuation.finish($1, $0) }
        }
    }

    /// Sends a command of the tag's own and hands over the answer or an error.
    @preconcurrency
    public func sendMiFareCommand(
        commandPacket command: Data,
        resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        sendMiFareCommand(commandPacket: command) { resultHandler(result($1, $0)) }
    }

    /// Sends a command APDU and returns data, SW1, SW2.
    public func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU
    ) async throws -> (Data, UInt8, UInt8) {
        try await withCheckedThrowingContinuation { continuation in
            sendMiFareISO7816Command(apdu) { continuation.finish($3, ($0, $1, $2)) }
        }
    }

    /// Sends a command APDU and returns the answer; chosen over the tuple only where the type asks for it.
    @_disfavoredOverload
    public func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU
    ) async throws -> NFCISO7816ResponseAPDU {
        let (data, sw1, sw2): (Data, UInt8, UInt8) = try await sendMiFareISO7816Command(apdu)
        return NFCISO7816ResponseAPDU(data, sw1, sw2)
    }

    /// Sends a command APDU and hands over the answer or an error.
    @preconcurrency
    public func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU,
        resultHandler: @escaping @Sendable (Result<NFCISO7816ResponseAPDU, any Error>) -> Void
    ) {
        sendMiFareISO7816Command(apdu) {
            resultHandler(result($3, NFCISO7816ResponseAPDU($0, $1, $2)))
        }
    }
}
