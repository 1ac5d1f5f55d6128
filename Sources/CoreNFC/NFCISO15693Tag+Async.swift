public import Foundation

/// The async forms, by the ones with a completion handler.
extension NFCISO15693Tag {
    /// Sends a custom command, as iOS 11 did.
    public func sendCustomCommand(commandConfiguration: NFCISO15693CustomCommandConfiguration)
        async throws -> Data
    {
        try await withCheckedThrowingContinuation { continuation in
            sendCustomCommand(commandConfiguration: commandConfiguration) {
                continuation.finish($1, $0)
            }
        }
    }

    /// Reads blocks, as iOS 11 did.
    public func readMultipleBlock(readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration)
        async throws -> Data
    {
        try await withCheckedThrowingContinuation { continuation in
            readMultipleBlock(readConfiguration: readConfiguration) { continuation.finish($1, $0) }
        }
    }

    /// Stay Quiet (02).
    public func stayQuiet() async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            stayQuiet() { continuation.finish($0, ()) }
        }
    }

    /// Read Single Block (20).
    public func readSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8)
        async throws -> Data
    {
        try await withCheckedThrowingContinuation { continuation in
            readSingleBlock(requestFlags: flags, blockNumber: blockNumber) {
                continuation.finish($1, $0)
            }
        }
    }

    /// Write Single Block (21).
    public func writeSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: UInt8,
        dataBlock: Data
    ) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            writeSingleBlock(requestFlags: flags, blockNumber: blockNumber, dataBlock: dataBlock) {
                continuation.finish($0, ())
            }
        }
    }

    /// Lock Block (22).
    public func lockBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8)
        async throws
    {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            lockBlock(requestFlags: flags, blockNumber: blockNumber) { continuation.finish($0, ()) }
        }
    }

    /// Read Multiple Blocks (23).
    public func readMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange)
        async throws -> [Data]
    {
        try await withCheckedThrowingContinuation { continuation in
            readMultipleBlocks(requestFlags: flags, blockRange: blockRange) {
                continuation.finish($1, $0)
            }
        }
    }

    /// Write Multiple Blocks (24).
    public func writeMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        dataBlocks: [Data]
    ) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            writeMultipleBlocks(requestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks)
            { continuation.finish($0, ()) }
        }
    }

    /// Select (25).
    public func select(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            select(requestFlags: flags) { continuation.finish($0, ()) }
        }
    }

    /// Reset To Ready (26).
    public func resetToReady(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            resetToReady(requestFlags: flags) { continuation.finish($0, ()) }
        }
    }

    /// Write AFI (27).
    public func writeAFI(requestFlags flags: NFCISO15693RequestFlag, afi: UInt8) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            writeAFI(requestFlags: flags, afi: afi) { continuation.finish($0, ()) }
        }
    }

    /// Lock AFI (28).
    public func lockAFI(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            lockAFI(requestFlags: flags) { continuation.finish($0, ()) }
        }
    }

    /// Write DSFID (29).
    public func writeDSFID(requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            writeDSFID(requestFlags: flags, dsfid: dsfid) { continuation.finish($0, ()) }
        }
    }

    /// Lock DSFID (2A), under its misspelt name.
    @available(*, deprecated, renamed: "lockDSFID(requestFlags:)")
    public func lockDFSID(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            lockDFSID(requestFlags: flags) { continuation.finish($0, ()) }
        }
    }

    /// Lock DSFID (2A).
    public func lockDSFID(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            lockDSFID(requestFlags: flags) { continuation.finish($0, ()) }
        }
    }

    /// Get System Information (2B): DSFID, AFI, block size, number of blocks, IC reference.
    @available(*, deprecated)
    public func getSystemInfo(requestFlags flags: NFCISO15693RequestFlag) async throws -> (
        Int, Int, Int, Int, Int
    ) {
        try await withCheckedThrowingContinuation { continuation in
            getSystemInfo(requestFlags: flags) { continuation.finish($5, ($0, $1, $2, $3, $4)) }
        }
    }

    /// Get Multiple Block Security Status (2C).
    public func getMultipleBlockSecurityStatus(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange
    ) async throws -> [NSNumber] {
        try await withCheckedThrowingContinuation { continuation in
            getMultipleBlockSecurityStatus(requestFlags: flags, blockRange: blockRange) {
                continuation.finish($1, $0)
            }
        }
    }

    /// Fast Read Multiple Blocks (2D).
    public func fastReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange
    ) async throws -> [Data] {
        try await withCheckedThrowingContinuation { continuation in
            __fastReadMultipleBlocks(with: flags, blockRange: blockRange) {
                continuation.finish($1, $0)
            }
        }
    }

    /// A custom command (A0 to DF).
    public func customCommand(
        requestFlags flags: NFCISO15693RequestFlag,
        customCommandCode: Int,
        customRequestParameters: Data
    ) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            customCommand(
                requestFlags: flags,
                customCommandCode: customCommandCode,
                customRequestParameters: customRequestParameters
            ) { continuation.finish($1, $0) }
        }
    }

    /// Extended Read Single Block (30).
    public func extendedReadSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: Int
    ) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            extendedReadSingleBlock(requestFlags: flags, blockNumber: blockNumber) {
                continuation.finish($1, $0)
            }
        }
    }

    /// Extended Write Single Block (31).
    public func extendedWriteSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: Int,
        dataBlock: Data
    ) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            extendedWriteSingleBlock(
                requestFlags: flags,
                blockNumber: blockNumber,
                dataBlock: dataBlock
            ) { continuation.finish($0, ()) }
        }
    }

    /// Extended Lock Block (32).
    public func extendedLockBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int)
        async throws
    {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            extendedLockBlock(requestFlags: flags, blockNumber: blockNumber) {
                continuation.finish($0, ())
            }
        }
    }

    /// Extended Read Multiple Blocks (33).
    public func extendedReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange
    ) async throws -> [Data] {
        try await withCheckedThrowingContinuation { continuation in
            extendedReadMultipleBlocks(requestFlags: flags, blockRange: blockRange) {
                continuation.finish($1, $0)
            }
        }
    }

    /// Extended Write Multiple Blocks (34).
    public func extendedWriteMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        dataBlocks: [Data]
    ) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            __extendedWriteMultipleBlocks(
                withRequestFlags: flags,
                blockRange: blockRange,
                dataBlocks: dataBlocks
            ) { continuation.finish($0, ()) }
        }
    }

    /// Authenticate (35).
    public func authenticate(
        requestFlags flags: NFCISO15693RequestFlag,
        cryptoSuiteIdentifier: Int,
        message: Data
    ) async throws -> (NFCISO15693ResponseFlag, Data) {
        try await withCheckedThrowingContinuation { continuation in
            __authenticate(
                withRequestFlags: flags,
                cryptoSuiteIdentifier: cryptoSuiteIdentifier,
                message: message
            ) { continuation.finish($2, ($0, $1)) }
        }
    }

    /// Key Update (36).
    public func keyUpdate(
        requestFlags flags: NFCISO15693RequestFlag,
        keyIdentifier: Int,
        message: Data
    ) async throws -> (NFCISO15693ResponseFlag, Data) {
        try await withCheckedThrowingContinuation { continuation in
            __keyUpdate(withRequestFlags: flags, keyIdentifier: keyIdentifier, message: message) {
                continuation.finish($2, ($0, $1))
            }
        }
    }

    /// Challenge (39).
    public func challenge(
        requestFlags flags: NFCISO15693RequestFlag,
        cryptoSuiteIdentifier: Int,
        message: Data
    ) async throws {
        try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Void, any Error>) in
            __challenge(
                withRequestFlags: flags,
                cryptoSuiteIdentifier: cryptoSuiteIdentifier,
                message: message
            ) { continuation.finish($0, ()) }
        }
    }

    /// Read Buffer (3A).
    public func readBuffer(requestFlags flags: NFCISO15693RequestFlag) async throws -> (
        NFCISO15693ResponseFlag, Data
    ) {
        try await withCheckedThrowingContinuation { continuation in
            __readBuffer(withRequestFlags: flags) { continuation.finish($2, ($0, $1)) }
        }
    }

    /// Extended Get Multiple Block Security Status (3C).
    public func extendedGetMultipleBlockSecurityStatus(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange
    ) async throws -> NFCISO15693MultipleBlockSecurityStatus {
        try await withCheckedThrowingContinuation { continuation in
            __extendedGetMultipleBlockSecurityStatus(with: flags, blockRange: blockRange) {
                continuation.finish(
                    $1,
                    NFCISO15693MultipleBlockSecurityStatus(blockSecurityStatus: $0.map(\.intValue))
                )
            }
        }
    }

    /// Extended Fast Read Multiple Blocks (3D).
    public func extendedFastReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange
    ) async throws -> [Data] {
        try await withCheckedThrowingContinuation { continuation in
            __extendedFastReadMultipleBlocks(with: flags, blockRange: blockRange) {
                continuation.finish($1, $0)
            }
        }
    }

    /// Any request.
    public func sendRequest(requestFlags flags: Int, commandCode: Int, data: Data?) async throws
        -> (NFCISO15693ResponseFlag, Data?)
    {
        try await withCheckedThrowingContinuation { continuation in
            __sendRequest(withFlag: flags, commandCode: commandCode, data: data) {
                continuation.finish($2, ($0, $1))
            }
        }
    }

    /// Get System Information (2B).
    public func systemInfo(
        requestFlags flags: NFCISO15693RequestFlag
    ) async throws -> NFCISO15693SystemInfo {
        try await withCheckedThrowingContinuation { continuation in
            getSystemInfo(requestFlags: flags) { continuation.resume(with: $0) }
        }
    }
}
