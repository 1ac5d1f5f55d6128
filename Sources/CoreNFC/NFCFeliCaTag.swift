public import Foundation

/// A FeliCa tag (JIS X 6319-4).
///
/// Apple's protocol of the same name (facts/corenfc.md, 1.6). Each command goes to the system the tag was found with, or to
/// the one that `polling` found last. Node, service and block lists are handed over as they stand in the command,
/// little-endian. Lists of a wrong length give `readerErrorInvalidParameterLength` before anything is sent; a status flag
/// that is not 0 is no error.
///
/// Not `Sendable`, as Apple's is not; the objects that a session hands out may be used from any thread.
public protocol NFCFeliCaTag: NFCNDEFTag, __NFCTag {
    /// The system code the tag was found with, 2 bytes.
    var currentSystemCode: Data { get }
    /// The manufacture identifier of that system, 8 bytes.
    var currentIDm: Data { get }

    /// Polls for a system, and hands over its PMm and the data asked for.
    ///
    /// - Parameters:
    ///   - systemCode: 2 bytes, none of them FF, one of the listed systems; else `readerErrorSecurityViolation`.
    ///   - requestCode: what to ask for.
    ///   - timeSlot: among how many slots tags may choose.
    ///   - completionHandler: called on the session's queue.
    @preconcurrency
    func polling(
        systemCode: Data,
        requestCode: NFCFeliCaPollingRequestCode,
        timeSlot: NFCFeliCaPollingTimeSlot,
        completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void
    )

    /// Polls for a system, and returns its PMm and the data asked for.
    func polling(
        systemCode: Data,
        requestCode: NFCFeliCaPollingRequestCode,
        timeSlot: NFCFeliCaPollingTimeSlot
    ) async throws -> (Data, Data)

    /// Asks for the key version of 1 to 32 nodes, 2 bytes each; FFFF for a node that does not exist.
    @preconcurrency
    func requestService(
        nodeCodeList: [Data],
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    )

    /// Asks for the key version of 1 to 32 nodes.
    func requestService(nodeCodeList: [Data]) async throws -> [Data]

    /// Asks for the tag's mode, 0 to 3.
    @preconcurrency
    func requestResponse(completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void)

    /// Asks for the tag's mode, 0 to 3.
    func requestResponse() async throws -> Int

    /// Reads blocks: status flags and 16 bytes a block, none unless the status is success.
    ///
    /// - Parameters:
    ///   - serviceCodeList: 1 to 16 service codes of 2 bytes.
    ///   - blockList: block list elements of 2 or 3 bytes.
    ///   - completionHandler: called on the session's queue.
    @preconcurrency
    func readWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void
    )

    /// Reads blocks: status flags and 16 bytes a block.
    func readWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data]
    ) async throws -> (Int, Int, [Data])

    /// Writes blocks: status flags.
    ///
    /// - Parameters:
    ///   - serviceCodeList: 1 to 16 service codes of 2 bytes.
    ///   - blockList: block list elements of 2 or 3 bytes.
    ///   - blockData: 16 bytes for each element.
    ///   - completionHandler: called on the session's queue.
    @preconcurrency
    func writeWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data],
        blockData: [Data],
        completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
    )

    /// Writes blocks: status flags.
    func writeWithoutEncryption(
        serviceCodeList: [Data],
        blockList: [Data],
        blockData: [Data]
    ) async throws -> (Int, Int)

    /// Asks for the codes of all systems on the tag, 2 bytes each.
    @preconcurrency
    func requestSystemCode(completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)

    /// Asks for the codes of all systems on the tag.
    func requestSystemCode() async throws -> [Data]

    /// Asks for the key versions of 1 to 32 nodes: status flags, kind of keys, AES and DES versions.
    @preconcurrency
    func requestServiceV2(
        nodeCodeList: [Data],
        completionHandler:
            @escaping @Sendable (
                Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?
            ) -> Void
    )

    /// Asks for the key versions of 1 to 32 nodes.
    func requestServiceV2(
        nodeCodeList: [Data]
    ) async throws -> (Int, Int, NFCFeliCaEncryptionId, [Data], [Data])

    /// Asks for the version of the tag's system: status flags, basic version, option versions.
    @preconcurrency
    func requestSpecificationVersion(
        completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void
    )

    /// Asks for the version of the tag's system.
    func requestSpecificationVersion() async throws -> (Int, Int, Data, Data)

    /// Sets the tag back to mode 0: status flags.
    @preconcurrency
    func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void)

    /// Sets the tag back to mode 0: status flags.
    func resetMode() async throws -> (Int, Int)

    /// Sends a command packet and hands over the response packet, both without the length byte.
    ///
    /// Whether Apple's response has a length byte is not published; it is left out as it is in the command.
    ///
    /// - Parameters:
    ///   - commandPacket: command code and what follows, 1 to 254 bytes.
    ///   - completionHandler: called on the session's queue.
    @preconcurrency
    func sendFeliCaCommand(
        commandPacket: Data,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    )

    /// Sends a command packet and returns the response packet, both without the length byte.
    func sendFeliCaCommand(commandPacket: Data) async throws -> Data
}
