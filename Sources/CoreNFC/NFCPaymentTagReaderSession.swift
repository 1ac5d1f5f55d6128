public import Dispatch

/// A session that finds payment cards.
///
/// Apple's class of the same name (iOS 26; facts/corenfc.md, 1.1). iPhones have it in the European Union only, and refuse the
/// applications of payment cards to every other session. There is no such rule here: this is a session for ISO 14443
/// tags that selects the listed applications, like any `NFCTagReaderSession` with the option `.iso14443`.
///
/// It ends with the codes of a tag session; `readerErrorIneligible` and `readerErrorAccessNotAccepted` do not occur.
open class NFCPaymentTagReaderSession: NFCTagReaderSession, @unchecked Sendable {
    // Unchecked as NFCReaderSession is; adds nothing.

    /// A session that looks for ISO 14443 tags once it is begun.
    ///
    /// - Parameters:
    ///   - delegate: is told what becomes of the session; held weakly.
    ///   - queue: where the delegate and completion handlers are called; nil for a serial queue of the session's own.
    public convenience init(
        delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue? = nil
    ) {
        self.init(
            requested: Configuration(pollingOption: .iso14443),
            delegate: delegate,
            queue: queue,
            configuration: NFCSessionConfiguration.current
        )
    }

    /// A session with a reader, lists and limits of its own.
    ///
    /// Linux only.
    ///
    /// - Parameters:
    ///   - delegate: is told what becomes of the session; held weakly.
    ///   - queue: where the delegate and completion handlers are called; nil for a serial queue of the session's own.
    ///   - sessionConfiguration: used in place of `NFCSessionConfiguration.shared` and what is found around the program.
    public convenience init(
        delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue? = nil,
        sessionConfiguration: NFCSessionConfiguration
    ) {
        self.init(
            requested: Configuration(pollingOption: .iso14443),
            delegate: delegate,
            queue: queue,
            configuration: .success(sessionConfiguration)
        )
    }
}
