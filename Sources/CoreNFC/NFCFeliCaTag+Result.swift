public import Foundation

/// The forms with a result handler, by the ones with a completion handler.
extension NFCFeliCaTag {
    /// Polls for a system.
    @preconcurrency
    public func polling(
        systemCode: Data,
        requestCode: NFCFeliCaPollingRequestCode,
        timeSlot: NFCFeliCaPollingTimeSlot,
        resultHandler: @escaping @Sendable (Result<NFCFeliCaPollingResponse, any Error>) -> Void
    ) {
        polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) {
            parameter,
            data,
            error in
            resultHandler(
                result(
                    error,
                    NFCFeliCaPollingResponse(
                        manufactureParameter: parameter,
                        requestData: data.isEmpty ? nil : data
                    )
                )
            )
        }
    }

    /// Asks for the key version of 1 to 32 nodes.
    @preconcurrency
    public func requestService(
        nodeCodeList: [Data],
        resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        requestService(nodeCodeList: nodeCodeList) { resultHandler(result($1, $0)) }
    }

    /// Asks for the tag's mode, 0 to 3.
    @preconcurrency
    public func requestResponse(
        resultHandler: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) {
        requestResponse { resultHandler(result($1, $0)) }
    }

    /// Reads blocks.
    @preconcurrency
    public func readWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data],
        resultHandler:
            @escaping @Sendable (
                Result<(NFCFeliCaStatusFlag, [Data]), any Error>
            ) -> Void
    ) {
        readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
            flag1,
            flag2,
            blocks,
            error in
            let flags = NFCFeliCaStatusFlag(statusFlag1: flag1, statusFlag2: flag2)
            resultHandler(result(error, (flags, blocks)))
        }
    }

    /// Writes blocks.
    @preconcurrency
    public func writeWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data],
        blockData: [Data],
        resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void
    ) {
        writeWithoutEncryption(
            serviceCodeList: serviceCodeList,
            blockList: blockList,
            blockData: blockData
        ) { flag1, flag2, error in
            resultHandler(
                result(error, NFCFeliCaStatusFlag(statusFlag1: flag1, statusFlag2: flag2))
            )
        }
    }

    /// Asks for the codes of all systems on the tag.
    @preconcurrency
    public func requestSystemCode(
        resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        requestSystemCode { resultHandler(result($1, $0)) }
    }

    /// Asks for the key versions of 1 to 32 nodes.
    @preconcurrency
    public func requestServiceV2(
        nodeCodeList: [Data],
        resultHandler:
            @escaping @Sendable (
                Result<NFCFeliCaRequsetServiceV2Response, any Error>
            ) -> Void
    ) {
        requestServiceV2(nodeCodeList: nodeCodeList) { flag1, flag2, keys, aes, des, error in
            resultHandler(
                result(
                    error,
                    NFCFeliCaRequsetServiceV2Response(
                        statusFlag1: flag1,
                        statusFlag2: flag2,
                        encryptionIdentifier: keys,
                        nodeKeyVersionListAES: aes.isEmpty ? nil : aes,
                        nodeKeyVersionListDES: des.isEmpty ? nil : des
                    )
                )
            )
        }
    }

    /// Asks for the version of the tag's system.
    @preconcurrency
    public func requestSpecificationVersion(
        resultHandler:
            @escaping @Sendable (
                Result<NFCFeliCaRequestSpecificationVersionResponse, any Error>
            ) -> Void
    ) {
        requestSpecificationVersion { flag1, flag2, basic, options, error in
            resultHandler(
                result(
                    error,
                    NFCFeliCaRequestSpecificationVersionResponse(
                        statusFlag1: flag1,
                        statusFlag2: flag2,
                        basicVersion: basic.isEmpty ? nil : basic,
                        optionVersion: options.isEmpty ? nil : options
                    )
                )
            )
        }
    }

    /// Sets the tag back to mode 0.
    @preconcurrency
    public func resetMode(
        resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void
    ) {
        resetMode { flag1, flag2, error in
            resultHandler(
                result(error, NFCFeliCaStatusFlag(statusFlag1: flag1, statusFlag2: flag2))
            )
        }
    }

    /// Sends a command packet.
    @preconcurrency
    public func sendFeliCaCommand(
        commandPacket: Data,
        resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        sendFeliCaCommand(commandPacket: commandPacket) { resultHandler(result($1, $0)) }
    }
}
