import APDU
import Bytes
import Foundation
import NBT
import NDEF
import Synchronization
import TestSupport

/// An NBT's operational application, as far as a verification goes (facts/nbt.md, 2), behind a
/// channel.
final class FakeTag: Channel {
    /// An error of the channel, with this fault.
    struct Fault: TransportError, Equatable {
        let fault: TransportFault
    }

    /// Changes an answer or throws; it gets the number of the exchange, from 0, and the true
    /// answer.
    typealias Interference = @Sendable (_ exchange: Int, _ answer: Data) async throws -> Data

    let name = "fake NBT"
    let maximumCommandLength = 262
    let maximumAnswerLength = 263
    let isConnected = true
    private let file: Data
    private let key: Data
    private let interference: Interference
    private let received = Mutex([Data]())

    /// A tag with an NDEF message and a private key in PEM.
    init(message: Data, key: Data, interference: @escaping Interference = { $1 }) {
        let content = hex(UInt16(truncatingIfNeeded: message.count).hex) + message
        file = content + Data(count: max(0, 4096 - content.count))
        self.key = key
        self.interference = interference
    }

    /// The commands that came, first to last.
    var commands: [Data] { received.withLock { $0 } }

    /// The commands of a tag whose application the session selected.
    func commandSet() -> NbtCommandSet {
        NbtCommandSet(
            channel: ApduChannel(channel: self),
            selectedApplication: NbtConstants.aid
        )
    }

    func connect() async throws -> Data { Data() }
    func disconnect() async {}

    func transmit(_ command: Data) async throws -> Data {
        let exchange = received.withLock { commands in
            commands.append(command)
            return commands.count - 1
        }
        return try await interference(exchange, try answer(to: CommandAPDU(encoded: command)))
    }

    private func answer(to command: CommandAPDU) throws -> Data {
        switch (command.ins, command.p1) {
        case (0xA4, 0x04): hex(command.data == NbtConstants.aid ? "9000" : "6A82")
        case (0xA4, _): hex(command.data == hex("E104") ? "9000" : "6A82")
        case (0xB0, _): read(command)
        case (0x88, _): try OpenSSLTool.sign(command.data, key: key) + hex("9000")
        default: hex("6D00")
        }
    }

    private func read(_ command: CommandAPDU) -> Data {
        let offset = Int(command.p1) << 8 | Int(command.p2)
        guard offset < file.count else { return hex("6700") }
        return Data(file[offset...].prefix(command.expectedLength ?? 0)) + hex("9000")
    }
}

/// The messages that tags carry (facts/nbt.md, 3.1).
enum TagMessage {
    /// The address that the tag completes with a token of its own.
    static let url =
        "http://optiga-nbt-cott-service.infineon.com?cott="
        + String(repeating: "PLACEHOLDER", count: 4)

    /// A record with a certificate, under the type string of the personalisation apps if no other
    /// is named.
    static func certificate(
        _ der: Data,
        type: String = BrandProtectionRecord.types[0],
        identifier: String = "00"
    ) throws -> NDEFRecord {
        try NDEFRecord(
            typeNameFormat: .external,
            type: Data(type.utf8),
            identifier: hex(identifier),
            payload: der
        )
    }

    /// What the personalisation apps write: a URL, then the certificate.
    static func personalised(_ der: Data) throws -> Data {
        NDEFMessage(records: [
            try URIRecord(uri: url).record, try certificate(der),
        ]).encoded
    }
}
