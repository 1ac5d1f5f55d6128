import Foundation
import NFCReader

/// An ISO 14443-4 tag that a session has found.
final class ISO7816Tag: ReaderTag, NFCISO7816Tag, @unchecked Sendable {
    let initialSelectedAID: String

    init(_ target: Target, selectedAID: String, of session: NFCReaderSession) {
        initialSelectedAID = selectedAID
        super.init(target, of: session)
    }

    required init?(coder: NSCoder) { nil }

    var type: __NFCTagType { .iso7816Compatible }
    override var kind: String { "NFCISO7816Tag" }
    override var tag: NFCTag? { .iso7816(self) }
    override func asNFCISO7816Tag() -> (any NFCISO7816Tag)? { self }

    var historicalBytes: Data? {
        guard case .typeA(let tag) = target else { return nil }
        return tag.historicalBytes
    }

    var applicationData: Data? {
        guard case .typeB(let tag) = target else { return nil }
        return tag.applicationData
    }

    var proprietaryApplicationDataCoding: Bool {
        guard case .typeB(let tag) = target, let last = tag.protocolInfo.dropFirst(2).first else {
            return false
        }
        // ADC, bits 4 and 3 of the third protocol info byte: 00 proprietary, 01 as in ISO 14443-3, 7.9.3.
        return last & 0x0C == 0
    }

    func sendCommand(
        apdu: NFCISO7816APDU,
        completionHandler: @escaping @Sendable (Data, UInt8, UInt8, (any Error)?) -> Void
    ) {
        owner.transmit(apdu, to: self, completionHandler)
    }
}
