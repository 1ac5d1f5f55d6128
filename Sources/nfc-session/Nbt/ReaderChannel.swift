import APDU
import Bytes
import NFCReader

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The way to one tag over an open reader, without a session around it.
///
/// Reader and tag are there for as long as `OpenReader.use` lasts, so there is nothing to connect.
struct ReaderChannel: Channel {
    let reader: Reader
    let target: Target

    var name: String { "\(TagType.name(of: target)) \(target.identifier.hex)" }
    var maximumCommandLength: Int { reader.limits.command }
    var maximumAnswerLength: Int { reader.limits.answer }

    var isConnected: Bool {
        get async { (try? await reader.isPresent(target)) ?? false }
    }

    func connect() async throws -> Data {
        if case .typeA(let target) = target { target.ats ?? Data() } else { Data() }
    }

    func disconnect() async {}

    func transmit(_ command: Data) async throws -> Data {
        try await reader.exchange(command, with: target)
    }
}
