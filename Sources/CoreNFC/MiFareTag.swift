import Foundation
import NFCReader

/// A type A tag, MIFARE or without ISO 14443-4, that a session has found.
final class MiFareTag: ReaderTag, NFCMiFareTag, @unchecked Sendable {
    let mifareFamily: NFCMiFareFamily

    init(_ target: Target, family: NFCMiFareFamily, of session: NFCReaderSession) {
        mifareFamily = family
        super.init(target, of: session)
    }

    required init?(coder: NSCoder) { nil }

    var type: __NFCTagType { .miFare }
    override var kind: String { "NFCMiFareTag" }
    override var tag: NFCTag? { .miFare(self) }
    override func asNFCMiFareTag() -> (any NFCMiFareTag)? { self }

    var historicalBytes: Data? {
        guard case .typeA(let tag) = target else { return nil }
        return tag.historicalBytes
    }

    func sendMiFareCommand(
        commandPacket command: Data,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        owner.perform(on: self) { (link) throws(NFCReaderError) in
            try await link.sendMiFareCommand(command)
        } completion: { result in
            switch result {
            case .success(let answer): completionHandler(answer, nil)
            case .failure(let error): completionHandler(Data(), error)
            }
        }
    }

    func sendMiFareISO7816Command(
        _ apdu: NFCISO7816APDU,
        completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    ) {
        owner.transmit(apdu, to: self, completionHandler)
    }
}

extension TagLink {
    /// Sends a MIFARE command in the framing that the chip needs for it.
    ///
    /// The chip knows the commands of Classic and two of type 2 tags, and does their ciphering and acknowledging. It
    /// refuses others, or takes them for something else (60 for an authentication), so type 2 tags get these raw
    /// (facts/libnfc.md, 7.4). COMPATIBILITY_WRITE of type 2 tags is on air what WRITE of a Classic is.
    func sendMiFareCommand(_ command: Data) async throws(NFCReaderError) -> Data {
        guard let code = command.first else {
            throw NFCReaderError(.readerErrorInvalidParameterLength)
        }
        let family = (tag as? MiFareTag)?.mifareFamily
        guard !tag.target.isISODEP else {
            if family == .desfire, DESFireCommand.isNative(command) {
                return try await sendNativeDESFireCommand(command)
            }
            if let apdu = NFCISO7816APDU(data: command) { try checkSelection(apdu) }
            return try await exchange(command)
        }
        if family == .ultralight {
            switch code {
            case 0x30, 0xA2: break
            case 0xA0:
                guard command.count == 18 else {
                    throw NFCReaderError(.readerErrorInvalidParameterLength)
                }
            // The others that are answered by an acknowledgement: INCR_CNT, FAST_WRITE, WRITE_SIG, LOCK_SIG.
            case 0xA5, 0xA6, 0xA9, 0xAC: return try await exchangeForAcknowledge(command)
            // SECTOR_SELECT: its second part succeeds by silence, after which the session selects a tag anew, and with it
            // sector 0. What the client then wrote would go to the wrong sector.
            case 0xC2: throw NFCReaderError(.readerErrorUnsupportedFeature)
            default: return try await exchangeRaw(command)
            }
        }
        let answer = try await exchange(command)
        // The chip keeps a tag's acknowledgement of a write for itself: hand the client what the tag said.
        let isWrite = [0xA0, 0xA2, 0xB0, 0xC0, 0xC1, 0xC2].contains(code)
        return answer.isEmpty && isWrite ? Data([0x0A]) : answer
    }
}
