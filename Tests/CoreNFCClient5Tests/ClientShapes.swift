// Client code in the shapes that public iOS code has (facts/corenfc.md, 1.2, 1.4, 1.9, 4 and 5). That this file compiles,
// without a warning, is the test; ClientShapesTests.swift runs what can run without a reader.

import CoreNFC
import Testing

/// A client's test double: completion forms only, and the hidden base protocol.
class TagMimic: NSObject, NFCISO7816Tag {
    var answer = Data()
    var failure: (any Error)?

    var initialSelectedAID = "D2760000850101"
    var identifier = Data([0x04, 0x01])
    var historicalBytes: Data?
    var applicationData: Data?
    var proprietaryApplicationDataCoding = false
    var isAvailable = true
    var type = __NFCTagType.iso7816Compatible
    weak var session: NFCReaderSessionProtocol?

    override init() {}

    required init?(coder: NSCoder) { nil }

    func sendCommand(
        apdu: NFCISO7816APDU,
        completionHandler: @escaping (Data, UInt8, UInt8, Error?) -> Void
    ) {
        completionHandler(answer, 0x90, 0x00, failure)
    }

    func asNFCISO15693Tag() -> NFCISO15693Tag? { nil }
    func asNFCISO7816Tag() -> NFCISO7816Tag? { self }
    func asNFCFeliCaTag() -> NFCFeliCaTag? { nil }
    func asNFCMiFareTag() -> NFCMiFareTag? { nil }
    func copy(with zone: NSZone? = nil) -> Any { self }
    func encode(with coder: NSCoder) {}
    static var supportsSecureCoding: Bool { true }
}

/// The answers of `sendCommand` in the ways clients take them; all but the last must be the tuple.
enum SendingShapes {
    static func destructured(_ tag: NFCISO7816Tag, _ apdu: NFCISO7816APDU) async throws -> Data {
        let (data, sw1, sw2) = try await tag.sendCommand(apdu: apdu)
        return data + [sw1, sw2]
    }

    static func destructuredToVariables(
        _ tag: NFCISO7816Tag,
        _ apdu: NFCISO7816APDU
    ) async throws -> Data {
        var (data, sw1, sw2) = try await tag.sendCommand(apdu: apdu)
        if sw1 == 0x61 { (data, sw1, sw2) = try await tag.sendCommand(apdu: apdu) }
        return data + [sw1, sw2]
    }

    static func numbered(_ tag: NFCISO7816Tag, _ apdu: NFCISO7816APDU) async throws -> Data {
        let response = try await tag.sendCommand(apdu: apdu)
        return response.0 + [response.1, response.2]
    }

    static func matched(_ tag: NFCISO7816Tag, _ apdu: NFCISO7816APDU) async throws -> Data? {
        switch try await tag.sendCommand(apdu: apdu) {
        case (let data, 0x90, 0x00): data
        default: nil
        }
    }

    static func dropped(_ tag: NFCISO7816Tag, _ apdu: NFCISO7816APDU) async throws {
        _ = try await tag.sendCommand(apdu: apdu)
    }

    static func generic<Tag: NFCISO7816Tag>(_ tag: Tag, _ apdu: NFCISO7816APDU) async throws -> Data
    {
        let response = try await tag.sendCommand(apdu: apdu)
        return response.0
    }

    static func structured(_ tag: NFCISO7816Tag, _ apdu: NFCISO7816APDU) async throws -> Data? {
        let response: NFCISO7816ResponseAPDU = try await tag.sendCommand(apdu: apdu)
        return response.payload
    }
}

/// Trailing closures as clients write them.
enum HandlerShapes {
    static func all(
        _ tag: NFCISO7816Tag,
        _ apdu: NFCISO7816APDU,
        _ done: @escaping @Sendable () -> Void
    ) {
        tag.sendCommand(apdu: apdu) { data, sw1, sw2, error in
            if error == nil, sw1 == 0x90, sw2 == 0, data.isEmpty { done() }
        }
        tag.sendCommand(apdu: apdu) { (data: Data, sw1: UInt8, sw2: UInt8, error: Error?) in
            if error == nil, sw1 == 0x90, sw2 == 0, data.isEmpty { done() }
        }
        tag.sendCommand(apdu: apdu) { if $3 == nil, $1 == 0x90, $2 == 0, $0.isEmpty { done() } }
        tag.sendCommand(apdu: apdu) { result in
            switch result {
            case .success(let response) where response.statusWord1 == 0x90: done()
            case .success, .failure: break
            }
        }
        tag.sendCommand(apdu: apdu) { (result: Result<NFCISO7816ResponseAPDU, Error>) in
            if case .success(let response) = result, response.statusWord2 == 0 { done() }
        }
    }
}

/// Switches over the enum, with every case, with a default, and with an unknown default.
enum SwitchShapes {
    static func exhaustive(_ tag: NFCTag) -> Data {
        switch tag {
        case .feliCa(let tag): tag.currentIDm
        case .iso7816(let tag): tag.identifier
        case .iso15693(let tag): tag.identifier
        case .miFare(let tag): tag.identifier
        }
    }

    static func defaulted(_ tag: NFCTag) -> Data? {
        switch tag {
        case .miFare(let tag): tag.identifier
        default: nil
        }
    }

    static func guarded(_ tags: [NFCTag]) -> NFCISO7816Tag? {
        guard case .iso7816(let tag) = tags.first else { return nil }
        return tag
    }
}

/// A delegate in the usual form, isolated to nothing.
final class PlainDelegate: NSObject, NFCTagReaderSessionDelegate {
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        // swift-format-ignore: NeverForceUnwrap
        let readerError = error as! NFCReaderError
        switch readerError.code {
        case .readerSessionInvalidationErrorUserCanceled,
            .readerSessionInvalidationErrorFirstNDEFTagRead:
            break
        case NFCReaderError.readerSessionInvalidationErrorSessionTimeout: print("time is over")
        default: print(readerError.localizedDescription, readerError.errorCode)
        }
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard tags.count == 1, let tag = tags.first else {
            session.alertMessage = "More than one tag"
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
                session.restartPolling()
            }
            return
        }
        session.connect(to: tag) { error in
            if error != nil { session.invalidate(errorMessage: "Connection failed") }
        }
    }
}

/// An extension that treats sessions of any kind alike, as a public package has it.
final class Invalidator<Session: NFCReaderSessionProtocol & Sendable>: Sendable {
    private let session: Session

    init(_ session: Session) { self.session = session }

    func finish(_ message: String?) {
        if let message { session.invalidate(errorMessage: message) } else { session.invalidate() }
    }
}
