import APDU
import BrandProtection
import Foundation
import NBT
import NDEF
import Synchronization
import TestSupport
import Testing

@Suite struct BpUseCaseManagerTests {
    /// A maker, a tag of its, and a stranger.
    struct Fixture: Sendable {
        let authority: TestAuthority
        let tag: TestAuthority.Identity
        let stranger: TestAuthority.Identity

        init() throws {
            authority = try TestAuthority(name: "Maker")
            tag = try authority.issue()
            stranger = try TestAuthority(name: "Stranger").issue()
        }
    }

    static let fixture = Result { try Fixture() }
    static let uid = hex("05A1B2C3D4E5F6")

    private func verify(
        _ tag: FakeTag,
        uid: Data = uid,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> BrandVerification {
        let manager = BpUseCaseManager(
            commandSet: tag.commandSet(),
            anchors: try Self.fixture.get().authority.anchors,
            uid: uid,
            clock: clock
        )
        return try await manager.performBrandVerification()
    }

    /// A good tag, with a changed exchange.
    private func goodTag(interference: @escaping FakeTag.Interference = { $1 }) throws -> FakeTag {
        let tag = try Self.fixture.get().tag
        return FakeTag(
            message: try TagMessage.personalised(tag.der),
            key: tag.key,
            interference: interference
        )
    }

    /// The verdict and the reason at once.
    private func expect(
        _ result: BrandVerification,
        _ verdict: BrandVerification.Verdict,
        _ reason: BrandVerification.Reason,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.verdict == verdict, sourceLocation: sourceLocation)
        #expect(result.reason == reason, sourceLocation: sourceLocation)
        #expect(result.detail?.isEmpty == false, sourceLocation: sourceLocation)
    }

    // Good tags

    @Test("a genuine tag is genuine, and the result says what it showed")
    func genuine() async throws {
        let result = try await verify(try goodTag())
        let certificate = try Self.fixture.get().tag.certificate
        #expect(result.verdict == .genuine)
        #expect(result.reason == nil)
        #expect(result.detail == nil)
        #expect(result.uid == Self.uid)
        #expect(result.subject == "05A1B2C3D4E5F6")
        #expect(result.serial == "08000002")
        #expect(result.notAfter == certificate.notAfter)
        #expect(result.anchor == "Maker")
        #expect(!result.isSampleAnchor)
        #expect(result.notices == Notices.uris([TagMessage.url]))
        #expect(result.milliseconds >= 0)
    }

    @Test("the certificate counts under both type strings and wherever it stands")
    func types() async throws {
        let tag = try Self.fixture.get().tag
        for type in BrandProtectionRecord.types {
            let message = NDEFMessage(records: [
                try TagMessage.certificate(tag.der, type: type, identifier: ""),
                try URIRecord(uri: "http://a").record,
            ])
            let result = try await verify(FakeTag(message: message.encoded, key: tag.key))
            #expect(result.verdict == .genuine)
        }
    }

    @Test("the sample tag takes six exchanges, byte for byte", .needsSampleFiles)
    func exchanges() async throws {
        let message = try TagMessage.personalised(SharedFiles.der("SampleDeviceCertificate.pem"))
        // Vector 127.
        #expect(message.count == 793)
        let tag = FakeTag(message: message, key: try SharedFiles.data("SampleDeviceKey.pem"))
        let manager = BpUseCaseManager(
            commandSet: tag.commandSet(),
            anchors: try TrustAnchors([SharedFiles.sampleCA]),
            uid: hex("058C3FD9D4B200")
        )
        let result = try await manager.performBrandVerification()
        #expect(result.verdict == .genuine)
        #expect(result.subject == "058C3FD9D4B200")
        #expect(result.serial == "08000002")
        #expect(result.anchor == "NFC bridge & CL tag devices TEST manufacturing CA 100")
        #expect(result.isSampleAnchor)
        #expect(result.notices.contains { $0.contains("anybody can imitate this tag") })
        let commands = tag.commands
        #expect(
            commands.prefix(5) == [
                hex("00A4000C02E10400"), hex("00B0000000"), hex("00B0010000"),
                hex("00B0020000"), hex("00B003001B"),
            ]
        )
        #expect(commands.count == 6)
        let authenticate = try CommandAPDU(encoded: try #require(commands.last))
        #expect(authenticate.encoded.prefix(5) == hex("0088000020"))
        #expect(authenticate.data.count == 32)
        #expect(authenticate.expectedLength == 256)
    }

