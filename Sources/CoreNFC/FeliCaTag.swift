import Bytes
import Foundation
import NFCReader
import Synchronization

/// A FeliCa tag that a session has found.
final class FeliCaTag: ReaderTag, NFCFeliCaTag, @unchecked Sendable {
    // Unchecked as ReaderTag is; what changes here is kept under a lock.
    private let current: Mutex<System>

    /// A system on the tag, and the tag's identifier in it.
    struct System: Sendable {
        let code: Data
        let idm: Data
    }

    override init(_ target: Target, of session: NFCReaderSession) {
        var code = Data()
        if case .feliCa(let tag) = target, let number = tag.systemCode {
            code = Data([UInt8(number >> 8), UInt8(number & 0xFF)])
        }
        current = Mutex(System(code: code, idm: target.identifier))
        super.init(target, of: session)
    }

    required init?(coder: NSCoder) { nil }

    var type: __NFCTagType { .feliCa }
    override var kind: String { "NFCFeliCaTag" }
    override var tag: NFCTag? { .feliCa(self) }
    override func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { self }

    var currentIDm: Data { current.withLock { $0.idm } }
    var currentSystemCode: Data { current.withLock { $0.code } }

    func polling(
        systemCode: Data,
        requestCode: NFCFeliCaPollingRequestCode,
        timeSlot: NFCFeliCaPollingTimeSlot,
        completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void
    ) {
        run(otherwise: (Data(), Data())) { [self] (link) throws(NFCReaderError) in
            let (idm, parameter, data) = try await link.poll(systemCode, requestCode, timeSlot)
            current.withLock { $0 = System(code: systemCode, idm: idm) }
            return (parameter, data)
        } completionHandler: {
            completionHandler($0.0, $0.1, $1)
        }
    }

    func requestService(
        nodeCodeList: [Data],
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        run(otherwise: []) { [self] (link) throws(NFCReaderError) in
            try await link.requestService(nodeCodeList, currentIDm)
        } completionHandler: {
            completionHandler($0, $1)
        }
    }

    func requestResponse(completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void) {
        run(otherwise: 0) { [self] (link) throws(NFCReaderError) in
            try await link.requestResponse(currentIDm)
        } completionHandler: {
            completionHandler($0, $1)
        }
    }

    func readWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void
    ) {
        run(otherwise: (0, 0, [])) { [self] (link) throws(NFCReaderError) in
            try await link.read(serviceCodeList, blockList, currentIDm)
        } completionHandler: {
            completionHandler($0.0, $0.1, $0.2, $1)
        }
    }

    func writeWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data],
        blockData: [Data],
        completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
    ) {
        run(otherwise: (0, 0)) { [self] (link) throws(NFCReaderError) in
            try await link.write(serviceCodeList, blockList, blockData, currentIDm)
        } completionHandler: {
            completionHandler($0.0, $0.1, $1)
        }
    }

    func requestSystemCode(
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        run(otherwise: []) { [self] (link) throws(NFCReaderError) in
            try await link.requestSystemCode(currentIDm)
        } completionHandler: {
            completionHandler($0, $1)
        }
    }

    func requestServiceV2(
        nodeCodeList: [Data],
        completionHandler:
            @escaping @Sendable (
                Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?
            ) -> Void
    ) {
        run(otherwise: (0, 0, .AES, [], [])) { [self] (link) throws(NFCReaderError) in
            try await link.requestServiceV2(nodeCodeList, currentIDm)
        } completionHandler: {
            completionHandler($0.0, $0.1, $0.2, $0.3, $0.4, $1)
        }
    }

    func requestSpecificationVersion(
        completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void
    ) {
        run(otherwise: (0, 0, Data(), Data())) { [self] (link) throws(NFCReaderError) in
            try await link.requestSpecificationVersion(currentIDm)
        } completionHandler: {
            completionHandler($0.0, $0.1, $0.2, $0.3, $1)
        }
    }

    func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void) {
        run(otherwise: (0, 0)) { [self] (link) throws(NFCReaderError) in
            try await link.resetMode(currentIDm)
        } completionHandler: {
            completionHandler($0.0, $0.1, $1)
        }
    }

    func sendFeliCaCommand(
        commandPacket: Data,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        run(otherwise: Data()) { (link) throws(NFCReaderError) in
            try await link.exchangePacket(commandPacket)
        } completionHandler: {
            completionHandler($0, $1)
        }
    }

    /// Has the session carry out a command, and hands over its answer, or `fallback` with the error.
    private func run<Answer: Sendable>(
        otherwise fallback: Answer,
        _ body: @escaping @Sendable (TagLink) async throws(NFCReaderError) -> Answer,
        completionHandler: @escaping @Sendable (Answer, (any Error)?) -> Void
    ) {
        owner.perform(on: self, body) { result in
            switch result {
            case .success(let answer): completionHandler(answer, nil)
            case .failure(let error): completionHandler(fallback, error)
            }
        }
    }
}
