import APDU
import CoreNFC
import Foundation
import NFCSession
import TestSupport
import Testing
import VirtualReader

/// The channel over a session's tag, on the virtual reader.
@Suite(.serialized) struct NfcChannelTests {
    @Test(
        "Extended commands and long answers pass whole, type A and B",
        arguments: [1, 255, 256, 257, 1000, 4000, 65_535],
        [false, true]
    )
    func longExchanges(length: Int, isTypeB: Bool) async throws {
        let card = Mirror()
        let tag: any VirtualTag =
            isTypeB ? try TypeBTag(application: card) : try ISODEPTag(application: card)
        try await withChannel(tag) { channel in
            #expect(channel.maximumCommandLength == 65_544)
            #expect(channel.maximumAnswerLength == 65_538)
            let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
            let command = try CommandAPDU(
                cla: 0x00,
                ins: 0xD6,
                p1: 0x00,
                p2: 0x00,
                data: data,
                expectedLength: 65_536
            )
            let response = try await ApduChannel(channel: channel).send(command)
            #expect(response.data == data)
            #expect(response.statusWord == .ok)
        }
    }

    @Test("A tag that leaves in the middle of a long command is lost")
    func lost() async throws {
        try await withChannel(try ISODEPTag(application: Mirror())) { channel, reader in
            reader.faults = Faults(Fault(.tagLost, .nth(2)))
            await #expect(throws: NfcError.session(.readerTransceiveErrorTagConnectionLost)) {
                try await channel.transmit(hex("00d600000003e8") + Data(count: 1000))
            }
            #expect(!channel.isConnected)
        }
    }

    private func withChannel(
        _ tag: any VirtualTag,
        _ body: (NfcChannel) async throws -> Void
    ) async throws {
        try await withChannel(tag) { channel, _ in try await body(channel) }
    }

    /// Begins a session, waits for the tag and hands over the channel to it.
    private func withChannel(
        _ tag: any VirtualTag,
        _ body: (NfcChannel, VirtualReader) async throws -> Void
    ) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(tag)
        var configuration = NFCSessionConfiguration()
        configuration.reader = reader.connectionString
        configuration.allowsUnlistedApplications = true
        configuration.allowsOtherSessions = true
        configuration.presenter = .none
        let finder = Finder()
        let session = NFCTagReaderSession(
            pollingOption: .iso14443,
            delegate: finder,
            sessionConfiguration: configuration
        )
        session.begin()
        defer { session.invalidate() }
        var channels = finder.channels.makeAsyncIterator()
        let channel = try #require(await channels.next())
        try await channel.connect()
        try await body(channel, reader)
    }
}

/// Makes a channel of the first ISO 7816 tag.
private final class Finder: NSObject, NFCTagReaderSessionDelegate, Sendable {
    let channels: AsyncStream<NfcChannel>
    private let input: AsyncStream<NfcChannel>.Continuation

    override init() {
        (channels, input) = AsyncStream.makeStream()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(
        _ session: NFCTagReaderSession,
        didInvalidateWithError error: any Error
    ) {
        input.finish()
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard case .iso7816(let tag)? = tags.first else { return }
        input.yield(NfcChannel(tag: tag, session: session))
    }
}

/// A card that answers with the data of the command, which has a length field of one or three bytes.
private final class Mirror: CardApplication {
    func respond(to command: Data) -> Data {
        let isExtended = command.dropFirst(4).first == 0
        let lengthSize = isExtended ? 3 : 1
        let length = command.dropFirst(4).prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
        return command.dropFirst(4 + lengthSize).prefix(length) + [0x90, 0x00]
    }

    func workingTime(of command: Data) -> Duration { .zero }
    func reset() {}
}
