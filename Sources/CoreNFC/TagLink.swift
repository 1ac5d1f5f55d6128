import Foundation
import NFCReader

/// What a command may do with its tag: the exchanges of one client call.
struct TagLink: Sendable {
    let session: NFCReaderSession
    let tag: ReaderTag

    /// Exchanges data in the framing of the tag's protocol.
    func exchange(_ command: Data) async throws(NFCReaderError) -> Data {
        let part = session.exchangeLimits?.part ?? .max
        return try await session.exchange(
            with: tag,
            isInParts: command.count > part
        ) { (reader, target) throws(ReaderError) in
            try await reader.exchange(command, with: target)
        }
    }

    /// Exchanges bytes as they are, with a CRC that the chip adds and checks.
    func exchangeRaw(_ command: Data) async throws(NFCReaderError) -> Data {
        try await session.exchange(with: tag, wakes: true) { (reader, _) throws(ReaderError) in
            try await reader.exchangeRaw(command)
        }
    }

    /// Sends bytes as they are to a tag that answers them by an acknowledgement of 4 bits, and returns that.
    func exchangeForAcknowledge(_ command: Data) async throws(NFCReaderError) -> Data {
        try await session.exchange(with: tag, wakes: true) { (reader, _) throws(ReaderError) in
            try await reader.exchangeForAcknowledge(command)
        }
    }

    /// Sends a command APDU and splits the answer into data, SW1 and SW2.
    func transmit(_ apdu: NFCISO7816APDU) async throws(NFCReaderError) -> (Data, UInt8, UInt8) {
        guard let command = apdu.encoded, tag.target.isISODEP else {
            throw NFCReaderError(.readerErrorInvalidParameter)
        }
        try checkSelection(apdu)
        let answer = try await exchange(command)
        guard let sw2 = answer.last, let sw1 = answer.dropLast().last else {
            throw NFCReaderError(
                .readerTransceiveErrorTagResponseError,
                userInfo: [NFCTagResponseUnexpectedLengthErrorKey: answer.count]
            )
        }
        return (Data(answer.dropLast(2)), sw1, sw2)
    }

    /// Refuses a command that selects an application which the client may not select.
    func checkSelection(_ apdu: NFCISO7816APDU) throws(NFCReaderError) {
        if let application = apdu.selectedApplication, !session.allowsSelecting(application) {
            throw NFCReaderError(.readerErrorSecurityViolation)
        }
    }
}

extension NFCReaderSession {
    /// Sends a command APDU to a tag of this session and hands over the answer on the session's queue.
    func transmit(
        _ apdu: NFCISO7816APDU,
        to tag: ReaderTag,
        _ completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    ) {
        perform(on: tag) { (link) throws(NFCReaderError) in
            try await link.transmit(apdu)
        } completion: { result in
            switch result {
            case .success(let answer): completionHandler(answer.0, answer.1, answer.2, nil)
            case .failure(let error): completionHandler(Data(), 0, 0, error)
            }
        }
    }
}
