import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One thing that a Bluetooth device says of itself: an EIR data type or AD structure (Bluetooth Core Specification
/// Supplement; facts/nbt.md, 6.4).
///
/// Numbers in it are little-endian. In a record it stands as length (type included), type, data.
public struct BluetoothData: Sendable, Hashable {
    /// What the data means.
    public let type: BluetoothDataType
    /// The data, at most 254 bytes.
    public let data: Data

    /// Makes a structure.
    ///
    /// - Throws: `malformedPayload` for more than 254 bytes.
    public init(_ type: BluetoothDataType, _ data: Data) throws(NDEFError) {
        guard data.count <= 254 else {
            throw .malformedPayload(
                type: "Bluetooth data \(type.rawValue.hex)",
                problem: "it has \(data.count) bytes, at most 254 fit"
            )
        }
        self.type = type
        self.data = Data(data)
    }

    /// A name, complete or shortened, in UTF-8.
    ///
    /// - Throws: `malformedPayload` for more than 254 bytes.
    public static func localName(
        _ name: String,
        isComplete: Bool = true
    ) throws(NDEFError) -> BluetoothData {
        try BluetoothData(
            isComplete ? .completeLocalName : .shortenedLocalName,
            Data(name.utf8)
        )
    }

    /// What the device looks like, as the Bluetooth SIG numbers it: 03C2 for a mouse.
    public static func appearance(_ value: UInt16) throws(NDEFError) -> BluetoothData {
        try BluetoothData(
            .appearance,
            Data([UInt8(truncatingIfNeeded: value), UInt8(value >> 8)])
        )
    }

    /// Reads structures up to the end, or to a length of 0: what follows that counts for nothing (Bluetooth Core 5.3, Vol 3,
    /// Part C, 11).
    ///
    /// - Parameters:
    ///   - reader: where the structures are; read to its end.
    ///   - record: the type of the record, for the error.
    /// - Returns: the structures in their order.
    /// - Throws: `malformedPayload` when the last one is cut.
    static func decode(
        _ reader: inout ByteReader,
        in record: String
    ) throws(NDEFError) -> [BluetoothData] {
        var structures: [BluetoothData] = []
        while let length = try? reader.byte(), length > 0 {
            guard let type = try? reader.byte(), let data = try? reader.bytes(Int(length) - 1)
            else {
                throw .malformedPayload(type: record, problem: "its last structure is cut")
            }
            structures.append(try BluetoothData(BluetoothDataType(rawValue: type), data))
        }
        return structures
    }

    /// The bytes of the structure.
    var encoded: Data {
        Data([UInt8(truncatingIfNeeded: data.count + 1), type.rawValue]) + data
    }
}

extension [BluetoothData] {
    /// The data of the first structure of a type.
    public func first(_ type: BluetoothDataType) -> Data? {
        first { $0.type == type }?.data
    }

    /// The name of the device, complete or else shortened; nil when there is none in UTF-8.
    public var localName: String? {
        (first(.completeLocalName) ?? first(.shortenedLocalName)).flatMap {
            String(validating: $0, as: UTF8.self)
        }
    }

    /// What the device looks like, as the Bluetooth SIG numbers it: 03C2 for a mouse; nil when it is not said in two bytes.
    public var appearance: UInt16? {
        guard let data = first(.appearance), data.count == 2 else { return nil }
        return data.reversed().reduce(0) { $0 << 8 | UInt16($1) }
    }

    /// The class of the device, 24 bits: 5A020C for a smartphone; nil when it is not said in three bytes.
    public var deviceClass: UInt32? {
        guard let data = first(.classOfDevice), data.count == 3 else { return nil }
        return data.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
