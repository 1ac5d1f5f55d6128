public import Foundation

/// The async forms, by the ones with a completion handler.
extension NFCFeliCaTag {
    /// Polls for a system, and returns its PMm and the data asked for.
    public func polling(
        systemCode: Data,
        requestCode: NFCFeliCaPollingRequestCode,
        timeSlot: NFCFeliCaPollingTimeSlot
    ) async throws -> (Data, Data) {
        try await withCheckedThrowingContinuation { continuation in
            polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) {
                continuation.finish($2, ($0, $1))
            }
        }
    }

    /// Asks for the key version of 1 to 32 nodes.
    public func requestService(nodeCodeList: [Data]) async throws -> [Data] {
        try await withCheckedThrowingContinuation { continuation in
            requestService(nodeCodeList: nodeCodeList) { continuation.finish($1, $0) }
        }
    }

    /// Asks for the tag's mode, 0 to 3.
    public func requestResponse() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            requestResponse { continuation.finish($1, $0) }
        }
    }

    /// Reads blocks: status flags and 16 bytes a block.
    public func readWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data]
    ) async throws -> (Int, Int, [Data]) {
        try await withCheckedThrowingContinuation { continuation in
            readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
                continuation.finish($3, ($0, $1, $2))
            }
        }
    }

    /// Writes blocks: status flags.
    public func writeWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data],
        blockData: [Data]
    ) async throws -> (Int, Int) {
        try await withCheckedThrowingContinuation { continuation in
            writeWithoutEncryption(
                serviceCodeList: serviceCodeList,
                blockList: blockList,
                blockData: blockData
            ) {
                continuation.finish($2, ($0, $1))
            }
        }
    }

    /// Asks for the codes of all systems on the tag.
    public func requestSystemCode() async throws -> [Data] {
        try await withCheckedThrowingContinuation { continuation in
            requestSystemCode { continuation.finish($1, $0) }
        }
    }

    /// Asks for the key versions of 1 to 32 nodes.
    public func requestServiceV2(
        nodeCodeList: [Data]
    ) async throws -> (Int, Int, NFCFeliCaEncryptionId, [Data], [Data]) {
        try await withCheckedThrowingContinuation { continuation in
            requestServiceV2(nodeCodeList: nodeCodeList) {
                continuation.finish($5, ($0, $1, $2, $3, $4))
            }
        }
    }

    /// Asks for the version of the tag's system.
    public func requestSpecificationVersion() async throws -> (Int, Int, Data, Data) {
        try await withCheckedThrowingContinuation { continuation in
            requestSpecificationVersion { continuation.finish($4, ($0, $1, $2, $3)) }
        }
    }

    /// Sets the tag back to mode 0: status flags.
    public func resetMode() async throws -> (Int, Int) {
        try await withCheckedThrowingContinuation { continuation in
            resetMode { continuation.finish($2, ($0, $1)) }
        }
    }

    /// Sends a command packet and returns the response packet, both without the length byte.
    public func sendFeliCaCommand(commandPacket: Data) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            sendFeliCaCommand(commandPacket: commandPacket) { continuation.finish($1, $0) }
        }
    }
}
