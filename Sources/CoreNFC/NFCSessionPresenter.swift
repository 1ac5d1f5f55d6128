/// What an iPhone's sheet would show of a session.
public enum NFCSessionPresentation: Sendable, Equatable {
    /// The session has begun, with this alert message, which may be empty.
    case opened(message: String)
    /// The alert message has changed.
    case changed(message: String)
    /// The session has ended; with a text when it ended by `invalidate(errorMessage:)`.
    case closed(errorMessage: String?)
}

/// Where the alert message of a session is shown, in place of an iPhone's sheet.
///
/// Calls come one at a time and in order, on a queue that all presenters share. A presenter that takes long holds
/// up later messages and nothing else.
public protocol NFCSessionPresenter: Sendable {
    /// Shows what has become of a session.
    func present(_ presentation: NFCSessionPresentation)
}

/// Shows nothing.
public struct NFCSilentPresenter: NFCSessionPresenter {
    /// A presenter that shows nothing.
    public init() {}

    /// Does nothing.
    public func present(_ presentation: NFCSessionPresentation) {}
}

/// Hands what is to be shown to a closure.
public struct NFCClosurePresenter: NFCSessionPresenter {
    private let closure: @Sendable (NFCSessionPresentation) -> Void

    /// A presenter that calls `closure`, on a background queue.
    public init(_ closure: @escaping @Sendable (NFCSessionPresentation) -> Void) {
        self.closure = closure
    }

    /// Calls the closure.
    public func present(_ presentation: NFCSessionPresentation) { closure(presentation) }
}

extension NFCSessionPresenter where Self == NFCSilentPresenter {
    /// Shows nothing.
    public static var none: NFCSilentPresenter { NFCSilentPresenter() }
}

extension NFCSessionPresenter where Self == NFCTerminalPresenter {
    /// Writes to standard error when that is a terminal, and nothing otherwise.
    public static var terminal: NFCTerminalPresenter { NFCTerminalPresenter() }
}

extension NFCSessionPresenter where Self == NFCClosurePresenter {
    /// Calls `closure`, on a background queue.
    public static func closure(
        _ closure: @escaping @Sendable (NFCSessionPresentation) -> Void
    ) -> NFCClosurePresenter {
        NFCClosurePresenter(closure)
    }
}
