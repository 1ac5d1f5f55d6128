public import APDU

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Builds the commands of the configurator application (facts/nbt.md, 2.6).
public struct NbtCommandBuilderConfig: Sendable {
    /// A builder has no state.
    public init() {}

    /// SELECT of the configurator application.
    ///
    /// - Throws: nothing for these fixed bytes.
    public func selectConfiguratorApplication() throws(NbtError) -> CommandAPDU {
        try command(
            .selectConfigurator,
            ins: 0xA4,
            p1: 0x04,
            data: NbtConstants.configuratorAid,
            expectedLength: NbtConstants.maxLe
        )
    }

    /// SET CONFIGURATION, extended where the value needs it (C052).
    ///
    /// - Throws: `NbtError.invalidArgument` for a value that the tag does not take: see
    ///   `ConfigurationTag.problem(with:)`.
    public func setConfigData(tag: ConfigurationTag, data: Data) throws(NbtError) -> CommandAPDU {
        if let problem = tag.problem(with: data) {
            throw .invalidArgument(.setConfiguration, problem)
        }
        return try command(
            .setConfiguration,
            cla: 0x20,
            ins: 0x20,
            data: try DgiTlv(tag: tag.rawValue, value: data).encoded()
        )
    }

    /// GET CONFIGURATION, without Le as Infineon's libraries send it; only an answer of more than
    /// 256 bytes (C052) asks with an extended one.
    ///
    /// - Throws: nothing: every tag can be sent.
    public func getConfigData(tag: ConfigurationTag) throws(NbtError) -> CommandAPDU {
        let length = (tag.valueLength ?? 0) + 5
        return try command(
            .getConfiguration,
            cla: 0x20,
            ins: 0x30,
            data: tag.rawValue.bigEndianBytes,
            expectedLength: length > NbtConstants.maxLe ? length : nil
        )
    }
}
