import APDU
import BrandProtection
import Foundation
import NBT
import TestSupport
import Testing
import VirtualReader

/// The life of a tag from blank to blank, with a chain made by openssl.
@Suite struct RoundTripTests {
    @Test(
        "blank, personalised, locked, genuine, updated, refused, blocked, unblocked, reset, blank",
        .enabled(if: OpenSSLChain.isInstalled, "needs openssl")
    )
    func roundTrip() async throws {
        let chain = try await OpenSSLChain(uid: NBTApplication.sampleUID)
        let fixture = try PersonalisationFixture(
            certificateDER: chain.certificate,
            keyPEM: chain.keyPEM,
            anchorPEM: chain.anchorPEM
        )
        let card = try NBTApplication()
        let delivered = CardState(card)
        try await fixture.personalise(InProcessChannel(card))
        try await expectGenuine(card, fixture)

        // Updated with the password: an address of one's own before the certificate.
        var content = try PersonalisationPlan.Content.brandProtection(
            certificate: fixture.certificate,
            key: try DeviceKey(chain.keyPEM),
            url: "https://example.com/"
        )
        content.policies = fixture.content.policies
        let message = try #require(content.message)
        let commandSet = commands(to: card)
        try await commandSet.selectApplication()
        try await commandSet.updateNdefMessage(
            dataBytes: message,
            writePassword: PersonalisationFixture.update
        )
        try await expectGenuine(card, fixture)

        // Refused without.
        let refused = NbtError.status(.updateBinary, .securityStatusNotSatisfied)
        await #expect(throws: refused) {
            try await commandSet.updateNdefMessage(dataBytes: hex("D00000"))
        }

        // Blocked after the allowed tries.
        for _ in 1...3 {
            await #expect(throws: NbtError.passwordRejected(response: 0x0000)) {
                try await commandSet.updateNdefMessage(
                    dataBytes: hex("D00000"),
                    writePassword: hex("00000000")
                )
            }
        }
        await #expect(throws: NbtError.passwordRejected(response: 0xFFFF)) {
            try await commandSet.updateNdefMessage(
                dataBytes: hex("D00000"),
                writePassword: PersonalisationFixture.update
            )
        }
        try await expectGenuine(card, fixture)

        // Unblocked by the master password.
        try await commandSet.selectApplication()
        try await commandSet.unblockPassword(
            passwordId: try PasswordId(2),
            masterPassword: PersonalisationFixture.master
        )
        try await commandSet.updateNdefMessage(
            dataBytes: message,
            writePassword: PersonalisationFixture.update
        )

        try await PersonalisationFixture.reset(InProcessChannel(card))
        #expect(CardState(card).isBlank(like: delivered))
    }

    private func expectGenuine(
        _ card: NBTApplication,
        _ fixture: PersonalisationFixture,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let manager = BpUseCaseManager(
            commandSet: commands(to: card),
            anchors: fixture.anchors,
            uid: fixture.uid
        )
        let result = try await manager.performBrandVerification()
        #expect(result.verdict == .genuine, sourceLocation: sourceLocation)
    }
}
