public import Foundation

/// The forms with a result handler, and those that Apple's module has in place of hidden members.
extension NFCISO15693Tag {
    /// Read Single Block (20).
    @preconcurrency
    public func readSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: UInt8,
        resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        readSingleBlock(requestFlags: flags, blockNumber: blockNumber) {
            resultHandler(result($1, $0))
        }
    }

    /// Read Multiple Blocks (23).
    @preconcurrency
    public func readMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        readMultipleBlocks(requestFlags: flags, blockRange: blockRange) {
            resultHandler(result($1, $0))
        }
    }

    /// Fast Read Multiple Blocks (2D).
    @preconcurrency
    public func fastReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        __fastReadMultipleBlocks(with: flags, blockRange: blockRange) {
            resultHandler(result($1, $0))
        }
    }

    /// A custom command (A0 to DF).
    @preconcurrency
    public func customCommand(
        requestFlags flags: NFCISO15693RequestFlag,
        customCommandCode: Int,
        customRequestParameters: Data,
        resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        customCommand(
            requestFlags: flags,
            customCommandCode: customCommandCode,
            customRequestParameters: customRequestParameters
        ) { resultHandler(result($1, $0)) }
    }

    /// Extended Read Single Block (30).
    @preconcurrency
    public func extendedReadSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag,
        blockNumber: Int,
        resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        extendedReadSingleBlock(requestFlags: flags, blockNumber: blockNumber) {
            resultHandler(result($1, $0))
        }
    }

    /// Authenticate (35).
    @preconcurrency
    public func authenticate(
        requestFlags flags: NFCISO15693RequestFlag,
        cryptoSuiteIdentifier: Int,
        message: Data,
        resultHandler:
            @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void
    ) {
        __authenticate(
            withRequestFlags: flags,
            cryptoSuiteIdentifier: cryptoSuiteIdentifier,
            message: message
        ) { resultHandler(result($2, ($0, $1))) }
    }

    /// Key Update (36).
    @preconcurrency
    public func keyUpdate(
        requestFlags flags: NFCISO15693RequestFlag,
        keyIdentifier: Int,
        message: Data,
        resultHandler:
            @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void
    ) {
        __keyUpdate(withRequestFlags: flags, keyIdentifier: keyIdentifier, message: message) {
            resultHandler(result($2, ($0, $1)))
        }
    }

    /// Read Buffer (3A).
    @preconcurrency
    public func readBuffer(
        requestFlags flags: NFCISO15693RequestFlag,
        resultHandler:
            @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void
    ) {
        __readBuffer(withRequestFlags: flags) { resultHandler(result($2, ($0, $1))) }
    }

    /// Extended Fast Read Multiple Blocks (3D).
    @preconcurrency
    public func extendedFastReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        __extendedFastReadMultipleBlocks(with: flags, blockRange: blockRange) {
            resultHandler(result($1, $0))
        }
    }

    /// Any request.
    @preconcurrency
    public func sendRequest(
        requestFlags flags: Int,
        commandCode: Int,
        data: Data?,
        resultHandler:
            @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data?), any Error>) -> Void
    ) {
        __sendRequest(withFlag: flags, commandCode: commandCode, data: data) {
            resultHandler(result($2, ($0, $1)))
        }
    }

    /// Get System Information (2B).
    @preconcurrency
    public func getSystemInfo(
        requestFlags flags: NFCISO15693RequestFlag,
        resultHandler: @escaping @Sendable (Result<NFCISO15693SystemInfo, any Error>) -> Void
    ) {
        __getSystemInfoAndUID(with: flags) { uid, format, family, size, count, reference, error in
            resultHandler(
                result(
                    error,
                    NFCISO15693SystemInfo(
                        uniqueIdentifier: uid ?? Data(),
                        dataStorageFormatIdentifier: format,
                        applicationFamilyIdentifier: family,
                        blockSize: size,
                        totalBlocks: count,
                        icReference: reference
                    )
                )
            )
        }
    }

    /// Extended Get Multiple Block Security Status (3C).
    @preconcurrency
    public func extendedGetMultipleBlockSecurityStatus(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        resultHandler:
            @escaping @Sendable (
                Result<NFCISO15693MultipleBlockSecurityStatus, any Error>
            ) -> Void
    ) {
        __extendedGetMultipleBlockSecurityStatus(with: flags, blockRange: blockRange) {
            let status = $0.map(\.intValue)
            resultHandler(
                result($1, NFCISO15693MultipleBlockSecurityStatus(blockSecurityStatus: status))
            )
        }
    }

    /// Extended Write Multiple Blocks (34).
    @preconcurrency
    public func extendedWriteMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag,
        blockRange: NSRange,
        dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        __extendedWriteMultipleBlocks(
            withRequestFlags: flags,
            blockRange: blockRange,
            dataBlocks: dataBlocks,
            completionHandler: completionHandler
        )
    }

    /// Challenge (39).
    @preconcurrency
    public func challenge(
        requestFlags flags: NFCISO15693RequestFlag,
        cryptoSuiteIdentifier: Int,
        message: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        __challenge(
            withRequestFlags: flags,
            cryptoSuiteIdentifier: cryptoSuiteIdentifier,
            message: message,
            completionHandler: completionHandler
        )
    }
}
