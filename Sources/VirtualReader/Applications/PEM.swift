#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The text form of certificates and keys (RFC 7468).
enum PEM {
    /// One block with the label's BEGIN and END lines.
    static func encode(_ der: Data, label: String) -> String {
        let base64 = der.base64EncodedString(options: [
            .lineLength64Characters, .endLineWithLineFeed,
        ])
        return "-----BEGIN \(label)-----\n\(base64)\n-----END \(label)-----\n"
    }

    /// The DER bytes of the first block with one of the labels; what is not PEM at all is taken for DER.
    static func decode(_ bytes: Data, labels: [String]) throws(CardError) -> Data {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.contains(where: { $0.hasPrefix("-----BEGIN ") }) else { return bytes }
        for label in labels {
            guard let begin = lines.firstIndex(of: "-----BEGIN \(label)-----"),
                let end = lines[begin...].firstIndex(of: "-----END \(label)-----"),
                let der = Data(
                    base64Encoded: lines[(begin + 1)..<end].joined(),
                    options: .ignoreUnknownCharacters
                )
            else { continue }
            return der
        }
        throw .noPEMBlock(labels: labels)
    }
}
