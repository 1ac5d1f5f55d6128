import BrandProtection
import CoreNFC
import Foundation
import NFCReader
import NFCSession
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// The main job from end to end: a virtual NBT in the field of a virtual PN532, verified through the real libnfc.
@Suite(.serialized) struct BrandVerificationSessionTests {
    private static let uid = NBTApplication.sampleUID

    /// A card whose message takes four reads, as that of a production chip does.
    private func card(_ identity: DeviceIdentity) throws -> NBTApplication {
        let url = "https://example.com/" + String(repeating: "x", count: 300)
        return try NBTApplication.brandProtection(identity, uid: Self.uid, url: url)
    }

    private func anchors(_ authority: CertificateAuthority) throws -> TrustAnchors {
        try TrustAnchors(pem: Data(authority.manufacturingPEM.utf8))
    }

    private func configuration(_ reader: VirtualReader) -> NFCSessionConfiguration {
        var configuration = NFCSessionConfiguration()
        configuration.reader = reader.connectionString
        configuration.pollPeriod = .milliseconds(5)
        configuration.presenter = .none
        configuration.allowsOtherSessions = true
        configuration.clock = .standing
        return configuration
    }

    /// Verifies one NBT with this application on a reader with these faults.
    private func verify(
        _ application: any CardApplication,
        anchors: TrustAnchors,
        faults: (VirtualReader) -> Void = { _ in }
    ) async throws -> (BrandVerification, VirtualReader) {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try ISODEPTag(
            name: "NBT",
            uid: .fixed(Self.uid),
            atqa: 0x0044,
            sak: 0x20,
            application: application
        )
        reader.place(tag)
        faults(reader)
        let session = BrandVerificationSession(
            anchors: anchors,
            configuration: configuration(reader)
        )
        let result = try await session.verifyOnce()
        return (try #require(result), reader)
    }

    @Test func verifiesAGenuineTagInSevenExchanges() async throws {
        let authority = try CertificateAuthority()
        let identity = try authority.identity(uid: Self.uid)
        let card = try card(identity)
        let (result, reader) = try await verify(card, anchors: try anchors(authority))
        #expect(result.verdict == .genuine)
        #expect(result.reason == nil)
        #expect(
            result.subject?.lowercased() == Self.uid.map { String(format: "%02x", $0) }.joined()
        )
        #expect(!result.isSampleAnchor)
        // SELECT application (the session's), SELECT file, four reads of 256 bytes, AUTHENTICATE.
        #expect(reader.statistics.tagExchanges == 7)
        #expect(reader.statistics.commands[0x4A] == 1)
    }

    @Test(
        "says why a tag is not genuine",
        arguments: [
            (CertificateAuthority.Deviation.expired, BrandVerification.Reason.expired),
            (.notYetValid, .notYetValid), (.p384Key, .unsuitableCertificate),
            (.rsaKey, .unsuitableCertificate), (.certificateAuthority, .unsuitableCertificate),
            (.noDigitalSignature, .unsuitableCertificate), (.foreignKey, .signatureMismatch),
            (.foreignAuthority, .untrusted),
        ]
    )
    func refuses(deviation: CertificateAuthority.Deviation, reason: BrandVerification.Reason)
        async throws
    {
        let authority = try CertificateAuthority()
        let identity = try authority.identity(uid: Self.uid, deviation: deviation)
        let card = try card(identity)
        let (result, _) = try await verify(card, anchors: try anchors(authority))
        #expect(result.verdict == .notGenuine)
        #expect(result.reason == reason)
    }

    @Test func callsACopiedMessageOnAnotherCardNotPersonalised() async throws {
        let authority = try CertificateAuthority()
        let message = BrandProtectionMessage(
            certificates: [try authority.identity(uid: Self.uid).certificate])
        let copy = try Type4Application(ndefMessage: message.bytes)
        let (result, _) = try await verify(copy, anchors: try anchors(authority))
        #expect(result.verdict == .notGenuine)
        #expect(result.reason == .notPersonalised)
    }

