public import APDU

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The commands that personalise a chip, until that is finalised (facts/nbt.md, 2.7).
///
/// They are commands of the operational application, which must be selected.
public struct NbtCommandSetPerso: Sendable {
    /// The operational commands of the same tag; both know what is selected.
    public let operational: NbtCommandSet
    private let builder = NbtCommandBuilderPerso()

    /// Uses the tag of an operational command set.
    public init(_ operational: NbtCommandSet) { self.operational = operational }

    /// Uses a tag that nothing else uses.
    public init(channel: ApduChannel) { self.init(NbtCommandSet(channel: channel)) }

    /// Stores one data object.
    ///
    /// - Throws: `NbtError.status`: 6985 if personalisation is finalised, the password exists or
    ///   the chip takes no ECC key, 6A80 for a wrong value; `invalidArgument` above 252 bytes.
    public func personalizeData(dgi: PersonalizeDataDgi, data: Data) async throws {
        let command = try builder.personalizeData(dgi: dgi, data: data)
        try await operational.send(.personalizeData, command)
    }

    /// Stores the AES key of the one-time link token, 16 bytes.
    ///
    /// - Throws: as `personalizeData(dgi:data:)`; `invalidArgument` for another length.
    public func personalizeLinkKey(_ key: Data) async throws {
        try check(key, is: 16, "a link key")
        try await personalizeData(dgi: .a001, data: key)
    }

    /// Stores the private number of AUTHENTICATE TAG, 32 bytes, big-endian.
    ///
    /// The chip does not check that it belongs to the certificate in the NDEF message.
    ///
    /// - Throws: as `personalizeData(dgi:data:)`; `invalidArgument` for another length.
    public func personalizePrivateKey(_ scalar: Data) async throws {
        try check(scalar, is: 32, "a P-256 private key")
        try await personalizeData(dgi: .a002, data: scalar)
    }

    /// Stores a password.
    ///
    /// - Throws: as `personalizeData(dgi:data:)`.
    public func personalizePassword(_ definition: PasswordDefinition) async throws {
        try await personalizeData(dgi: .a003, data: definition.encoded)
    }

    /// Stores a part of a file, whatever its access policy says, in pieces.
    ///
    /// - Parameters:
    ///   - file: the NDEF file or a proprietary file.
    ///   - offset: where the first byte goes.
    ///   - content: the bytes.
    /// - Throws: as `personalizeData(dgi:data:)`; `invalidArgument` for another file or an offset
    ///   beyond 65535.
    public func personalizeFile(
        _ file: NbtFile,
        offset: Int = 0,
        content: Data
    ) async throws {
        guard let dgi = PersonalizeDataDgi(rawValue: file.rawValue), dgi != .e1af else {
            throw NbtError.invalidArgument(
                .personalizeData,
                "the \(file) has no DGI for its content"
            )
        }
        // CLA INS P1 P2 Lc, DGI and length stand before offset and content.
        let limit = operational.channel.channel.maximumCommandLength
        let chunk = min(NbtConstants.maximumDgiLength, limit - 8) - 2
        guard chunk > 0 else { throw NbtError.channelTooSmall(.personalizeData, limit: limit) }
        var rest = content
        while !rest.isEmpty {
            let position = offset + content.count - rest.count
            guard let start = UInt16(exactly: position) else {
                throw NbtError.invalidArgument(
                    .personalizeData,
                    "an offset is 0 to 65535, not \(position)"
                )
            }
            try await personalizeData(dgi: dgi, data: start.bigEndianBytes + rest.prefix(chunk))
            rest = rest.dropFirst(chunk)
        }
    }

    /// Stores the whole access policy.
    ///
    /// - Throws: as `personalizeData(dgi:data:)`.
    public func personalizeFap(_ policies: FileAccessPolicies) async throws {
        try await personalizeData(dgi: .e1af, data: policies.encoded)
    }

    /// Ends personalisation for good.
    ///
    /// - Parameter irrevocably: must be true, so that nobody does it by mistake.
    /// - Throws: `NbtError.needsConsent`; `status` with 6985 if it was ended before.
    public func finalizePersonalization(irrevocably: Bool) async throws {
        guard irrevocably else {
            throw NbtError.needsConsent(
                .personalizeData,
                "it ends personalisation for good: keys can never be stored again"
            )
        }
        try await operational.send(.personalizeData, try builder.finalizePersonalization())
    }

    private func check(_ value: Data, is length: Int, _ what: String) throws(NbtError) {
        guard value.count == length else {
            throw .invalidArgument(
                .personalizeData,
                "\(what) has \(length) bytes, not \(value.count)"
            )
        }
    }
}
