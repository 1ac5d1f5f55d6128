import CoreNFC

/// Looks for one MIFARE tag and hands its UID to a callback.
///
/// There is nothing of Linux in this file.
class UIDScanner: NSObject, NFCTagReaderSessionDelegate {
    var session: NFCTagReaderSession?

    /// Called on the main queue with the UID in hexadecimal digits.
    var onNFCFoundCallback: ((String) -> Void)?
    /// Called on the main queue when the session is over; after the UID, if there was one.
    var onEnd: ((Error) -> Void)?
    /// Why a tag was refused, for the user.
    private(set) var problem = ""

    func captureNFC() {
        session = NFCTagReaderSession(pollingOption: .iso14443, delegate: self)
        session?.alertMessage = "Hold a tag to the reader"
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
            problem = "There is more than one tag: hold only one to the reader"
            session.alertMessage = problem
            session.invalidate()
            return
        }
        guard let tag = tags.first else { return }
        session.connect(to: tag) { error in
            if let error = error {
                self.problem = "The tag could not be connected: \(error.localizedDescription)"
                session.invalidate(errorMessage: self.problem)
                return
            }
            guard case let .miFare(mifare) = tag else {
                self.problem = "This tag is none of the MIFARE family"
                session.invalidate(errorMessage: self.problem)
                return
            }
            let uid = mifare.identifier.map { String(format: "%02x", $0) }.joined()
            session.invalidate()
            DispatchQueue.main.async {
                self.onNFCFoundCallback?(uid)
            }
        }
    }
}
