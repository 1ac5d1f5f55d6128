import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The address of a Bluetooth device, BD_ADDR.
public struct BluetoothAddress: Sendable, Hashable, CustomStringConvertible {
    /// Six bytes as they are in a record: lowest first, the reverse of how the address is written.
    public let littleEndian: Data

    /// The address with these bytes, lowest first; nil unless there are six.
    public init?(littleEndian: Data) {
        guard littleEndian.count == 6 else { return nil }
        self.littleEndian = Data(littleEndian)
    }

    /// The address that is written as "00:11:22:AA:BB:CC", or without colons; nil when it is none.
    public init?(_ text: String) {
        let digits = text.replacing(":", with: "")
        guard let bytes = Data(hex: digits) else { return nil }
        self.init(littleEndian: Data(bytes.reversed()))
    }

    /// The address as people write it: highest byte first, in capitals, with colons.
    public var description: String {
        littleEndian.reversed().map { $0.hex.uppercased() }.joined(separator: ":")
    }
}
