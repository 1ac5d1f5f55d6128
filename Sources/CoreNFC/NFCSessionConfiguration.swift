import Bytes
import Foundation
public import NFCReader
import Synchronization

/// What a session takes on an iPhone from Info.plist, from its entitlements and from the system.
///
/// Not part of Apple's API: this is the one place in which a Linux program says what iOS knows of an app. A session
/// uses, in this order:
///
/// 1. the configuration given to its initialiser;
/// 2. `NFCSessionConfiguration.shared`, if it has been set;
/// 3. what `load(infoPlist:environment:)` finds: `Info.plist` beside the program, then the environment, then Apple's
///    defaults.
///
/// An app that is moved from iOS can leave its code alone and put its `Info.plist` beside the program. To change one
/// value in code, change a copy:
///
///     var configuration = try NFCSessionConfiguration.load()
///     configuration.sessionTimeLimit = nil
///     NFCSessionConfiguration.shared = configuration
public struct NFCSessionConfiguration: Sendable {
    /// The libnfc connection string of the reader, such as `pn532_uart:/dev/ttyUSB0`; nil for the one that is found
    /// as the command line finds it: `LIBNFC_DEVICE`, libnfc's configuration, else the only USB reader.
    public var reader: String?

    /// The applications a session looks for on ISO 14443-4 tags, as hexadecimal strings of 5 to 16 bytes, in the
    /// order in which they are tried.
    ///
    /// Entries that are not such strings are passed over.
    ///
    /// Info.plist: `com.apple.developer.nfc.readersession.iso7816.select-identifiers`.
    public var iso7816SelectIdentifiers: [String] = []

    /// The FeliCa systems a session looks for, as four hexadecimal digits each, none of the bytes `FF`.
    ///
    /// Info.plist: `com.apple.developer.nfc.readersession.felica.systemcodes`.
    public var feliCaSystemCodes: [String] = []

    /// How long a session may last from `begin()`; nil for as long as it likes.
    ///
    /// Apple's limit is 60 seconds.
    public var sessionTimeLimit: Duration? = .seconds(60)

    /// How long a tag may stay connected; nil for as long as it likes.
    ///
    /// On iPhones about 20 seconds (facts/corenfc.md, 2.4).
    public var tagTimeLimit: Duration? = .seconds(20)

    /// The time from the start of one look for tags to the start of the next.
    public var pollPeriod: Duration = .milliseconds(100)

    /// Where alert messages are shown.
    public var presenter: any NFCSessionPresenter = .terminal

    /// Whether an ISO 14443-4 tag is also reported when none of the listed applications is found on it, as
    /// `.iso7816` with an empty `initialSelectedAID`, and whether any application may be selected.
    ///
    /// An iPhone does neither.
    public var allowsUnlistedApplications = false

    /// Whether the session may run beside others, each on its own reader.
    ///
    /// An iPhone has one session at a time; a second one ends with `readerSessionInvalidationErrorSystemIsBusy`.
    public var allowsOtherSessions = false

    /// What may be done to bring back a reader that fails while the session looks for tags; nil, as on an iPhone, to end
    /// the session with `readerSessionInvalidationErrorSessionTerminatedUnexpectedly`.
    ///
    /// For unattended use, together with time limits of nil. A tag that is connected when its reader fails is lost; the
    /// reader is recovered when polling restarts. The delegate is told if it is a `NFCReaderSessionRecoveryDelegate`.
    public var recovery: RecoveryPolicy?

    /// What the time limits are measured with.
    package var clock: MonotonicClock = .continuous

    /// The place that sessions contend for.
    package var slot: SessionSlot = .process

    /// Apple's defaults: no application listed, 60 and 20 seconds, one session at a time.
    public init() {}

    private static let sharedValue = Mutex<NFCSessionConfiguration?>(nil)

    /// The configuration of all sessions of this process that are not given their own; nil, as it is at first, for
    /// what Info.plist and the environment say.
    ///
    /// A session looks at it when it is created.
    public static var shared: NFCSessionConfiguration? {
        get { sharedValue.withLock { $0 } }
        set { sharedValue.withLock { $0 = newValue } }
    }

    /// The configuration of a session that is not given its own.
    static var current: Result<NFCSessionConfiguration, NFCSessionConfigurationError> {
        if let shared { return .success(shared) }
        do throws(NFCSessionConfigurationError) {
            return .success(try load())
        } catch {
            return .failure(error)
        }
    }
}

extension NFCSessionConfiguration {
    /// The entries of `iso7816SelectIdentifiers` that can be sent to a tag, as they are written.
    package var validSelectIdentifiers: [String] {
        iso7816SelectIdentifiers.filter { (5...16).contains(Data(hex: $0)?.count ?? 0) }
    }

    /// The entries of `feliCaSystemCodes` that can be polled for, without wildcard bytes.
    package var validSystemCodes: [UInt16] {
        feliCaSystemCodes.compactMap(UInt16.init(systemCode:))
    }
}

extension UInt16 {
    /// The FeliCa system code that four hexadecimal digits spell; nil for others, and for wildcards.
    init?(systemCode text: String) {
        guard text.utf8.count == 4, let bytes = Data(hex: text), bytes.count == 2,
            !bytes.contains(0xFF)
        else { return nil }
        self = bytes.reduce(0) { $0 << 8 | UInt16($1) }
    }
}
