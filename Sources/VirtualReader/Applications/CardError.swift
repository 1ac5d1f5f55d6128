import COpenSSL

/// Why a virtual card or its certificate could not be made.
public enum CardError: Error, Equatable, CustomStringConvertible {
    /// The file cannot be read: check path and rights.
    case unreadableFile(path: String, reason: String)
    /// The text is PEM but holds none of these blocks: give an unencrypted file of the right kind.
    case noPEMBlock(labels: [String])
    /// The content is longer than the card's file: shorten it or make the file larger.
    case doesNotFit(bytes: Int, limit: Int)
    /// An argument is outside what the card knows; the text says what is allowed.
    case invalidArgument(String)
    /// OpenSSL refused: the bytes are no certificate or key, or it lacks an algorithm.
    case openSSL(OpenSSLError)

    /// A sentence for a person.
    public var description: String {
        switch self {
        case .unreadableFile(let path, let reason):
            "\(path) cannot be read (\(reason)): check path and access rights"
        case .noPEMBlock(let labels):
            "no block \(labels.joined(separator: " or ")) in the PEM text: "
                + "give a PEM or DER file without encryption"
        case .doesNotFit(let bytes, let limit):
            "\(bytes) bytes do not fit into the card's file of \(limit) bytes: "
                + "shorten the content or enlarge the file"
        case .invalidArgument(let rule): rule
        case .openSSL(let error): error.description
        }
    }
}

/// What OpenSSL's error queue said about a failed operation.
public struct OpenSSLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was attempted: "reading a certificate".
    public let operation: String
    /// OpenSSL's reasons, oldest first; empty when it gave none.
    public let reasons: [String]

    /// A sentence for a person.
    public var description: String {
        reasons.isEmpty
            ? "OpenSSL failed at \(operation)"
            : "OpenSSL failed at \(operation): \(reasons.joined(separator: "; "))"
    }

    /// Takes everything out of this thread's error queue (ERR_get_error).
    init(draining operation: String) {
        var reasons: [String] = []
        while case let code = ERR_get_error(), code != 0 {
            // 256 bytes is what ERR_error_string_n's manual page asks for.
            var text = [CChar](repeating: 0, count: 256)
            ERR_error_string_n(code, &text, text.count)
            reasons.append(
                String(
                    decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)),
                    as: UTF8.self
                )
            )
        }
        self.operation = operation
        self.reasons = reasons
    }
}

extension CardError {
    /// The failure that OpenSSL's error queue describes.
    static func openSSL(failedAt operation: String) -> CardError {
        .openSSL(OpenSSLError(draining: operation))
    }
}
