import CoreNFC

/// Reads an employee's card: VERIFY with a PIN opens its file, READ BINARY reads it (ISO 7816-4).
///
/// There is nothing of Linux in this file.
///
/// Which card it is follows from the application identifier in Info.plist.
class EmployeeCardReader: NSObject, NFCTagReaderSessionDelegate {
    var session: NFCTagReaderSession?

    /// Called on the main queue when the session is over.
    var onEnd: ((Error) -> Void)?
    /// What the card's file holds: its printable ASCII characters, with dots for other bytes.
    private(set) var content: String?
    /// Why the card was not read, for the user.
    private(set) var problem = ""

    private let pin: Data

    /// Nil when `pin` has not the 1 to 16 characters that fit into the card's.
    init?(pin: String) {
        guard (1...16).contains(pin.utf8.count) else { return nil }
        self.pin = Data(pin.utf8)
    }

    func scanStart() {
        guard NFCTagReaderSession.readingAvailable else {
            onEnd?(NFCReaderError(.readerErrorUnsupportedFeature))
            return
        }
        session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
        session?.alertMessage = "Hold your card to the reader"
        session?.begin()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: Error) {
        DispatchQueue.main.async {
            self.session = nil
            self.onEnd?(error)
        }
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        if tags.count > 1 {
            session.alertMessage = "There is more than one tag: hold only your card to the reader"
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
                session.restartPolling()
            }
            return
        }
        guard let tag = tags.first else { return }
        session.connect(to: tag) { error in
            if let error = error {
                self.problem = "The card could not be connected: \(error.localizedDescription)"
                session.invalidate(errorMessage: self.problem)
                return
            }
            guard case .iso7816(let card) = tag else {
                session.alertMessage = "This is no employee card"
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(500)) {
                    session.restartPolling()
                }
                return
            }
            self.read(card, session)
        }
    }

    private func read(_ card: NFCISO7816Tag, _ session: NFCTagReaderSession) {
        let verify = NFCISO7816APDU(
            instructionClass: 0x00,
            instructionCode: 0x20,
            p1Parameter: 0x00,
            p2Parameter: 0x81,  // PIN 1 of the application
            data: pin,
            expectedResponseLength: -1
        )
        card.sendCommand(apdu: verify) { (_: Data, sw1: UInt8, sw2: UInt8, error: Error?) in
            if let error = error {
                self.problem = "VERIFY failed: \(error.localizedDescription)"
                session.invalidate(errorMessage: self.problem)
                return
            }
            // Never tried again: each wrong PIN brings the card nearer to being blocked.
            if !(sw1 == 0x90 && sw2 == 0x00) {
                self.problem = "The card refused VERIFY: \(self.meaning(sw1, sw2))"
                session.invalidate(errorMessage: self.problem)
                return
            }
            let readBinary = NFCISO7816APDU(
                instructionClass: 0x00,
                instructionCode: 0xB0,
                p1Parameter: 0x81,  // file 1
                p2Parameter: 0x00,
                data: Data(),
                expectedResponseLength: 256
            )
            card.sendCommand(apdu: readBinary) {
                (response: Data, sw1: UInt8, sw2: UInt8, error: Error?) in
                if let error = error {
                    self.problem = "READ BINARY failed: \(error.localizedDescription)"
                    session.invalidate(errorMessage: self.problem)
                    return
                }
                if !(sw1 == 0x90 && sw2 == 0x00) {
                    self.problem = "The card refused READ BINARY: \(self.meaning(sw1, sw2))"
                    session.invalidate(errorMessage: self.problem)
                    return
                }
                let content = self.printable(response)
                self.content = content
                session.alertMessage = "Your card was read: \(content)"
                session.invalidate()
            }
        }
    }

    private func meaning(_ sw1: UInt8, _ sw2: UInt8) -> String {
        switch (sw1, sw2) {
        case (0x63, 0xC0...0xCF): return "wrong PIN, \(sw2 & 0x0F) tries left"
        case (0x69, 0x83): return "the PIN is blocked"
        default: return String(format: "status word %02X%02X", sw1, sw2)
        }
    }

    /// A card may hold anything; control characters must not reach a terminal.
    private func printable(_ bytes: Data) -> String {
        let isPrintable = { (byte: UInt8) in (0x20...0x7E).contains(byte) }
        return String(
            decoding: bytes.map { isPrintable($0) ? $0 : UInt8(ascii: ".") },
            as: UTF8.self
        )
    }
}
