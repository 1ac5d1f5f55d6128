import BrandProtection
import Foundation
import APDU
import NBT
import TestSupport
import VirtualReader

/// A brand protection tag with a master password (1), one for updates (2), and everything that a
/// plan can hold.
struct PersonalisationFixture {
    let certificate: Certificate
    let anchors: TrustAnchors
    let content: PersonalisationPlan.Content
    let plan: PersonalisationPlan
    let uid: Data

    static let master = hex("11223344")
    static let update = hex("AABBCCDD")

    /// With a certificate of anybody's.
    init(
        certificateDER: Data,
        keyPEM: Data,
        anchorPEM: Data,
        uid: Data = NBTApplication.sampleUID,
        finalises: Bool = true
    ) throws {
        certificate = try Certificate(der: certificateDER)
        anchors = try TrustAnchors(pem: anchorPEM)
        var content = try PersonalisationPlan.Content.brandProtection(
            certificate: certificate,
            key: try DeviceKey(keyPEM)
        )
        content.linkKey = SecretKey(hex("000102030405060708090A0B0C0D0E0F"))
        content.passwords = [
            try PasswordDefinition(
                id: try PasswordId(1),
                password: Self.master,
                response: 0x9001,
                limit: .tries(3)
            ),
            try PasswordDefinition(
                id: try PasswordId(2),
                password: Self.update,
                response: 0x9002,
                limit: .tries(3)
            ),
            // One that no policy names.
            try PasswordDefinition(
                id: try PasswordId(31),
                password: hex("01020304"),
                response: 0x9003,
                limit: .unlimited
            ),
        ]
        content.policies[.ndef].nfcWrite = .password(try PasswordId(2))
        content.policies[.fileAccessPolicy].nfcWrite = .password(try PasswordId(1))
        content.finalises = finalises
        self.content = content
        plan = try PersonalisationPlan(content)
        self.uid = uid
    }

    /// With a chain of the virtual reader's own authority.
    init(finalises: Bool = true) throws {
        let authority = try CertificateAuthority()
        let identity = try authority.identity(uid: NBTApplication.sampleUID)
        try self.init(
            certificateDER: identity.certificate,
            keyPEM: Data(try identity.key.pem().utf8),
            anchorPEM: Data(authority.manufacturingPEM.utf8),
            finalises: finalises
        )
    }

    /// Personalises a card through a channel.
    func personalise(_ channel: InProcessChannel) async throws {
        try await manager(channel).execute(plan, irrevocably: true)
    }

    func manager(_ channel: InProcessChannel) -> PersonalisationManager {
        PersonalisationManager(
            commandSet: NbtCommandSet(channel: ApduChannel(channel: channel)),
            keyProof: certificate.keyProof
        )
    }

    static func reset(_ channel: InProcessChannel) async throws {
        let commandSet = NbtCommandSet(channel: ApduChannel(channel: channel))
        try await PersonalisationManager(commandSet: commandSet)
            .execute(try PersonalisationPlan.reset(masterPassword: master))
    }
}

/// What a card keeps without power, as far as a test can look at it.
struct CardState: Equatable {
    let contents: [NBTApplication.File: Data]
    let passwords: [UInt8]
    let triesLeft: [Int?]
    let isFinalised: Bool
    let configuration: [UInt16: Data]

    init(_ card: NBTApplication) {
        contents = Dictionary(
            uniqueKeysWithValues: NBTApplication.File.allCases.map { ($0, card.contents(of: $0)) }
        )
        passwords = card.passwordIdentifiers
        triesLeft = passwords.map(card.triesLeft(ofPassword:))
        isFinalised = card.isFinalised
        let tags = ConfigurationTag.allCases.map(\.rawValue)
        configuration = tags.reduce(into: [:]) { $0[$1] = card.configuration($1) }
    }

    /// Whether everything that can be taken back has been: keys, finalising and configuration
    /// remain.
    func isBlank(like delivered: CardState) -> Bool {
        contents == delivered.contents && passwords.isEmpty
    }
}
