public import NDEF

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Connection handover: the tag's message tells a phone how to connect (facts/nbt.md, 4.4).
///
/// The reader's side is reading; what it finds is untrusted.
public struct ChUseCaseManager: Sendable {
    private let commandSet: NbtCommandSet

    /// Uses the tag of a command set.
    public init(commandSet: NbtCommandSet) { self.commandSet = commandSet }

    /// Reads the tag's message and takes the ways to connect out of it.
    ///
    /// - Returns: the ways to connect, at least one.
    /// - Throws: `NbtError.recordNotFound` for a message without any, `NDEFError` for a malformed
    ///   one; errors of the commands and of the channel.
    public func readHandover() async throws -> ConnectionHandover {
        try await commandSet.selectApplicationIfNeeded()
        let bytes = try await commandSet.readNdefMessage()
        guard !bytes.isEmpty else { throw NbtError.recordNotFound("message at all") }
        return try ConnectionHandover(try NDEFMessage(encoded: bytes))
    }
}

/// The ways to connect that a message offers.
public struct ConnectionHandover: Sendable, Hashable {
    /// One way to connect.
    public struct Carrier: Sendable, Hashable {
        /// The carrier's record as it is.
        public let record: NDEFRecord
        /// What the record means.
        public let content: RecordContent
        /// The carrier's power state from the handover select record; nil in a message without one.
        public let powerState: AlternativeCarrierRecord.CarrierPowerState?
    }

    /// The ways to connect, in the order of preference.
    public let carriers: [Carrier]
    /// The error of the handover select record, if it has one.
    public let error: HandoverErrorRecord?

    /// Takes the ways to connect out of a message: those that its handover select record refers to,
    /// or without one its Bluetooth records.
    ///
    /// - Throws: `NbtError.recordNotFound` if there is none, `NDEFError` for a malformed record.
    public init(_ message: NDEFMessage) throws {
        let contents = try message.records.map { ($0, try RecordContent($0)) }
        var select: HandoverSelectRecord?
        for case (_, .handoverSelect(let record)) in contents where select == nil {
            select = record
        }
        if let select {
            carriers = select.alternativeCarriers.compactMap { carrier in
                let found = contents.first { $0.0.identifier == carrier.carrierDataReference }
                return found.map {
                    Carrier(record: $0.0, content: $0.1, powerState: carrier.powerState)
                }
            }
            error = select.error
        } else {
            carriers = contents.compactMap { record, content in
                switch content {
                case .bluetooth, .bluetoothLe:
                    Carrier(record: record, content: content, powerState: nil)
                default: nil
                }
            }
            error = nil
        }
        guard !carriers.isEmpty || error != nil else {
            throw NbtError.recordNotFound("record with a way to connect")
        }
    }
}

extension PersonalisationPlan.Content {
    /// A tag with the pairing data of a Bluetooth device, as Infineon's app writes it.
    ///
    /// - Parameter device: the device; its address is stored in Bluetooth's byte order.
    /// - Returns: content with the policies and the configuration of connection handover.
    /// - Throws: `NDEFError` for a record that cannot be encoded.
    public static func connectionHandover(
        to device: BluetoothRecord
    ) throws(NDEFError) -> PersonalisationPlan.Content {
        var content = PersonalisationPlan.Content(for: .connectionHandover)
        content.message = NDEFMessage(records: [try device.record]).encoded
        return content
    }
}
