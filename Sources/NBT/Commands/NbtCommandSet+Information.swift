import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// GET DATA (facts/nbt.md, 2.6).
///
/// The application must be selected.
extension NbtCommandSet {
    /// Reads what GET DATA answers for a tag, with its template.
    ///
    /// - Throws: `NbtError.status`, with 6A86 for a tag that the chip does not tell.
    public func getData(tag: UInt16) async throws -> Data {
        try await send(.getData, try builder.getData(tag: tag))
    }

    /// Reads the version of the chip's application.
    ///
    /// - Throws: `NbtError.status`, `malformedAnswer`.
    public func getDataAppletVersion() async throws -> AppletVersion {
        try AppletVersion(data: try await getData(tag: NbtConstants.tagAppletVersion))
    }

    /// Reads how much memory is free.
    ///
    /// - Throws: `NbtError.status`, `malformedAnswer`.
    public func getDataAvailableMemory() async throws -> AvailableMemory {
        try AvailableMemory(data: try await getData(tag: NbtConstants.tagAvailableMemory))
    }
}

/// The version of the chip's application.
public struct AppletVersion: Sendable, Hashable {
    /// The version's first number.
    public let major: UInt8
    /// The version's second number.
    public let minor: UInt8
    /// The number of the build.
    public let build: UInt16

    /// Reads the answer of GET DATA: `6F07 DF3A04 major minor build(2)`.
    ///
    /// - Throws: `NbtError.malformedAnswer` for anything else, also for another tag.
    public init(data: Data) throws(NbtError) {
        let value = try templateValue(of: data, tag: NbtConstants.tagAppletVersion)
        var reader = ByteReader(value)
        guard value.count == 4, let major = try? reader.byte(), let minor = try? reader.byte(),
            let build = try? reader.uint16()
        else {
            throw .malformedAnswer(.getData, "a version has 4 bytes, not \(value.count)")
        }
        self.major = major
        self.minor = minor
        self.build = build
    }
}

extension AppletVersion: CustomStringConvertible {
    /// "1.2 build 3".
    public var description: String { "\(major).\(minor) build \(build)" }
}

/// The free memory of the chip, in bytes.
public struct AvailableMemory: Sendable, Hashable {
    /// Memory that keeps its content.
    public let nvm: Int
    /// Transient memory that is cleared on reset.
    public let transientCor: Int
    /// Transient memory that is cleared on deselection.
    public let transientCod: Int

    /// Reads the answer of GET DATA: `6F0F DF3B0C C602 n n C702 n n C802 n n`.
    ///
    /// - Throws: `NbtError.malformedAnswer` for anything else.
    public init(data: Data) throws(NbtError) {
        let value = try templateValue(of: data, tag: NbtConstants.tagAvailableMemory)
        let objects = try inAnswer { () throws(NbtError) in try Tlv.parse(value) }
        nvm = try Self.size(0xC6, in: objects)
        transientCor = try Self.size(0xC7, in: objects)
        transientCod = try Self.size(0xC8, in: objects)
    }

    private static func size(_ tag: UInt32, in objects: [Tlv]) throws(NbtError) -> Int {
        guard let value = objects.first(where: { $0.tag == tag })?.value, value.count == 2 else {
            throw .malformedAnswer(.getData, "a size of free memory is missing")
        }
        return value.reduce(0) { $0 << 8 | Int($1) }
    }
}

/// The value of the one data object inside the template 6F.
private func templateValue(of data: Data, tag: UInt16) throws(NbtError) -> Data {
    try inAnswer { () throws(NbtError) in
        guard let template = try Tlv.parse(data).first, template.tag == 0x6F,
            let object = try Tlv.parse(template.value).first, object.tag == UInt32(tag)
        else {
            throw .malformedAnswer(.getData, "there is no data object \(tag.hex.uppercased())")
        }
        return object.value
    }
}

/// Malformed data objects in an answer are the answer's fault.
private func inAnswer<Value>(_ body: () throws(NbtError) -> Value) throws(NbtError) -> Value {
    do throws(NbtError) {
        return try body()
    } catch {
        if case .malformedTlv = error { throw .malformedAnswer(.getData, "\(error)") }
        throw error
    }
}