    @Test func noticesACertificateForAnotherUID() async throws {
        let authority = try CertificateAuthority()
        let identity = try authority.identity(uid: Self.uid, deviation: .foreignSubject)
        let card = try card(identity)
        let (result, _) = try await verify(card, anchors: try anchors(authority))
        #expect(result.verdict == .genuine)
        #expect(!result.notices.isEmpty)
    }

    @Test("calls a tag lost that leaves at any exchange", arguments: 1...7)
    func losesTag(exchange: Int) async throws {
        let authority = try CertificateAuthority()
        let identity = try authority.identity(uid: Self.uid)
        let card = try card(identity)
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try ISODEPTag(uid: .fixed(Self.uid), application: card)
        reader.faults = Faults(Fault(.tagLost, .nth(exchange)))
        reader.place(tag)
        var settings = configuration(reader)
        // A tag that goes while the session selects its application was never there: no tag in time.
        settings.sessionTimeLimit = .seconds(exchange == 1 ? 1 : 20)
        let session = BrandVerificationSession(
            anchors: try anchors(authority),
            configuration: settings
        )
        if exchange == 1 {
            await #expect(throws: BrandVerificationSession.Failure.timeout) {
                try await session.verifyOnce()
            }
        } else {
            let result = try await session.verifyOnce()
            #expect(result?.verdict == .unreadable)
            #expect(result?.reason == .tagLost)
        }
    }

    @Test("reports a refused command", arguments: 2...7)
    func refusedCommand(number: Int) async throws {
        let authority = try CertificateAuthority()
        let identity = try authority.identity(uid: Self.uid)
        let card = try card(identity)
        let refusing = InterceptedApplication(card) { count, _ in
            count == number ? .refuse(0x6982) : .pass
        }
        let (result, _) = try await verify(refusing, anchors: try anchors(authority))
        #expect(result.verdict == .unreadable)
        #expect(result.reason == .refused)
    }

    @Test(
        "survives a garbled answer at any exchange",
        arguments: 2...7,
        [Fault.Effect.wrongChecksum, .truncate(9), .answerCode(0x43), .noStatus, .status(0x81)]
    )
    func garbledAnswer(exchange: Int, effect: Fault.Effect) async throws {
        let authority = try CertificateAuthority()
        let identity = try authority.identity(uid: Self.uid)
        let card = try card(identity)
        let (result, _) = try await verify(card, anchors: try anchors(authority)) { reader in
            reader.faults = Faults(Fault(effect, .nth(exchange), command: 0x40))
        }
        #expect(result.verdict == .unreadable)
        #expect([.protocolError, .tagLost].contains(result.reason))
    }

    @Test(
        "names a tag that is no personalised NBT",
        arguments: ["type 4", "empty NBT", "MIFARE Classic"]
    )
    func notPersonalised(kind: String) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        switch kind {
        case "type 4":
            reader.place(try ISODEPTag(uid: .fixed(Self.uid), application: Type4Application()))
        case "empty NBT":
            reader.place(try ISODEPTag(uid: .fixed(Self.uid), application: NBTApplication()))
        default: reader.place(try MifareClassicTag(kind: .classic1K))
        }
        let session = BrandVerificationSession(
            anchors: try anchors(CertificateAuthority()),
            configuration: configuration(reader)
        )
        let result = try await session.verifyOnce()
        #expect(result?.verdict == .notGenuine)
        #expect(result?.reason == .notPersonalised)
    }

    @Test func waitsForTheNextTagAfterAResult() async throws {
        let authority = try CertificateAuthority()
        let reader = try VirtualReader()
        defer { reader.close() }
        func tag(_ deviation: CertificateAuthority.Deviation?) throws -> ISODEPTag {
            let identity =
                try deviation.map { try authority.identity(uid: Self.uid, deviation: $0) }
                ?? authority.identity(uid: Self.uid)
            return try ISODEPTag(
                uid: .fixed(Self.uid),
                application: NBTApplication.brandProtection(identity, uid: Self.uid)
            )
        }
        let (first, second) = (try tag(nil), try tag(.foreignKey))
        reader.place(first)
        let session = BrandVerificationSession(
            anchors: try anchors(authority),
            configuration: configuration(reader),
            resultTime: .zero
        )
        let (states, input) = AsyncStream<BrandVerificationSession.State>.makeStream()
        let task = Task { try await session.run { input.yield($0) } }
        var verdicts: [BrandVerification.Verdict] = []
        var words: [String] = []
        for await state in states {
            switch state {
            case .waiting:
                words.append("waiting")
                if verdicts.count == 1 { reader.place(second) }
            case .verifying: words.append("verifying")
            case .finished(let result):
                words.append("finished")
                verdicts.append(result.verdict)
                // A tag that rests is not verified again.
                if verdicts.count == 1 { reader.remove(first) } else { task.cancel() }
            }
            if verdicts.count == 2 { break }
        }
        try await task.value
        #expect(verdicts == [.genuine, .notGenuine])
        #expect(
            words == ["waiting", "verifying", "finished", "waiting", "verifying", "finished"]
        )
        #expect(!reader.isFieldOn)
    }

    @Test func reportsAReaderThatIsNotThere() async throws {
        var settings = NFCSessionConfiguration()
        settings.reader = "pn532_uart:/dev/ttyNONE0"
        settings.presenter = .none
        settings.allowsOtherSessions = true
        let session = BrandVerificationSession(
            anchors: try anchors(CertificateAuthority()),
            configuration: settings
        )
        await #expect {
            try await session.verifyOnce()
        } throws: { error in
            guard case .reader(_, let words)? = error as? BrandVerificationSession.Failure else {
                return false
            }
            return words.contains("ttyNONE0")
        }
    }
}

