import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The CC, which tells a phone what the tag's files are and whether it may use them
/// (facts/nbt.md, 1.5).
///
/// The chip does not keep it in line with the access policies, and the part about the NDEF file
/// cannot be written: trust the status words.
public struct CapabilityContainer: Sendable, Hashable {
    /// Where the part begins that can be written: the control objects of the proprietary files.
    public static let writableOffset = 0x0F

    /// The mapping version, 20 for 2.0.
    public let mappingVersion: UInt8
    /// MLe: the most data bytes that the tag answers.
    public let maximumAnswerData: Int
    /// MLc: the most data bytes that the tag takes.
    public let maximumCommandData: Int
    /// The files with what the CC says about them; the NDEF file comes first.
    public let files: [FileControl]

    /// What the CC says about one file.
    public struct FileControl: Sendable, Hashable {
        /// The file's identifier.
        public let fileId: UInt16
        /// The file's size in bytes.
        public let size: Int
        /// 00: free; FF: closed; 80 to FE: by the maker's own rules.
        public let readAccess: UInt8
        /// 00: free; FF: closed; 80 to FE: by the maker's own rules.
        public let writeAccess: UInt8
    }

    /// Reads the CC; what follows its own length is ignored.
    ///
    /// - Throws: `NbtError.malformedAnswer` for bytes that are no CC.
    public init(encoded: Data) throws(NbtError) {
        var reader = ByteReader(encoded)
        do throws(EndOfBytes) {
            let length = Int(try reader.uint16())
            mappingVersion = try reader.byte()
            maximumAnswerData = Int(try reader.uint16())
            maximumCommandData = Int(try reader.uint16())
            var objects = ByteReader(try reader.bytes(length - 7))
            var files: [FileControl] = []
            while !objects.isAtEnd {
                let tag = try objects.byte()
                let value = try objects.bytes(Int(try objects.byte()))
                // 04: NDEF file control, 05: proprietary file control.
                if tag == 0x04 || tag == 0x05 { files.append(try FileControl(value)) }
            }
            self.files = files
        } catch {
            throw .malformedAnswer(.readBinary, "the capability container is malformed")
        }
    }

    /// The control objects of the four proprietary files, 32 bytes, for these policies.
    ///
    /// A condition for NFC becomes 00 (always), FF (never), or 80 for a password, which is one of
    /// the values for rules of one's own.
    public static func proprietaryControls(for policies: FileAccessPolicies) -> Data {
        NbtFile.proprietary.reduce(into: Data()) { bytes, file in
            bytes += [0x05, 0x06]
            bytes += file.rawValue.bigEndianBytes
            bytes += UInt16(truncatingIfNeeded: file.size).bigEndianBytes
            let policy = policies[file]
            bytes += [accessByte(policy.nfcRead), accessByte(policy.nfcWrite)]
        }
    }

    private static func accessByte(_ condition: AccessCondition) -> UInt8 {
        switch condition {
        case .always: 0x00
        case .never: 0xFF
        case .password: 0x80
        }
    }
}

extension CapabilityContainer.FileControl {
    /// Reads the value of a control object: identifier, size, read and write access.
    fileprivate init(_ value: Data) throws(EndOfBytes) {
        var reader = ByteReader(value)
        fileId = try reader.uint16()
        size = Int(try reader.uint16())
        readAccess = try reader.byte()
        writeAccess = try reader.byte()
    }
}

extension NbtCommandSet {
    /// Reads and decodes the CC; the application must be selected.
    ///
    /// - Parameter readPassword: 4 bytes, or nil if reading is free.
    /// - Returns: what the CC says.
    /// - Throws: `NbtError.status`, `passwordRejected`, `malformedAnswer`.
    public func readCapabilityContainer(
        readPassword: Data? = nil
    ) async throws -> CapabilityContainer {
        try CapabilityContainer(
            encoded: try await readFile(.capabilityContainer, readPassword: readPassword)
        )
    }
}
