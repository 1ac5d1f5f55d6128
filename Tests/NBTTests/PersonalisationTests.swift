import APDU
import BrandProtection
import Foundation
import NBT
import TestSupport
import Testing
import VirtualReader

/// Personalisation and reset, whole and interrupted after each exchange (facts/nbt.md, 1.4, 1.5,
/// 1.8 and 2.10).
@Suite struct PersonalisationTests {
    @Test("a blank tag is personalised, and nothing is left to do")
    func personalises() async throws {
        let fixture = try PersonalisationFixture()
        let card = try NBTApplication()
        let channel = InProcessChannel(card)
        try await fixture.personalise(channel)

        #expect(card.contents(of: .accessPolicy) == fixture.plan.policies.encoded)
        #expect(
            card.contents(of: .capabilityContainer).dropFirst(0x0F)
                == hex("0506E1A10400FFFF0506E1A20400FFFF0506E1A30400FFFF0506E1A40400FFFF")
        )
        let message = try #require(fixture.content.message)
        let length = UInt16(message.count)
        #expect(
            card.contents(of: .ndef).prefix(message.count + 2)
                == Data([UInt8(length >> 8), UInt8(length & 0xFF)]) + message
        )
        #expect(card.passwordIdentifiers == [1, 2, 31])
        #expect(card.triesLeft(ofPassword: 1) == 3)
        #expect(card.isFinalised)
        #expect(card.configuration(0xC030) == hex("01"))
        #expect(card.configuration(0xC060) == hex("11"))

        let result = try await verify(card, fixture)
        #expect(result.verdict == .genuine)

        let before = CardState(card)
        let states = try await fixture.manager(InProcessChannel(card)).inspect(fixture.plan)
        #expect(!states.contains(.toDo))
        try await fixture.personalise(InProcessChannel(card))
        #expect(CardState(card) == before)
    }

    @Test("a blank tag is found to have everything still to be done")
    func inspectsBlank() async throws {
        let fixture = try PersonalisationFixture()
        let card = try NBTApplication()
        let before = CardState(card)
        let states = try await fixture.manager(InProcessChannel(card)).inspect(fixture.plan)
        #expect(states.first == .toDo)
        #expect(states.filter { $0 == .done }.count < states.count / 2)
        #expect(CardState(card) == before)
    }

    @Test("personalisation interrupted after each exchange is brought to its end")
    func resumes() async throws {
        let fixture = try PersonalisationFixture()
        let whole = try NBTApplication()
        let channel = InProcessChannel(whole)
        try await fixture.personalise(channel)
        let wanted = CardState(whole)
        let count = channel.commands.count
        #expect(count > 40)

        for number in 1...count {
            for loss in [InProcessChannel.Loss.before(number), .after(number)] {
                let card = try NBTApplication()
                await #expect(throws: InProcessChannel.Lost(), "\(loss)") {
                    try await fixture.personalise(InProcessChannel(card, loss: loss))
                }
                try await fixture.personalise(InProcessChannel(card))
                #expect(CardState(card) == wanted, "\(loss)")
                let result = try await verify(card, fixture)
                #expect(result.verdict == .genuine, "\(loss)")
            }
        }
    }

    @Test("personalisation interrupted after each exchange is taken back")
    func takesBack() async throws {
        let fixture = try PersonalisationFixture()
        let delivered = CardState(try NBTApplication())
        let whole = InProcessChannel(try NBTApplication())
        try await fixture.personalise(whole)
        for number in 1...whole.commands.count {
            for loss in [InProcessChannel.Loss.before(number), .after(number)] {
                let card = try NBTApplication()
                await #expect(throws: InProcessChannel.Lost(), "\(loss)") {
                    try await fixture.personalise(InProcessChannel(card, loss: loss))
                }
                try await PersonalisationFixture.reset(InProcessChannel(card))
                #expect(CardState(card).isBlank(like: delivered), "\(loss)")
            }
        }
    }

    @Test("a reset interrupted after each exchange is brought to its end")
    func resumesReset() async throws {
        let fixture = try PersonalisationFixture(finalises: false)
        let delivered = CardState(try NBTApplication())
        let whole = try NBTApplication()
        try await fixture.personalise(InProcessChannel(whole))
        let channel = InProcessChannel(whole)
        try await PersonalisationFixture.reset(channel)
        #expect(CardState(whole).isBlank(like: delivered))

        for number in 1...channel.commands.count {
            for loss in [InProcessChannel.Loss.before(number), .after(number)] {
                let card = try NBTApplication()
                try await fixture.personalise(InProcessChannel(card))
                await #expect(throws: InProcessChannel.Lost(), "\(loss)") {
                    try await PersonalisationFixture.reset(InProcessChannel(card, loss: loss))
                }
                try await PersonalisationFixture.reset(InProcessChannel(card))
                #expect(CardState(card).isBlank(like: delivered), "\(loss)")
            }
        }
    }

    @Test("a blank tag again can be personalised again")
    func again() async throws {
        let fixture = try PersonalisationFixture(finalises: false)
        let card = try NBTApplication()
        try await fixture.personalise(InProcessChannel(card))
        let first = CardState(card)
        try await PersonalisationFixture.reset(InProcessChannel(card))
        try await fixture.personalise(InProcessChannel(card))
        #expect(CardState(card) == first)
    }

    @Test(
        "the tables of the sheet for the other use cases",
        arguments: [
            (
                NbtUseCase.brandProtection,
                "E10300004000 E10400004000 E1A100000000 E1A200000000 E1A300000000 E1A400000000",
                "0506E1A10400FFFF 0506E1A20400FFFF 0506E1A30400FFFF 0506E1A40400FFFF", "01"
            ),
            (
                // Vector 134.
                .asynchronousDataTransfer,
                "E10340004000 E10440404000 E1A140004040 E1A240404000 E1A300000000 E1A400000000",
                "0506E1A104000000 0506E1A2040000FF 0506E1A30400FFFF 0506E1A40400FFFF", "03"
            ),
            (
                // Vector 135.
                .passThrough,
                "E10340004000 E10440404000 E1A100000000 E1A200000000 E1A300000000 E1A400000000",
                "0506E1A10400FFFF 0506E1A20400FFFF 0506E1A30400FFFF 0506E1A40400FFFF", "04"
            ),
            (
                .connectionHandover,
                "E10340004000 E10440404000 E1A100000000 E1A200000000 E1A300000000 E1A400000000",
                "0506E1A10400FFFF 0506E1A20400FFFF 0506E1A30400FFFF 0506E1A40400FFFF", "04"
            ),
        ]
    )
    func tables(
        useCase: NbtUseCase,
        policies: String,
        controls: String,
        function: String
    ) async throws {
        let card = try NBTApplication()
        let plan = try PersonalisationPlan(PersonalisationPlan.Content(for: useCase))
        try await PersonalisationManager(commandSet: commands(to: card)).execute(plan)
        #expect(card.contents(of: .accessPolicy) == hex(policies + "E1AF40404040"))
        #expect(card.contents(of: .capabilityContainer).dropFirst(0x0F) == hex(controls))
        #expect(card.configuration(0xC030) == hex(function))
    }

    @Test("a tag in another state is refused before anything is written")
    func refusesOtherStates() async throws {
        let fixture = try PersonalisationFixture()
        let other = try NBTApplication()
        let plan = try PersonalisationPlan(PersonalisationPlan.Content(for: .passThrough))
        try await PersonalisationManager(commandSet: commands(to: other)).execute(plan)
        let before = CardState(other)
        await expectWrongState { try await fixture.personalise(InProcessChannel(other)) }
        #expect(CardState(other) == before)

        // A policy in the middle of the order that is nobody's.
        let strange = try NBTApplication()
        strange.policies[.proprietary3].nfcRead = .never
        await expectWrongState { try await fixture.personalise(InProcessChannel(strange)) }
        // The plan's own last policy, but not those before it.
        let reversed = try NBTApplication()
        reversed.policies[.proprietary4] = .closed
        await expectWrongState { try await fixture.personalise(InProcessChannel(reversed)) }
    }

    @Test("a tag whose message is another one and closed is refused")
    func refusesOtherMessage() async throws {
        var content = PersonalisationPlan.Content(for: .brandProtection)
        content.message = hex("D00000")
        let plan = try PersonalisationPlan(content)
        let card = try NBTApplication()
        try await PersonalisationManager(commandSet: commands(to: card)).execute(plan)
        content.message = hex("D1010355036161")
        let other = try PersonalisationPlan(content)
        await expectWrongState {
            try await PersonalisationManager(commandSet: commands(to: card)).execute(other)
        }
    }

    @Test("a password of another plan is refused")
    func refusesOtherPassword() async throws {
        let fixture = try PersonalisationFixture()
        let card = try NBTApplication()
        try await fixture.personalise(InProcessChannel(card))
        var content = fixture.content
        content.passwords[0] = try PasswordDefinition(
            id: try PasswordId(1),
            password: PersonalisationFixture.master,
            response: 0x7777,
            limit: .tries(3)
        )
        let plan = try PersonalisationPlan(content)
        let manager = fixture.manager(InProcessChannel(card))
        await #expect(throws: NbtError.passwordResponseMismatch(try PasswordId(1))) {
            try await manager.execute(plan, irrevocably: true)
        }
    }

    @Test("an NBT1000 takes no key, and says so at the first step")
    func nbt1000() async throws {
        var settings = NBTApplication.Settings()
        settings.variant = .nbt1000
        let fixture = try PersonalisationFixture()
        let card = try NBTApplication(settings: settings)
        let error = NbtError.status(.personalizeData, .conditionsNotSatisfied)
        await #expect(throws: error) { try await fixture.personalise(InProcessChannel(card)) }
        #expect(card.contents(of: .ndef).allSatisfy { $0 == 0 })
    }

    @Test("what cannot be undone is not done without consent")
    func consent() async throws {
        let fixture = try PersonalisationFixture()
        let card = try NBTApplication()
        #expect(fixture.plan.consequences == ["keys can never be stored again"])
        let channel = InProcessChannel(card)
        let expected = NbtError.needsConsent(
            .personalizeData,
            "keys can never be stored again"
        )
        await #expect(throws: expected) {
            try await fixture.manager(channel).execute(fixture.plan)
        }
        #expect(channel.commands.isEmpty)
    }

    @Test("a reset without the master password, or of a closed policy, is refused")
    func refusesReset() async throws {
        let fixture = try PersonalisationFixture()
        let card = try NBTApplication()
        try await fixture.personalise(InProcessChannel(card))
        let before = CardState(card)
        let blind = try PersonalisationPlan.reset()
        await expectWrongState {
            try await PersonalisationManager(commandSet: commands(to: card)).execute(blind)
        }
        #expect(CardState(card) == before)
        // A wrong one uses up a try and changes nothing else.
        let wrong = try PersonalisationPlan.reset(masterPassword: hex("00000000"))
        await #expect(throws: NbtError.passwordRejected(response: 0)) {
            try await PersonalisationManager(commandSet: commands(to: card)).execute(wrong)
        }
        #expect(card.triesLeft(ofPassword: 1) == 2)
        #expect(card.contents(of: .accessPolicy) == before.contents[.accessPolicy])

        card.policies[.accessPolicy].nfcWrite = .never
        await expectWrongState {
            try await PersonalisationFixture.reset(InProcessChannel(card))
        }
    }

    @Test("a plan that contradicts itself is none")
    func contradictions() throws {
        var content = PersonalisationPlan.Content(for: .passThrough)
        content.policies[.ndef].nfcRead = .password(try PasswordId(7))
        expectInvalid(content)
        content = PersonalisationPlan.Content(for: .passThrough)
        content.privateKey = SecretKey(Data(count: 31))
        expectInvalid(content)
        content = PersonalisationPlan.Content(for: .passThrough)
        content.linkKey = SecretKey(Data(count: 17))
        expectInvalid(content)
        content = PersonalisationPlan.Content(for: .passThrough)
        content.configuration.append(ConfigurationItem(GpioFunction.disabled))
        expectInvalid(content)
        content = PersonalisationPlan.Content(for: .passThrough)
        content.policies[.fileAccessPolicy].nfcRead = .never
        expectInvalid(content)
        content = PersonalisationPlan.Content(for: .passThrough)
        content.message = Data(count: 4095)
        #expect(throws: NbtError.ndefMessageTooLong(length: 4095)) {
            try PersonalisationPlan(content)
        }
    }

    @Test("printing a plan shows no secrets")
    func printsNoSecrets() throws {
        let fixture = try PersonalisationFixture()
        var text = fixture.plan.steps.map { "\($0)" }.joined(separator: "\n")
        dump(fixture.plan, to: &text)
        print(fixture.plan, to: &text)
        let key = try #require(fixture.content.privateKey).bytes
        let secrets = [key, hex("000102030405060708090A0B0C0D0E0F")]
        for secret in secrets {
            #expect(!text.contains(secret.base64EncodedString()))
            #expect(!text.lowercased().contains(secret.map { String(format: "%02x", $0) }.joined()))
        }
        #expect(text.contains("create password 1, blocked after 3 wrong tries"))
        #expect(!text.contains("11223344"))
        // `dump` of Data writes its bytes as decimal numbers, one a line.
        #expect(!text.filter { !$0.isWhitespace }.contains("-17-34-51-68"))
    }

    private func verify(
        _ card: NBTApplication,
        _ fixture: PersonalisationFixture
    ) async throws -> BrandVerification {
        let manager = BpUseCaseManager(
            commandSet: commands(to: card),
            anchors: fixture.anchors,
            uid: fixture.uid
        )
        return try await manager.performBrandVerification()
    }

    private func expectInvalid(
        _ content: PersonalisationPlan.Content,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do throws(NbtError) {
            _ = try PersonalisationPlan(content)
            Issue.record("no error", sourceLocation: sourceLocation)
        } catch {
            guard case .invalidPlan = error else {
                Issue.record("\(error)", sourceLocation: sourceLocation)
                return
            }
        }
    }

    private func expectWrongState(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("no error", sourceLocation: sourceLocation)
        } catch {
            guard case .wrongState? = error as? NbtError else {
                Issue.record("\(error)", sourceLocation: sourceLocation)
                return
            }
        }
    }
}
