import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One entry of the access policy file: who may read and write one file (facts/nbt.md, 1.4).
public struct FileAccessPolicy: Sendable, Hashable {
    /// The size of an entry in bytes.
    public static let length = 6

    /// The file's identifier, such as E104.
    public var fileId: UInt16
    /// Reading through I2C.
    public var i2cRead: AccessCondition
    /// Writing through I2C.
    public var i2cWrite: AccessCondition
    /// Reading through NFC.
    public var nfcRead: AccessCondition
    /// Writing through NFC.
    public var nfcWrite: AccessCondition

    /// Puts an entry together.
    public init(
        fileId: UInt16,
        i2cRead: AccessCondition,
        i2cWrite: AccessCondition,
        nfcRead: AccessCondition,
        nfcWrite: AccessCondition
    ) {
        self.fileId = fileId
        self.i2cRead = i2cRead
        self.i2cWrite = i2cWrite
        self.nfcRead = nfcRead
        self.nfcWrite = nfcWrite
    }

    /// Reads an entry from its 6 bytes.
    ///
    /// - Throws: `NbtError.malformedPolicy` for another length or an undefined condition.
    public init(encoded: Data) throws(NbtError) {
        guard encoded.count == Self.length else {
            throw .malformedPolicy("an entry has 6 bytes, not \(encoded.count)")
        }
        let bytes = [UInt8](encoded)
        fileId = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        i2cRead = try AccessCondition(byte: bytes[2])
        i2cWrite = try AccessCondition(byte: bytes[3])
        nfcRead = try AccessCondition(byte: bytes[4])
        nfcWrite = try AccessCondition(byte: bytes[5])
    }

    /// The 6 bytes: file identifier, and the conditions in the order of the properties.
    public var encoded: Data { fileId.bigEndianBytes + accessBytes }

    /// The 4 condition bytes alone.
    public var accessBytes: Data {
        Data([i2cRead.byte, i2cWrite.byte, nfcRead.byte, nfcWrite.byte])
    }

    /// The passwords that the entry names.
    public var passwordIds: Set<PasswordId> {
        Set([i2cRead, i2cWrite, nfcRead, nfcWrite].compactMap(\.passwordId))
    }
}

extension FileAccessPolicy: CustomStringConvertible {
    /// The file and its conditions in words.
    public var description: String {
        let file = NbtFile(rawValue: fileId).map { "\($0)" } ?? "file \(fileId.hex.uppercased())"
        return "\(file): NFC read \(nfcRead), NFC write \(nfcWrite), "
            + "I2C read \(i2cRead), I2C write \(i2cWrite)"
    }
}
