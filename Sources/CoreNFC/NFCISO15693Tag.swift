public import Foundation

/// An ISO 15693 tag.
///
/// A PN53x cannot read these tags, so no session delivers one. The protocol is declared because clients that know several
/// kinds of tags name its members (facts/corenfc.md, 1.7 and 4.3). Members that begin with two underscores are those that
/// Apple's module hides behind the forms with a result handler; test doubles implement them.
public protocol NFCISO15693Tag: NFCNDEFTag, __NFCTag {
    /// The UID, most significant byte first, 8 bytes.
    var identifier: Data { get }
    /// The manufacturer's code of ISO 7816-6.
    var icManufacturerCode: Int { get }
    /// The manufacturer's serial number.
    var icSerialNumber: Data { get }

    /// Sends a custom command, as iOS 11 did.
    @preconcurrency
    func sendCustomCommand(
        commandConfiguration: NFCISO15693CustomCommandConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    )

    /// Reads blocks, as iOS 11 did.
    @preconcurrency
    func readMultipleBlock(
        readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    )

    /// Stay Quiet (02).
    @preconcurrency
    func stayQuiet(completionHandler: @escaping @Sendable ((any Error)?) -> Void)

    /// Read Single Block (20).
    @preconcurrency
    func readSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: UInt8,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    )

    /// Write Single Block (21).
    @preconcurrency
    func writeSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: UInt8,
        dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Lock Block (22).
    @preconcurrency
    func lockBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Read Multiple Blocks (23).
    @preconcurrency
    func readMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    )

    /// Write Multiple Blocks (24).
    @preconcurrency
    func writeMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Select (25).
    @preconcurrency
    func select(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Reset To Ready (26).
    @preconcurrency
    func resetToReady(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Write AFI (27).
    @preconcurrency
    func writeAFI(
        requestFlags flags: NFCISO15693RequestFlag,
        afi: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Lock AFI (28).
    @preconcurrency
    func lockAFI(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Write DSFID (29).
    @preconcurrency
    func writeDSFID(
        requestFlags flags: NFCISO15693RequestFlag,
        dsfid: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Lock DSFID (2A), under its misspelt name.
    @available(*, deprecated, renamed: "lockDSFID(requestFlags:completionHandler:)")
    @preconcurrency
    func lockDFSID(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Lock DSFID (2A).
    @preconcurrency
    func lockDSFID(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Get System Information (2B): DSFID, AFI, block size, number of blocks, IC reference.
    @available(*, deprecated)
    @preconcurrency
    func getSystemInfo(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void
    )

    /// Get System Information (2B) with the UID before the rest.
    @preconcurrency
    func __getSystemInfoAndUID(
        with flags: NFCISO15693RequestFlag,
        completionHandler:
            @escaping @Sendable (Data?, Int, Int, Int, Int, Int, (any Error)?) -> Void
    )

    /// Get Multiple Block Security Status (2C).
    @preconcurrency
    func getMultipleBlockSecurityStatus(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
    )

    /// Fast Read Multiple Blocks (2D).
    @preconcurrency
    func __fastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    )

    /// A custom command (A0 to DF).
    @preconcurrency
    func customCommand(
        requestFlags flags: NFCISO15693RequestFlag,
        customCommandCode: Int,
        customRequestParameters: Data,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    )

    /// Extended Read Single Block (30).
    @preconcurrency
    func extendedReadSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: Int,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    )

    /// Extended Write Single Block (31).
    @preconcurrency
    func extendedWriteSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: Int,
        dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Extended Lock Block (32).
    @preconcurrency
    func extendedLockBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: Int,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Extended Read Multiple Blocks (33).
    @preconcurrency
    func extendedReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    )

    /// Extended Write Multiple Blocks (34).
    @preconcurrency
    func __extendedWriteMultipleBlocks(
        withRequestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Authenticate (35).
    @preconcurrency
    func __authenticate(
        withRequestFlags flags: NFCISO15693RequestFlag,
        cryptoSuiteIdentifier: Int,
        message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    )

    /// Key Update (36).
    @preconcurrency
    func __keyUpdate(
        withRequestFlags flags: NFCISO15693RequestFlag,
        keyIdentifier: Int,
        message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    )

    /// Challenge (39).
    @preconcurrency
    func __challenge(
        withRequestFlags flags: NFCISO15693RequestFlag,
        cryptoSuiteIdentifier: Int,
        message: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    )

    /// Read Buffer (3A).
    @preconcurrency
    func __readBuffer(
        withRequestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    )

    /// Extended Get Multiple Block Security Status (3C).
    @preconcurrency
    func __extendedGetMultipleBlockSecurityStatus(
        with flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
    )

    /// Extended Fast Read Multiple Blocks (3D).
    @preconcurrency
    func __extendedFastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    )

    /// Any request.
    @preconcurrency
    func __sendRequest(
        withFlag flags: Int,
        commandCode: Int,
        data: Data?,
        completionHandler:
            @escaping @Sendable (NFCISO15693ResponseFlag, Data?, (any Error)?) -> Void
    )
}