    @Test("the sample tag is not trusted by the production CA", .needsSampleFiles)
    func productionAnchor() async throws {
        let message = try TagMessage.personalised(SharedFiles.der("SampleDeviceCertificate.pem"))
        let tag = FakeTag(message: message, key: try SharedFiles.data("SampleDeviceKey.pem"))
        let manager = BpUseCaseManager(
            commandSet: tag.commandSet(),
            anchors: try TrustAnchors([SharedFiles.productionCA]),
            uid: hex("058C3FD9D4B200")
        )
        let result = try await manager.performBrandVerification()
        expect(result, .notGenuine, .untrusted)
        #expect(result.anchor == nil)
        #expect(!result.isSampleAnchor)
        // What the tag claims is shown all the same.
        #expect(result.subject == "058C3FD9D4B200")
    }

    @Test("an application that is not selected yet is selected first")
    func selects() async throws {
        let tag = try goodTag()
        let commandSet = NbtCommandSet(channel: ApduChannel(channel: tag))
        let manager = BpUseCaseManager(
            commandSet: commandSet,
            anchors: try Self.fixture.get().authority.anchors,
            uid: Self.uid
        )
        #expect(try await manager.performBrandVerification().verdict == .genuine)
        #expect(tag.commands.first == hex("00A4040007D276000085010100"))
        #expect(await commandSet.selectedApplication == NbtConstants.aid)
    }

    @Test("each verification has its own challenge of 32 bytes")
    func challenges() async throws {
        let tag = try goodTag()
        let manager = BpUseCaseManager(
            commandSet: tag.commandSet(),
            anchors: try Self.fixture.get().authority.anchors,
            uid: Self.uid
        )
        for _ in 0..<3 {
            #expect(try await manager.performBrandVerification().verdict == .genuine)
        }
        let challenges = try tag.commands.map { try CommandAPDU(encoded: $0) }
            .filter { $0.ins == 0x88 }.map(\.data)
        #expect(challenges.count == 3)
        #expect(Set(challenges).count == 3)
        #expect(challenges.allSatisfy { $0.count == 32 })
    }

    @Test("a UID that the certificate does not name is a notice, not a verdict")
    func uidNotice() async throws {
        let copy = try await verify(try goodTag(), uid: hex("05000000000001"))
        #expect(copy.verdict == .genuine)
        #expect(copy.notices.contains { $0.contains("05a1b2c3d4e5f6") })
        let random = try await verify(try goodTag(), uid: hex("08123456"))
        #expect(random.verdict == .genuine)
        #expect(random.notices.contains { $0.contains("random") })
    }

    // Tags that are not genuine

    @Test("a stranger's certificate is untrusted, and the tag is not even asked to sign")
    func untrusted() async throws {
        let stranger = try Self.fixture.get().stranger
        let tag = FakeTag(
            message: try TagMessage.personalised(stranger.der),
            key: stranger.key
        )
        let result = try await verify(tag)
        expect(result, .notGenuine, .untrusted)
        #expect(tag.commands.allSatisfy { $0[1] != 0x88 })
    }

    @Test("a copied certificate without its key is a signature mismatch")
    func foreignKey() async throws {
        let fixture = try Self.fixture.get()
        let tag = FakeTag(
            message: try TagMessage.personalised(fixture.tag.der),
            key: fixture.stranger.key
        )
        let result = try await verify(tag)
        expect(result, .notGenuine, .signatureMismatch)
        #expect(result.anchor == "Maker")
    }

    @Test("a replayed signature is a mismatch, because the challenge is new")
    func replay() async throws {
        let signature = try OpenSSLTool.sign(Data(count: 32), key: try Self.fixture.get().tag.key)
        let tag = try goodTag { exchange, answer in
            exchange == 5 ? signature + hex("9000") : answer
        }
        expect(try await verify(tag), .notGenuine, .signatureMismatch)
    }

