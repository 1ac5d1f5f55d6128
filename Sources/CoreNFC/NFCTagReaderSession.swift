import Bytes
public import Dispatch
import Foundation
import NFCReader

/// A session that finds tags and lets its client speak to them.
///
/// Apple's class of the same name (facts/corenfc.md, 1.1 and 2).
///
/// Which tags are reported, and as what (2.8): an ISO 14443-4 tag of type A or B on which one of the listed applications
/// could be selected, as `.iso7816`; MIFARE tags, and other type A tags without ISO 14443-4, as `.miFare`; a FeliCa tag of a
/// listed system as `.feliCa`. Different from iPhones, MIFARE Classic is reported, as `.miFare` of the family `.unknown`.
/// ISO 14443-4 tags with no listed application that are no MIFARE products are not reported, unless
/// `NFCSessionConfiguration.allowsUnlistedApplications` says so.
///
/// Two type A tags that are in the field together are reported together.
open class NFCTagReaderSession: NFCReaderSession, @unchecked Sendable {
    // Unchecked as NFCReaderSession is; adds constants only.
    private let requested: Configuration

    /// The session that the public initialisers make.
    package init(
        requested: Configuration,
        delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue?,
        configuration: Result<NFCSessionConfiguration, NFCSessionConfigurationError>
    ) {
        self.requested = requested
        super.init(delegate: delegate, queue: queue, configuration: configuration)
    }

    /// A session that looks for the kinds of tags in `pollingOption` once it is begun.
    ///
    /// Never nil: what iOS might refuse here is refused by `begin()` through the delegate.
    ///
    /// - Parameters:
    ///   - pollingOption: the kinds of tags.
    ///   - delegate: is told what becomes of the session; held weakly.
    ///   - queue: where the delegate and completion handlers are called; nil for a serial queue of the session's own.
    public convenience init?(
        pollingOption: PollingOption,
        delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue? = nil
    ) {
        self.init(
            requested: Configuration(pollingOption: pollingOption),
            delegate: delegate,
            queue: queue,
            configuration: NFCSessionConfiguration.current
        )
    }

    /// A session that looks for the tags `configuration` describes once it is begun.
    ///
    /// - Parameters:
    ///   - configuration: kinds of tags, and which of the listed applications and systems to look for.
    ///   - delegate: is told what becomes of the session; held weakly.
    ///   - queue: where the delegate and completion handlers are called; nil for a serial queue of the session's own.
    public convenience init(
        configuration: Configuration,
        delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue? = nil
    ) {
        self.init(
            requested: configuration,
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
    ///   - pollingOption: the kinds of tags.
    ///   - delegate: is told what becomes of the session; held weakly.
    ///   - queue: where the delegate and completion handlers are called; nil for a serial queue of the session's own.
    ///   - sessionConfiguration: used in place of `NFCSessionConfiguration.shared` and what is found around the program.
    public convenience init(
        pollingOption: PollingOption,
        delegate: any NFCTagReaderSessionDelegate,
        queue: DispatchQueue? = nil,
        sessionConfiguration: NFCSessionConfiguration
    ) {
        self.init(
            requested: Configuration(pollingOption: pollingOption),
            delegate: delegate,
            queue: queue,
            configuration: .success(sessionConfiguration)
        )
    }

    /// The tag that is connected; nil when none is.
    open var connectedTag: NFCTag? { connectedReaderTag?.tag }

    /// Lets go of all tags and looks for tags again.
    ///
    /// Tag objects reported so far are dead from now on.
    ///
    /// Without effect while tags are looked for, and on a session that has not started or has ended.
    open func restartPolling() { restartSearch() }

    /// Lets go of all tags and looks for those that `configuration` describes.
    ///
    /// The next `restartPolling()` goes back to what the session was created with.
    open func restartPolling(configuration: Configuration) {
        restartSearch(searchPlan(for: configuration))
    }

    /// Connects a tag that the session has reported; its commands work from then on.
    ///
    /// The tag is known by the payload object, so a rebuilt enum value does as well. Connecting the connected tag again
    /// asks it whether it is still there; a tag without ISO 14443-4 is selected anew for that, so a MIFARE Classic
    /// forgets its authentication. Connecting another tag lets go of the first. The application named by
    /// `initialSelectedAID` is selected afterwards, unless the tag was connected already.
    ///
    /// The handler gets `readerTransceiveErrorTagConnectionLost` when the tag has gone, or was reported before polling
    /// restarted; `readerTransceiveErrorSessionInvalidated` when the session is over; `readerErrorInvalidParameter` for an
    /// object that no session made.
    @preconcurrency
    open func connect(
        to tag: NFCTag,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        connect(object: tag.payload, completionHandler)
    }

    /// Connects a tag, as `connect(to:completionHandler:)` does.
    public func connect(to tag: NFCTag) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            connect(to: tag) { continuation.finish($0, ()) }
        }
    }

    // MARK: What the session asks its kind

    private var tagDelegate: (any NFCTagReaderSessionDelegate)? {
        delegate as? any NFCTagReaderSessionDelegate
    }

    override func didBecomeActive() { tagDelegate?.tagReaderSessionDidBecomeActive(self) }

    override func didDetect(_ tags: [ReaderTag]) {
        tagDelegate?.tagReaderSession(self, didDetect: tags.compactMap(\.tag))
    }

    override func didInvalidate(with error: NFCReaderError) {
        tagDelegate?.tagReaderSession(self, didInvalidateWithError: error)
    }

    override var searchPlan: SearchPlan { searchPlan(for: requested) }

    override var startRefusal: NFCReaderError? {
        if let refusal = super.startRefusal { return refusal }
        let option = requested.pollingOption
        guard !option.isEmpty else { return NFCReaderError(.readerErrorInvalidParameter) }
        guard !option.isDisjoint(with: [.iso14443, .iso18092]) else {
            return NFCReaderError(.readerErrorUnsupportedFeature)
        }
        let lacksApplications =
            option.contains(.iso14443) && !configuration.iso7816SelectIdentifiers.isEmpty
            && configuration.validSelectIdentifiers.isEmpty
        let lacksSystems = option.contains(.iso18092) && configuration.validSystemCodes.isEmpty
        return lacksApplications || lacksSystems
            ? NFCReaderError(.readerErrorSecurityViolation) : nil
    }

    override func allowsSelecting(_ application: Data) -> Bool {
        configuration.allowsUnlistedApplications
            || configuration.validSelectIdentifiers.contains { Data(hex: $0) == application }
    }

    private func searchPlan(for requested: Configuration) -> SearchPlan {
        SearchPlan(
            looksForISO14443: requested.pollingOption.contains(.iso14443),
            systems: requested.pollingOption.contains(.iso18092)
                ? requested.chosenSystemCodes(from: configuration) : [],
            applications: requested.chosenSelectIdentifiers(from: configuration),
            deliversUnlisted: configuration.allowsUnlistedApplications
        )
    }
}
