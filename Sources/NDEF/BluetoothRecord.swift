import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How to pair with a Bluetooth device (BR/EDR): the media type application/vnd.bluetooth.ep.oob (Bluetooth Secure Simple
/// Pairing Using NFC 1.3, 3.3; facts/nbt.md, 6.4).
///
/// The payload is its own length (two bytes, little-endian), the address, and EIR data.
public struct BluetoothRecord: Sendable, Hashable {
    /// The record type.
    public static let type = "application/vnd.bluetooth.ep.oob"

    /// The address of the device.
    public let address: BluetoothAddress
    /// What else it says of itself, in the order of the record.
    public let data: [BluetoothData]

    /// Makes a record.
    public init(address: BluetoothAddress, data: [BluetoothData] = []) {
        self.address = address
        self.data = data
    }

    /// Decodes a record.
    ///
    /// Bytes beyond the length in it are passed over.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` when the payload or the length in it has no room for an address, the
    ///   length goes beyond the payload, or EIR data is cut.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.isMedia(Self.type) else { throw .unexpectedType(expected: Self.type) }
        var reader = ByteReader(record.payload)
        guard let low = try? reader.byte(), let high = try? reader.byte(),
            case let length = Int(high) << 8 | Int(low), length >= 8,
            let block = try? reader.bytes(length - 2)
        else { throw Self.malformed("its length is wrong") }
        var content = ByteReader(block)
        guard let bytes = try? content.bytes(6), let address = BluetoothAddress(littleEndian: bytes)
        else { throw Self.malformed("it has no address") }
        self.address = address
        data = try BluetoothData.decode(&content, in: Self.type)
    }

    /// The record.
    ///
    /// - Throws: `malformedPayload` when it gets longer than 65535 bytes.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            let content = address.littleEndian + data.reduce(Data()) { $0 + $1.encoded }
            guard let length = UInt16(exactly: content.count + 2) else {
                throw Self.malformed("it is longer than 65535 bytes")
            }
            return try NDEFRecord(
                typeNameFormat: .media,
                type: Data(Self.type.utf8),
                payload: Data([UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]) + content
            )
        }
    }

    private static func malformed(_ problem: String) -> NDEFError {
        .malformedPayload(type: type, problem: problem)
    }
}
