public import Foundation

/// What all reader sessions have in common.
///
/// Apple's protocol of the same name (facts/corenfc.md, 1.1).
public protocol NFCReaderSessionProtocol: NSObjectProtocol {
    /// Whether the session has started and has not ended.
    var isReady: Bool { get }
    /// The text the user sees while the session runs; may be set from any thread until the session ends.
    var alertMessage: String { get set }
    /// Starts the session. Everything that follows is told to the delegate.
    func begin()
    /// Ends the session.
    func invalidate()
    /// Ends the session and shows `errorMessage` to the user.
    func invalidate(errorMessage: String)
}
