// Clients in the style of the two seed articles and of common packages, as an iOS developer writes them: Swift 5 mode,
// no concurrency annotations, sessions kept in a property of the delegate.

import CoreNFC

/// Reads an employee's card of type B: VERIFY, then READ BINARY, in nested handlers.
class EmployeeCardReader: NSObject, NFCTagReaderSessionDelegate {
    var session: NFCTagReaderSession?
    var finished: ((String) -> Void)?
    let verify: [UInt8] = [0x00, 0x20, 0x00, 0x80, 0x04, 0x31, 0x32, 0x33, 0x34]
    let readBinary: [UInt8] = [0x00, 0xB0, 0x00, 0x00, 0x00]

    func start() {
        guard NFCTagReaderSession.readingAvailable else {
            finished?("not supported")
            return
        }
        session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
        session?.alertMessage = "Hold the card to the reader"
        session?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        var text = session.alertMessage
        if let readerError = error as? NFCReaderError,
            readerError.code != .readerSessionInvalidationErrorFirstNDEFTagRead,
            readerError.code != .readerSessionInvalidationErrorUserCanceled
        {
            text = error.localizedDescription
        }
        self.session = nil
        finished?(text)
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        if tags.count > 1 {
            session.alertMessage = "More than one tag"
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
                session.restartPolling()
            }
            return
        }
        guard let tag = tags.first else { return }
        session.connect(to: tag) { (error) in
            if nil != error {
                session.invalidate(errorMessage: "Could not connect")
                return
            }
            guard case .iso7816(let card) = tag else {
                session.alertMessage = "Not a card of this kind"
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) {
                    session.restartPolling()
                }
                return
            }
            guard let verify = NFCISO7816APDU(data: Data(self.verify)),
                let readBinary = NFCISO7816APDU(data: Data(self.readBinary))
            else { return }
            card.sendCommand(apdu: verify) {
                (response: Data, sw1: UInt8, sw2: UInt8, error: Error?) in
                if error != nil || !(sw1 == 0x90 && sw2 == 0) {
                    session.alertMessage = "VERIFY failed: \(sw1) \(sw2)"
                    session.invalidate(errorMessage: "VERIFY failed")
                    return
                }
                card.sendCommand(apdu: readBinary) {
                    (response: Data, sw1: UInt8, sw2: UInt8, error: Error?) in
                    if error != nil || !(sw1 == 0x90 && sw2 == 0) {
                        session.invalidate(errorMessage: "READ BINARY failed")
                        return
                    }
                    session.alertMessage =
                        "Read: " + (String(data: response, encoding: .ascii) ?? "")
                    session.invalidate()
                }
            }
        }
    }
}

/// Reports the UID of a MIFARE tag through a callback on the main queue's substitute.
class UIDScanner: NSObject, NFCTagReaderSessionDelegate {
    var session: NFCTagReaderSession?
    var onNFCFoundCallback: ((String) -> Void)?

    func captureNFC() {
        session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
        session?.alertMessage = "Hold the reader near the tag"
        session?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(
        _ session: NFCTagReaderSession,
        didInvalidateWithError error: Error
    ) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        if tags.count > 1 {
            session.alertMessage = "More than one tag"
            session.invalidate()
        }
        guard let tag = tags.first else { return }
        session.connect(to: tag) { (error) in
            if nil != error {
                session.invalidate(errorMessage: "Connection failed")
            }
            if case let .miFare(sTag) = tag {
                let uid = sTag.identifier.map { String(format: "%.2hhx", $0) }.joined()
                session.invalidate()
                DispatchQueue.global().async {
                    self.onNFCFoundCallback?(uid)
                }
            }
        }
    }
}

/// Works in a task that captures session, tag and self, as most newer packages do.
class TaskClient: NSObject, NFCTagReaderSessionDelegate {
    var session: NFCTagReaderSession?
    var finished: ((Result<Data, Error>) -> Void)?

    func start() {
        session = NFCTagReaderSession(pollingOption: [.iso14443], delegate: self, queue: nil)
        session?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        self.session = nil
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let tag = tags.first, case .iso7816(let card) = tag else { return }
        Task {
            do {
                try await session.connect(to: tag)
                let (data, sw1, sw2) = try await card.sendCommand(apdu: self.command)
                session.alertMessage = "\(sw1) \(sw2)"
                session.invalidate()
                self.finished?(.success(data))
            } catch NFCReaderError.readerTransceiveErrorTagConnectionLost {
                session.restartPolling()
            } catch {
                session.invalidate(errorMessage: error.localizedDescription)
                self.finished?(.failure(error))
            }
        }
    }

    private var command: NFCISO7816APDU {
        NFCISO7816APDU(
            instructionClass: 0x00,
            instructionCode: 0xB0,
            p1Parameter: 0x00,
            p2Parameter: 0x00,
            data: Data(),
            expectedResponseLength: 256
        )
    }
}
