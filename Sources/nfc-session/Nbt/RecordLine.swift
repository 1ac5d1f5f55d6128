import BrandProtection
import Bytes
import NDEF

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One record of an NDEF message in short: what it is, and what it says.
///
/// What a tag says is untrusted: it is shown, never followed.
struct RecordLine: Sendable {
    /// What the record is, a word or two.
    let kind: String
    /// What it says; nil where there is nothing short to say.
    let content: String?
    /// The size of the payload in bytes.
    let count: Int

    init(_ record: NDEFRecord) {
        count = record.payload.count
        do throws(NDEFError) {
            let (kind, content) = Self.words(try RecordContent(record))
            self.kind = kind
            self.content = content.map { printable($0) }
        } catch {
            kind = "malformed record"
            content = printable("\(error)")
        }
    }

    private static func words(_ content: RecordContent) -> (String, String?) {
        switch content {
        case .empty: ("empty record", nil)
        case .uri(let record): ("URI", record.uri)
        case .text(let record): ("text", "\(record.text) (\(record.language))")
        case .smartPoster(let record): ("smart poster", record.uri.uri)
        case .handoverSelect(let record):
            ("handover select", "\(record.alternativeCarriers.count) carriers")
        case .handoverRequest(let record):
            ("handover request", "\(record.alternativeCarriers.count) carriers")
        case .bluetooth(let record):
            ("Bluetooth", device("\(record.address)", record.data.localName))
        case .bluetoothLe(let record):
            ("Bluetooth LE", device("\(record.address)", record.data.localName))
        case .brandProtection(let record): ("certificate", subject(record.certificate))
        case .mime(let record): ("media type", record.type)
        case .absoluteURI(let record): ("absolute URI", record.uri)
        case .external(let record): ("external type", record.type)
        case .unknown: ("unknown type", nil)
        case .other(let record):
            ("well-known type", String(decoding: record.type, as: UTF8.self))
        }
    }

    private static func device(_ address: String, _ name: String?) -> String {
        name.map { "\(address) \($0)" } ?? address
    }

    private static func subject(_ der: Data) -> String {
        guard let certificate = try? Certificate(der: der) else { return "malformed" }
        return "for \(certificate.subjectCommonName ?? "nobody"), not verified"
    }

    var json: JSON {
        .object([
            "kind": .string(kind), "content": .optional(content), "bytes": .number(count),
        ])
    }

    var text: String {
        kind.padded(to: 18) + (content.map { "\($0)  " } ?? "") + "(\(count) bytes)"
    }
}
