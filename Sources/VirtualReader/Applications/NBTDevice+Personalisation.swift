import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// PERSONALIZE DATA (facts/nbt.md, 2.7): works until it is finalised.
extension NBTDevice {
    mutating func personalizeData(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.parameters == 0 else { throw .wrongParameters }
        guard !command.isExtended, !command.data.isEmpty else { throw .wrongLength }
        guard !isFinalised else { throw .conditionsOfUse }
        guard command.le == nil else { throw .wrongData }
        let item = try NBTDataItem(command.data)
        switch item.tag {
        case 0xA001:
            guard item.value.count == 16 else { throw .wrongData }
            linkKey = item.value
        case 0xA002: try storeKey(item.value)
        case 0xA003:
            guard item.value.count == 9 else { throw .wrongData }
            try storePassword(item.value)
        case 0xE1AF: policies = try Self.wholePolicy(item.value)
        case 0xBF63:
            guard item.value.isEmpty else { throw .wrongData }
            isFinalised = true
        default:
            guard let file = File(rawValue: item.tag), file != .capabilityContainer else {
                throw .referencedDataNotFound
            }
            try storeContent(item.value, in: file)
        }
        return Data()
    }

    private mutating func storeKey(_ scalar: Data) throws(Refusal) {
        guard settings.variant == .nbt2000 else { throw .conditionsOfUse }
        do {
            key = try SigningKey(p256Scalar: scalar)
        } catch {
            throw .wrongData
        }
    }

    /// Offset (2 bytes) and content.
    private mutating func storeContent(_ value: Data, in file: File) throws(Refusal) {
        var reader = ByteReader(value)
        guard let offset = try? reader.uint16(),
            write(reader.rest(), to: file, at: Int(offset))
        else { throw .wrongData }
    }

    /// All seven entries; each file once.
    private static func wholePolicy(
        _ bytes: Data
    ) throws(Refusal) -> NBTApplication.AccessPolicies {
        var reader = ByteReader(bytes)
        var policies: [File: NBTApplication.AccessPolicy] = [:]
        while !reader.isAtEnd {
            guard let bytes = try? reader.bytes(NBTAccessEntry.length),
                let entry = NBTAccessEntry(bytes),
                policies.updateValue(entry.policy, forKey: entry.file) == nil
            else { throw .wrongData }
        }
        guard policies.count == File.allCases.count else { throw .wrongData }
        return NBTApplication.AccessPolicies(policies)
    }
}

/// One data item of PERSONALIZE DATA and of the configurator: tag (2), length (1, or FF and 2), value.
struct NBTDataItem {
    let tag: UInt16
    let value: Data

    /// Parses exactly one item; 6A80 for anything else.
    init(_ bytes: Data) throws(Refusal) {
        var reader = ByteReader(bytes)
        do throws(EndOfBytes) {
            tag = try reader.uint16()
            let first = try reader.byte()
            let length = first == 0xFF ? Int(try reader.uint16()) : Int(first)
            value = try reader.bytes(length)
        } catch {
            throw .wrongData
        }
        guard reader.isAtEnd else { throw .wrongData }
    }

    init(tag: UInt16, value: Data) {
        self.tag = tag
        self.value = value
    }

    var bytes: Data {
        let length =
            value.count < 0xFF
            ? [UInt8(value.count)] : [0xFF, UInt8(value.count >> 8), UInt8(value.count & 0xFF)]
        return Data([UInt8(tag >> 8), UInt8(tag & 0xFF)] + length) + value
    }
}
