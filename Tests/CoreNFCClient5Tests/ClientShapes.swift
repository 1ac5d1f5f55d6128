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

    func queryNDEFStatus(completionHandler: @escaping (NFCNDEFStatus, Int, Error?) -> Void) {
        completionHandler(.notSupported, 0, failure)
    }

    func readNDEF(completionHandler: @escaping (NFCNDEFMessage?, Error?) -> Void) {
        completionHandler(nil, failure)
    }

    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping (Error?) -> Void) {
        completionHandler(failure)
    }

    func writeLock(completionHandler: @escaping (Error?) -> Void) { completionHandler(failure) }

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

/// Errors in the ways clients take them apart.
enum ErrorShapes {
    static func caught(_ error: Error) -> String {
        do {
            throw error
        } catch NFCReaderError.readerTransceiveErrorTagConnectionLost {
            return "lost"
        } catch NFCReaderError.readerTransceiveErrorTagResponseError {
            return "no response"
        } catch let error as NFCReaderError where error.code == .readerErrorRadioDisabled {
            return "off"
        } catch {
            return "other"
        }
    }

    static func switched(_ error: Error) -> String {
        // swift-format-ignore: NeverForceUnwrap
        switch (error as! NFCReaderError).code {
        case NFCReaderError.readerTransceiveErrorTagConnectionLost: "lost"
        case .readerTransceiveErrorTagResponseError: "no response"
        case .readerErrorRadioDisabled: "off"
        default: "other"
        }
    }

    static func numbered(_ error: Error) -> String {
        let code = (error as NSError).domain == NFCErrorDomain ? (error as NSError).code : 0
        switch code {
        case NFCReaderError.readerTransceiveErrorTagConnectionLost.rawValue: return "lost"
        case NFCReaderError.Code.readerTransceiveErrorTagResponseError.rawValue:
            return "no response"
        case NFCReaderError(.readerErrorRadioDisabled).errorCode: return "off"
        default: return "other"
        }
    }
}

/// A screen's model on the main actor that writes a handler there; the session calls it on its own queue.
@MainActor
final class ScreenModel {
    func connect(
        _ session: NFCTagReaderSession,
        to tag: NFCTag,
        _ finished: @escaping @Sendable (_ isMainThread: Bool) -> Void
    ) {
        session.connect(to: tag) { error in
            if error != nil { finished(Thread.isMainThread) }
        }
    }
}

/// What clients that know several kinds of tags call on those of a kind that never comes here.
enum OtherKinds {
    static func vicinity(_ tag: NFCISO15693Tag) async throws -> [Data] {
        _ = try await tag.readSingleBlock(requestFlags: [.highDataRate, .address], blockNumber: 0)
        _ = try await tag.systemInfo(requestFlags: .highDataRate)
        _ = try await tag.readMultipleBlocks(
            requestFlags: .highDataRate,
            blockRange: NSRange(location: 0, length: 4)
        )
        tag.readSingleBlock(requestFlags: .highDataRate, blockNumber: 1) {
            (data: Data, error: Error?) in
            if error == nil { print(data.count) }
        }
        tag.readSingleBlock(requestFlags: .highDataRate, blockNumber: 1) { result in
            if case .success(let data) = result { print(data.count) }
        }
        tag.getSystemInfo(requestFlags: [.address, .highDataRate]) { result in
            if case .success(let info) = result { print(info.blockSize, info.totalBlocks) }
        }
        tag.sendRequest(requestFlags: 0x02, commandCode: 0x20, data: nil) { result in
            if case .success(let (flags, data)) = result {
                print(flags.contains(.error), data ?? Data())
            }
        }
        try await tag.writeSingleBlock(
            requestFlags: .highDataRate,
            blockNumber: 0,
            dataBlock: Data(count: 4)
        )
        return try await tag.extendedReadMultipleBlocks(
            requestFlags: .highDataRate,
            blockRange: NSRange(location: 0, length: 4)
        )
    }

    static func feliCa(_ tag: NFCFeliCaTag) async throws -> [Data] {
        tag.requestService(nodeCodeList: [Data([0x0F, 0x09])]) { nodes, error in
            if error == nil { print(nodes.count) }
        }
        tag.readWithoutEncryption(
            serviceCodeList: [Data([0x0F, 0x09])],
            blockList: [Data([0x80, 0x00])]
        ) {
            status1,
            status2,
            blocks,
            error in
            if error == nil, status1 == 0, status2 == 0 { print(blocks.count) }
        }
        tag.polling(systemCode: Data([0x00, 0x03]), requestCode: .noRequest, timeSlot: .max1) {
            result in
            if case .success(let response) = result { print(response.manufactureParameter.count) }
        }
        let (status1, status2, blocks) = try await tag.readWithoutEncryption(
            serviceCodeList: [Data([0x0F, 0x09])],
            blockList: [Data([0x80, 0x00])]
        )
        return status1 == 0 && status2 == 0 ? blocks : []
    }

    static func ndef(_ tag: some NFCNDEFTag) async throws -> NFCNDEFMessage? {
        let (status, capacity) = try await tag.queryNDEFStatus()
        switch status {
        case .notSupported: return nil
        case .readOnly, .readWrite: break
        @unknown default: return nil
        }
        guard capacity > 0 else { return nil }
        return try await tag.readNDEF()
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
