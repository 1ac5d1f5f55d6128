import APDU
import BrandProtection
import CoreNFC
import Foundation
import NBT
import NFCReader
import NFCSession
import TestSupport
import Testing
import VirtualReader

/// The life of a virtual NBT through the real libnfc, and pass-through with its waiting times.
@Suite(.serialized) struct NbtRoundTripTests {
    /// Hands over the tags that a session finds.
    private final class Tags: NFCSessionDelegate {
        let stream: AsyncStream<DetectedTag>
        private let input: AsyncStream<DetectedTag>.Continuation
        private let (ended, end) = AsyncStream.makeStream(of: Void.self)

        init() { (stream, input) = AsyncStream.makeStream() }

        func sessionManager(_ manager: NFCSessionManager, didDetect tag: DetectedTag) {
            input.yield(tag)
        }

        func sessionManager(
            _ manager: NFCSessionManager,
            didInvalidateWithError error: NFCReaderError
        ) {
            input.finish()
            end.finish()
        }

        func waitForTheEnd() async { for await _ in ended {} }
    }

    /// Runs `body` with each tag that a session finds, from one `place` to the next.
    private func withSession(
        _ reader: VirtualReader,
        _ body: (inout AsyncStream<DetectedTag>.Iterator, NFCSessionManager) async throws -> Void
    ) async throws {
        var configuration = NFCSessionConfiguration()
        configuration.reader = reader.connectionString
        configuration.pollPeriod = .milliseconds(5)
        configuration.presenter = .none
        configuration.allowsOtherSessions = true
        configuration.clock = .standing
        configuration.iso7816SelectIdentifiers = NbtConstants.sessionIdentifiers
        let manager = NFCSessionManager(configuration: configuration)
        let tags = Tags()
        manager.delegate = tags
        manager.startNFCTagReaderSession(withAlertMessage: "")
        var iterator = tags.stream.makeAsyncIterator()
        do {
            try await body(&iterator, manager)
        } catch {
            manager.invalidate()
            await tags.waitForTheEnd()
            throw error
        }
        manager.invalidate()
        await tags.waitForTheEnd()
    }

    private func next(
        _ tags: inout AsyncStream<DetectedTag>.Iterator
    ) async throws -> NbtCommandSet {
        let tag = try #require(await tags.next())
        return try #require(tag.commandSet)
    }

    @Test(
        "blank, personalised with the tag lost on the way, locked, genuine, updated, blocked, reset",
        .enabled(if: OpenSSLChain.isInstalled, "needs openssl")
    )
    func roundTrip() async throws {
        let uid = NBTApplication.sampleUID
        let chain = try await OpenSSLChain(uid: uid)
        let certificate = try Certificate(der: chain.certificate)
        let key = try DeviceKey(chain.keyPEM)
        var content = try PersonalisationPlan.Content.brandProtection(
            certificate: certificate,
            key: key
        )
        let master = hex("11223344")
        let update = hex("AABBCCDD")
        let (one, two) = (try PasswordId(1), try PasswordId(2))
        content.passwords = [
            try PasswordDefinition(id: one, password: master, response: 0x9001, limit: .tries(3)),
            try PasswordDefinition(id: two, password: update, response: 0x9002, limit: .tries(2)),
        ]
        content.policies[.ndef].nfcWrite = .password(two)
        content.policies[.fileAccessPolicy].nfcWrite = .password(one)
        let plan = try PersonalisationPlan(content)

        let card = try NBTApplication(uid: uid)
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try ISODEPTag(name: "NBT", uid: .fixed(uid), application: card)
        reader.place(tag)
        try await withSession(reader) { tags, manager in
            let first = PersonalisationManager(
                commandSet: try await next(&tags),
                keyProof: certificate.keyProof
            )
            // The tag is taken away in the middle, and comes back.
            do {
                try await first.execute(plan) { if $0.index == 5 { reader.remove(tag) } }
                Issue.record("the tag was not lost")
            } catch let error as any TransportError {
                #expect(error.fault == .tagLost)
            }
            reader.place(tag)
            manager.restartPolling(withAlertMessage: "")
            let commandSet = try await next(&tags)
            try await PersonalisationManager(
                commandSet: commandSet,
                keyProof: certificate.keyProof
            ).execute(plan)
            #expect(card.contents(of: .accessPolicy) == plan.policies.encoded)

            let verification = BpUseCaseManager(
                commandSet: commandSet,
                anchors: try TrustAnchors(pem: chain.anchorPEM),
                uid: uid
            )
            let result = try await verification.performBrandVerification()
            #expect(result.verdict == .genuine)

            let refused = NbtError.status(.updateBinary, .securityStatusNotSatisfied)
            await #expect(throws: refused) {
                try await commandSet.updateNdefMessage(dataBytes: hex("D00000"))
            }
            try await commandSet.updateNdefMessage(
                dataBytes: hex("D00000"),
                writePassword: update
            )
            for response in [0x0000, 0x0000, 0xFFFF] as [UInt16] {
                await #expect(throws: NbtError.passwordRejected(response: response)) {
                    try await commandSet.updateNdefMessage(
                        dataBytes: hex("D00000"),
                        writePassword: hex("00000000")
                    )
                }
            }
            try await commandSet.unblockPassword(passwordId: two, masterPassword: master)
            try await commandSet.updateNdefMessage(
                dataBytes: hex("D00000"),
                writePassword: update
            )
            try await PersonalisationManager(commandSet: commandSet)
                .execute(try PersonalisationPlan.reset(masterPassword: master))
        }
        let blank = try NBTApplication(uid: uid)
        for file in NBTApplication.File.allCases {
            #expect(card.contents(of: file) == blank.contents(of: file))
        }
        #expect(card.passwordIdentifiers.isEmpty)
    }

    @Test("pass-through keeps the reader waiting (S(WTX)) and switches the LED")
    func passThrough() async throws {
        let host = DemonstrationHost()
        let card = try NBTApplication(host: host)
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try ISODEPTag(name: "NBT", application: card))
        try await withSession(reader) { tags, _ in
            let commandSet = try await next(&tags)
            let plan = try PersonalisationPlan(PersonalisationPlan.Content(for: .passThrough))
            try await PersonalisationManager(commandSet: commandSet).execute(plan)
            let passThrough = PtUseCaseManager(commandSet: commandSet)
            try await passThrough.setLed(on: true)
            #expect(host.isLedOn)
            try await passThrough.setLed(on: false)
            #expect(!host.isLedOn)
        }
    }
}