extension MonotonicClock {
    /// On this clock no tag is ever silent for long: on a busy machine a session would ask whether it is still there,
    /// which is an exchange more.
    static let standing = MonotonicClock(now: { .zero }, sleep: continuous.sleep)
}

/// The sample files of ../shared, which are never copied into the project.
@Suite(
    .enabled(if: SampleFiles.arePresent, "the sample certificates of ../shared are not here"),
    .serialized
)
struct SampleCertificateTests {
    private func verify(anchor: String) async throws -> BrandVerification? {
        let identity = try DeviceIdentity(
            certificateFile: SampleFiles.path("SampleDeviceCertificate.pem"),
            keyFile: SampleFiles.path("SampleDeviceKey.pem")
        )
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(
            try ISODEPTag(
                uid: .fixed(NBTApplication.sampleUID),
                application: NBTApplication.brandProtection(identity, uid: NBTApplication.sampleUID)
            )
        )
        var settings = NFCSessionConfiguration()
        settings.reader = reader.connectionString
        settings.presenter = .none
        settings.allowsOtherSessions = true
        settings.clock = .standing
        let session = BrandVerificationSession(
            anchors: try TrustAnchors(pemFiles: [SampleFiles.path(anchor)]),
            configuration: settings
        )
        let result = try await session.verifyOnce()
        // Seven exchanges for the 793-byte message, whatever the verdict but for AUTHENTICATE.
        #expect(reader.statistics.tagExchanges == (result?.verdict == .genuine ? 7 : 6))
        return result
    }

    @Test func theSampleTagIsGenuineByTheSampleAnchorAndNamedASample() async throws {
        let result = try await verify(anchor: "SampleRootCertificate.pem")
        #expect(result?.verdict == .genuine)
        #expect(result?.isSampleAnchor == true)
        #expect(result?.subject == "058C3FD9D4B200")
    }

    @Test func theSampleTagIsUntrustedByTheProductionAnchor() async throws {
        let result = try await verify(anchor: "NFCBridgeCLTagDevicesManufacturingCA.pem")
        #expect(result?.verdict == .notGenuine)
        #expect(result?.reason == .untrusted)
    }
}

/// Where the project finds the files of ../shared.
enum SampleFiles {
    static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../shared/data/nbt/\(name)").standardized.path
    }

    static var arePresent: Bool {
        FileManager.default.fileExists(atPath: path("SampleDeviceKey.pem"))
    }
}
