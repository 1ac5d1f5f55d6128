public import APDU
import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The commands of the configurator application (facts/nbt.md, 2.6).
///
/// Each selects the configurator if it is not known to be selected. Afterwards the operational
/// commands must select their application again; `selectApplicationIfNeeded` knows that.
public struct NbtCommandSetConfig: Sendable {
    /// The operational commands of the same tag; both know what is selected.
    public let operational: NbtCommandSet
    private let builder = NbtCommandBuilderConfig()

    /// Uses the tag of an operational command set.
    public init(_ operational: NbtCommandSet) { self.operational = operational }

    /// Uses a tag that nothing else uses.
    public init(channel: ApduChannel) { self.init(NbtCommandSet(channel: channel)) }

    /// Selects the configurator application.
    ///
    /// - Throws: `NbtError.status`, with 6A82 if the tag has no configurator.
    public func selectConfiguratorApplication() async throws {
        try await operational.select(
            .selectConfigurator,
            aid: NbtConstants.configuratorAid,
            try builder.selectConfiguratorApplication()
        )
    }

    /// Sets a value.
    ///
    /// - Parameters:
    ///   - tag: what to set.
    ///   - data: the value's bytes.
    ///   - irrevocably: must be true for a value that cannot be taken back: see
    ///     `ConfigurationTag.consequence(of:)`.
    /// - Throws: `NbtError.invalidArgument` for a value that the tag does not take, `needsConsent`,
    ///   `status` with 6985 if the life cycle is operational.
    public func setConfigData(
        tag: ConfigurationTag,
        data: Data,
        irrevocably: Bool = false
    ) async throws {
        let command = try builder.setConfigData(tag: tag, data: data)
        if let consequence = tag.consequence(of: data), !irrevocably {
            throw NbtError.needsConsent(.setConfiguration, consequence)
        }
        try await selectIfNeeded()
        try await operational.send(.setConfiguration, command)
    }

    /// Reads a value's bytes.
    ///
    /// - Throws: `NbtError.status`; `malformedAnswer` unless the answer is one value of this tag,
    ///   with the right length where it is known.
    public func getConfigDataBytes(tag: ConfigurationTag) async throws -> Data {
        try await selectIfNeeded()
        let answer = try await operational.send(
            .getConfiguration,
            try builder.getConfigData(tag: tag)
        )
        return try Self.value(of: tag, in: answer)
    }

    /// Sets a value of a known type.
    ///
    /// - Throws: as `setConfigData(tag:data:irrevocably:)`.
    public func set<Value: ConfigurationValue>(
        _ value: Value,
        irrevocably: Bool = false
    ) async throws {
        try await setConfigData(tag: Value.tag, data: value.encoded, irrevocably: irrevocably)
    }

    /// Reads a value of a known type.
    ///
    /// - Throws: as `getConfigDataBytes(tag:)`, and `malformedAnswer` for an unlisted value.
    public func get<Value: ConfigurationValue>(_ type: Value.Type) async throws -> Value {
        try Value(encoded: try await getConfigDataBytes(tag: Value.tag))
    }

    private func selectIfNeeded() async throws {
        guard await operational.selectedApplication != NbtConstants.configuratorAid else { return }
        try await selectConfiguratorApplication()
    }

    /// Takes the value out of an answer, which repeats the tag.
    static func value(of tag: ConfigurationTag, in answer: Data) throws(NbtError) -> Data {
        let objects: [DgiTlv]
        do throws(NbtError) {
            objects = try DgiTlv.parse(answer)
        } catch {
            throw .malformedAnswer(.getConfiguration, "\(error)")
        }
        guard let object = objects.first, objects.count == 1, object.tag == tag.rawValue else {
            throw .malformedAnswer(.getConfiguration, "it is not the one value of \(tag)")
        }
        guard tag.valueLength == nil || tag.valueLength == object.value.count else {
            throw .malformedAnswer(
                .getConfiguration,
                "\(tag) has a value of \(object.value.count) bytes"
            )
        }
        return object.value
    }
}