    @Test("dates are judged by the clock")
    func dates() async throws {
        let certificate = try Self.fixture.get().tag.certificate
        let (before, after) = (certificate.notBefore - 86_400, certificate.notAfter + 86_400)
        expect(
            try await verify(try goodTag(), clock: { after }),
            .notGenuine,
            .expired
        )
        expect(
            try await verify(try goodTag(), clock: { before }),
            .notGenuine,
            .notYetValid
        )
        expect(
            try await verify(try goodTag(), clock: { Date(timeIntervalSince1970: 0) }),
            .unreadable,
            .clockNotSet
        )
    }

    @Test("an unsuitable certificate is told from an untrusted one")
    func unsuitable() async throws {
        let issued = try Self.fixture.get().authority.issue(curve: "P-384")
        let tag = FakeTag(message: try TagMessage.personalised(issued.der), key: issued.key)
        expect(try await verify(tag), .notGenuine, .unsuitableCertificate)
    }

    @Test("an empty NDEF file means that the tag is not personalised")
    func empty() async throws {
        let key = try Self.fixture.get().tag.key
        expect(
            try await verify(FakeTag(message: Data(), key: key)),
            .notGenuine,
            .notPersonalised
        )
    }

    @Test("a message without certificate record has no certificate")
    func noCertificate() async throws {
        let tag = try Self.fixture.get().tag
        let records = [
            try URIRecord(uri: "http://a").record,
            // The right type string in the wrong format.
            try NDEFRecord(
                typeNameFormat: .media,
                type: Data(BrandProtectionRecord.types[0].utf8),
                payload: tag.der
            ),
        ]
        let message = NDEFMessage(records: records).encoded
        let result = try await verify(FakeTag(message: message, key: tag.key))
        expect(result, .notGenuine, .noCertificate)
        #expect(result.notices == Notices.uris(["http://a"]))
        expect(
            try await verify(FakeTag(message: hex("D00000"), key: tag.key)),
            .notGenuine,
            .noCertificate
        )
    }

    @Test("two certificate records are refused, also if both are good")
    func severalCertificates() async throws {
        let tag = try Self.fixture.get().tag
        let message = NDEFMessage(
            records: try BrandProtectionRecord.types.map {
                try TagMessage.certificate(tag.der, type: $0)
            }
        )
        expect(
            try await verify(FakeTag(message: message.encoded, key: tag.key)),
            .notGenuine,
            .severalCertificates
        )
    }

    @Test("a record that holds no certificate is malformed", arguments: ["", "00", "3000"])
    func malformed(payload: String) async throws {
        let message = NDEFMessage(records: [try TagMessage.certificate(hex(payload))])
        let key = try Self.fixture.get().tag.key
        let result = try await verify(FakeTag(message: message.encoded, key: key))
        expect(result, .notGenuine, .malformedCertificate)
        #expect(result.subject == nil)
    }

    // Tags that cannot be read

    @Test(
        "a tag lost at any exchange, a broken reader and a garbled frame stay apart",
        arguments: 0..<6,
        [
            (.tagLost, .tagLost), (.protocolError, .protocolError), (.readerFailed, .readerFailed),
        ] as [(TransportFault, BrandVerification.Reason)]
    )
    func faults(
        number: Int,
        expected: (fault: TransportFault, reason: BrandVerification.Reason)
    ) async throws {
        let tag = try goodTag { exchange, answer in
            if exchange == number { throw FakeTag.Fault(fault: expected.fault) }
            return answer
        }
        expect(try await verify(tag), .unreadable, expected.reason)
        #expect(tag.commands.count == number + 1)
    }

    @Test("an error that says nothing about itself counts as the reader's")
    func unknownError() async throws {
        struct Unknown: Error {}
        let tag = try goodTag { _, _ in throw Unknown() }
        expect(try await verify(tag), .unreadable, .readerFailed)
    }

