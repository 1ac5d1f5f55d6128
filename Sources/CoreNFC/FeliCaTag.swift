import Bytes
import Foundation
import NFCReader

/// A FeliCa tag that a session has found.
final class FeliCaTag: ReaderTag, NFCFeliCaTag, @unchecked Sendable {
    required init?(coder: NSCoder) { nil }

    override init(_ target: Target, of session: NFCReaderSession) {
        super.init(target, of: session)
    }

    var type: __NFCTagType { .feliCa }
    override var kind: String { "NFCFeliCaTag" }
    override var tag: NFCTag? { .feliCa(self) }
    override func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { self }

    var currentIDm: Data { target.identifier }

    var currentSystemCode: Data {
        guard case .feliCa(let tag) = target, let code = tag.systemCode else { return Data() }
        return Data([UInt8(truncatingIfNeeded: code >> 8), UInt8(truncatingIfNeeded: code)])
    }
}
