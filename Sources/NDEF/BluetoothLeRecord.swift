import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How to pair with a Bluetooth LE device: the media type application/vnd.bluetooth.le.oob (Bluetooth Secure Simple Pairing
/// Using NFC 1.3, 4.3; facts/nbt.md, 6.4).
///
/// The payload is AD structures, those with address and role among them.
public struct BluetoothLeRecord: Sendable, Hashable {
    /// The record type.
    public static let type = "application/vnd.bluetooth.le.oob"

    /// What kind of address the device has.
    public enum AddressType: UInt8, Sendable, CaseIterable {
        /// Registered with the IEEE.
        case `public` = 0
        /// Chosen by the device.
        case random = 1
    }

    /// Which ends of a connection the device can be.
    public enum Role: UInt8, Sendable, CaseIterable {
        /// Peripheral only.
        case peripheralOnly = 0
        /// Central only.
        case centralOnly = 1
        /// Both, rather peripheral.
        case peripheralPreferred = 2
        /// Both, rather central.
        case centralPreferred = 3
    }

    /// The address of the device.
    public let address: BluetoothAddress
    /// What kind of address it is.
    public let addressType: AddressType
    /// Which ends of a connection the device can be.
    public let role: Role
    /// All that it says of itself, address and role included, in the order of the record.
    public let data: [BluetoothData]

    /// Makes a record: address, role, and what else there is.
    ///
    /// - Throws: `malformedPayload` when `others` has an address or a role too.
    public init(
        address: BluetoothAddress,
        addressType: AddressType,
        role: Role,
        others: [BluetoothData] = []
    ) throws(NDEFError) {
        try self.init(
            data: [
                try BluetoothData(
                    .leDeviceAddress,
                    address.littleEndian + [addressType.rawValue]
                ),
                try BluetoothData(.leRole, Data([role.rawValue])),
            ] + others
        )
    }

    /// Decodes a record.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` when a structure is cut, address or role are missing, there twice or
    ///   have a wrong length or a reserved value.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.isMedia(Self.type) else { throw .unexpectedType(expected: Self.type) }
        var reader = ByteReader(record.payload)
        try self.init(data: try BluetoothData.decode(&reader, in: Self.type))
    }

    private init(data: [BluetoothData]) throws(NDEFError) {
        func only(_ type: BluetoothDataType, _ name: String) throws(NDEFError) -> Data {
            let found = data.filter { $0.type == type }
            guard let only = found.first?.data, found.count == 1 else {
                throw Self.malformed("it has not exactly one \(name)")
            }
            return only
        }
        let address = try only(.leDeviceAddress, "address")
        let role = try only(.leRole, "role")
        guard address.count == 7, let bytes = BluetoothAddress(littleEndian: address.prefix(6)),
            let type = address.last.flatMap(AddressType.init(rawValue:))
        else { throw Self.malformed("the address is none") }
        guard role.count == 1, let value = role.first.flatMap(Role.init(rawValue:)) else {
            throw Self.malformed("the role is none")
        }
        self.address = bytes
        addressType = type
        self.role = value
        self.data = data
    }

    /// The record.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            try NDEFRecord(
                typeNameFormat: .media,
                type: Data(Self.type.utf8),
                payload: data.reduce(Data()) { $0 + $1.encoded }
            )
        }
    }

    private static func malformed(_ problem: String) -> NDEFError {
        .malformedPayload(type: type, problem: problem)
    }
}
