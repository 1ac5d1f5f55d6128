import Foundation

/// Writes alert messages to standard error, a line each, when standard error is a terminal.
public struct NFCTerminalPresenter: NFCSessionPresenter {
    /// A presenter for the terminal.
    public init() {}

    /// Writes the message as a line; an empty one is left out.
    public func present(_ presentation: NFCSessionPresentation) {
        guard isatty(FileHandle.standardError.fileDescriptor) == 1,
            let line = Self.line(for: presentation)
        else { return }
        // A terminal that has gone away is no reason to disturb the session.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }

    /// The line to show; nil when there is nothing to say.
    package static func line(for presentation: NFCSessionPresentation) -> String? {
        let message: String? =
            switch presentation {
            case .opened(let message), .changed(let message): message
            case .closed(let errorMessage): errorMessage
            }
        guard let message, !message.isEmpty else { return nil }
        // Apps put what they have read from a tag into the message, and a tag must not steer the terminal.
        let visible = message.unicodeScalars.map { scalar in
            scalar.properties.generalCategory == .control ? " " : Character(scalar)
        }
        return String(visible)
    }
}