    @Test(
        "a refused command is told, unless it means that the tag is empty",
        arguments: [
            (0, "6A82", .notGenuine, .notPersonalised),  // no NDEF file
            (0, "6700", .unreadable, .refused),
            (1, "6982", .unreadable, .refused),
            (3, "6982", .unreadable, .refused),
            (4, "6F00", .unreadable, .refused),
            (5, "6985", .notGenuine, .notPersonalised),  // no private key
            (5, "6D00", .notGenuine, .notPersonalised),  // a copy on a card of another kind
            (5, "6982", .unreadable, .refused),
        ] as [(Int, String, BrandVerification.Verdict, BrandVerification.Reason)]
    )
    func refused(
        number: Int,
        status: String,
        verdict: BrandVerification.Verdict,
        reason: BrandVerification.Reason
    ) async throws {
        let tag = try goodTag { exchange, answer in exchange == number ? hex(status) : answer }
        expect(try await verify(tag), verdict, reason)
    }

    @Test("a tag without the application is not personalised")
    func noApplication() async throws {
        let tag = try goodTag { _, _ in hex("6A82") }
        let manager = BpUseCaseManager(
            commandSet: NbtCommandSet(channel: ApduChannel(channel: tag)),
            anchors: try Self.fixture.get().authority.anchors,
            uid: Self.uid
        )
        expect(
            try await manager.performBrandVerification(),
            .notGenuine,
            .notPersonalised
        )
        #expect(tag.commands == [hex("00A4040007D276000085010100")])
    }

    @Test(
        "impossible answers are a protocol error",
        arguments: [
            (0, ""), (0, "90"), (0, "01029000"),
            (1, "9000"), (1, "009000"), (1, "FFFF9000"),
            (1, "0004D10000FF9000"),  // a message with a trailing byte
            (2, "9000"),
            (5, "9000"), (5, "30069000"), (5, "300602010102019000"),
        ]
    )
    func impossible(number: Int, answer: String) async throws {
        let tag = try goodTag { exchange, good in exchange == number ? hex(answer) : good }
        expect(try await verify(tag), .unreadable, .protocolError)
    }

    // Progress and cancellation

    @Test("the steps tell how far they are")
    func states() async throws {
        let manager = BpUseCaseManager(
            commandSet: try goodTag().commandSet(),
            anchors: try Self.fixture.get().authority.anchors,
            uid: Self.uid
        )
        #expect(await manager.certificateVerification.state == .idle)
        #expect(await manager.authentication.state == .idle)
        _ = try await manager.performBrandVerification()
        var reading = manager.certificateVerification.states.makeAsyncIterator()
        #expect(await reading.next() == .reading)
        #expect(await reading.next() == .verifying)
        #expect(await reading.next() == .verified(anchor: "Maker"))
        var authenticating = manager.authentication.states.makeAsyncIterator()
        #expect(await authenticating.next() == .authenticating)
        #expect(await authenticating.next() == .verifyingSignature)
        #expect(await authenticating.next() == .authenticated)
    }

    @Test("a failed step tells the reason, and the next one does not begin")
    func failedStates() async throws {
        let tag = try goodTag { _, _ in throw FakeTag.Fault(fault: .tagLost) }
        let manager = BpUseCaseManager(
            commandSet: tag.commandSet(),
            anchors: try Self.fixture.get().authority.anchors,
            uid: Self.uid
        )
        _ = try await manager.performBrandVerification()
        var states = manager.certificateVerification.states.makeAsyncIterator()
        #expect(await states.next() == .reading)
        #expect(await states.next() == .failed(.tagLost))
        #expect(await manager.authentication.state == .idle)
    }

    @Test("an exchange that was stopped on purpose is a cancellation, not a verdict")
    func stopped() async throws {
        for number in 0..<6 {
            let tag = try goodTag { exchange, answer in
                if exchange == number { throw FakeTag.Fault(fault: .cancelled) }
                return answer
            }
            await #expect(throws: CancellationError.self) { try await self.verify(tag) }
        }
    }

    @Test("a cancelled task ends with a cancellation, whatever the channel makes of it")
    func cancelled() async throws {
        let tag = try goodTag { exchange, answer in
            if exchange == 3 {
                withUnsafeCurrentTask { $0?.cancel() }
                throw FakeTag.Fault(fault: .tagLost)
            }
            return answer
        }
        let task = Task { try await self.verify(tag) }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(tag.commands.count == 4)
    }
}
