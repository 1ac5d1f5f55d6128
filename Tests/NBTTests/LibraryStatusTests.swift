import APDU
import Foundation
import NBT
import TestSupport
import Testing
import VirtualReader

/// The status words that the library's own commands can meet, met on a virtual tag.
@Suite struct LibraryStatusTests {
    private let one: PasswordId
    private let two: PasswordId
    private let master = hex("11223344")

    init() throws {
        one = try PasswordId(1)
        two = try PasswordId(2)
    }

    private func definition(_ id: PasswordId, tries: UInt8 = 3) throws -> PasswordDefinition {
        try PasswordDefinition(
            id: id,
            password: id == one ? master : hex("AABBCCDD"),
            response: id == one ? 0x9001 : 0x9002,
            limit: .tries(tries)
        )
    }

    /// A tag whose access policies need password 1.
    private func locked() async throws -> (NBTApplication, NbtCommandSet) {
        let card = try NBTApplication()
        let commandSet = commands(to: card)
        try await commandSet.selectApplication()
        try await commandSet.createPassword(try definition(one))
        try await commandSet.createPassword(try definition(two, tries: 1))
        var policy = FileAccessPolicies.delivery[.fileAccessPolicy]
        policy.nfcWrite = .password(one)
        try await commandSet.updateFap(fapPolicy: policy)
        return (card, commandSet)
    }

    private func expect(
        _ command: NbtCommand,
        _ status: StatusWord,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("no error", sourceLocation: sourceLocation)
        } catch {
            #expect(
                error as? NbtError == .status(command, status),
                sourceLocation: sourceLocation
            )
        }
    }

    @Test("password commands are refused by the status words of the sheet (2.5)")
    func passwords() async throws {
        let (_, commandSet) = try await locked()
        let wrong = hex("00000000")
        let three = try PasswordId(3)
        let new = try PasswordDefinition(
            id: three,
            password: wrong,
            response: 1,
            limit: .unlimited
        )
        await expect(.createPassword, .securityStatusNotSatisfied) {
            try await commandSet.createPassword(new)
        }
        await expect(.createPassword, .conditionsNotSatisfied) {
            try await commandSet.createPassword(try definition(two), masterPassword: master)
        }
        await expect(.deletePassword, .securityStatusNotSatisfied) {
            try await commandSet.deletePassword(passwordId: two)
        }
        await expect(.deletePassword, .referencedDataNotFound) {
            try await commandSet.deletePassword(passwordId: three, masterPassword: master)
        }
        await expect(.changePassword, .conditionsNotSatisfied) {
            try await commandSet.changePassword(passwordId: two, newPassword: wrong)
        }
        await expect(.changePassword, .referencedDataNotFound) {
            try await commandSet.changePassword(
                passwordId: three,
                newPassword: wrong,
                masterPassword: master
            )
        }
        await expect(.unblockPassword, .conditionsNotSatisfied) {
            try await commandSet.unblockPassword(passwordId: two)
        }
        await expect(.unblockPassword, .referencedDataNotFound) {
            try await commandSet.unblockPassword(passwordId: three, masterPassword: master)
        }
        for _ in 1...3 {
            await expect(.unblockPassword, .securityStatusNotSatisfied) {
                try await commandSet.unblockPassword(passwordId: two, masterPassword: wrong)
            }
        }
        // Three wrong tries: the master itself is blocked now.
        await expect(.unblockPassword, .conditionsNotSatisfied) {
            try await commandSet.unblockPassword(passwordId: two, masterPassword: master)
        }
    }

    @Test("a wrong password is answered 0000, a blocked one FFFF, and both are errors")
    func rejected() async throws {
        let (card, commandSet) = try await locked()
        var policy = FileAccessPolicies.delivery[.ndef]
        policy.nfcRead = .password(two)
        try await commandSet.updateFap(fapPolicy: policy, masterPassword: master)
        await #expect(throws: NbtError.passwordRejected(response: 0x0000)) {
            try await commandSet.readNdefMessage(readPassword: hex("00000000"))
        }
        #expect(card.triesLeft(ofPassword: 2) == 0)
        await #expect(throws: NbtError.passwordRejected(response: 0xFFFF)) {
            try await commandSet.readNdefMessage(readPassword: hex("AABBCCDD"))
        }
        await expect(.changePassword, .conditionsNotSatisfied) {
            try await commandSet.changePassword(
                passwordId: two,
                newPassword: hex("01020304"),
                masterPassword: master
            )
        }
        try await commandSet.unblockPassword(passwordId: two, masterPassword: master)
        try await commandSet.checkPassword(try definition(two), of: .ndef, for: .read)
        let message = try await commandSet.readNdefMessage(readPassword: hex("AABBCCDD"))
        #expect(message.isEmpty)
    }

    @Test("a chip that answers 6982 to a wrong password is understood too (9, question 4)")
    func strict() async throws {
        var settings = NBTApplication.Settings()
        settings.wrongPassword = .securityStatus
        let card = try NBTApplication(settings: settings)
        let commandSet = commands(to: card)
        try await commandSet.selectApplication()
        try await commandSet.createPassword(try definition(two))
        card.policies[.ndef].nfcRead = .password(2)
        await expect(.selectFile, .securityStatusNotSatisfied) {
            _ = try await commandSet.readNdefMessage(readPassword: hex("00000000"))
        }
    }

    @Test("a response that does not belong to the password, or none, is an error")
    func responses() async throws {
        let (_, commandSet) = try await locked()
        let other = try PasswordDefinition(
            id: one,
            password: master,
            response: 0x1234,
            limit: .tries(3)
        )
        await #expect(throws: NbtError.passwordResponseMismatch(one)) {
            try await commandSet.checkPassword(other, of: .fileAccessPolicy, for: .write)
        }
        try await commandSet.checkPassword(
            try definition(one),
            of: .fileAccessPolicy,
            for: .write
        )
        await #expect(
            throws: NbtError.wrongState("reading the NDEF file (E104) asks for no password")
        ) {
            try await commandSet.checkPassword(try definition(two), of: .ndef, for: .read)
        }
    }

    @Test("files are refused by the status words of the sheet (2.3)")
    func files() async throws {
        let (card, commandSet) = try await locked()
        await expect(.updateFap, .securityStatusNotSatisfied) {
            try await commandSet.updateFap(fapPolicy: FileAccessPolicies.delivery[.ndef])
        }
        await expect(.updateBinary, .securityStatusNotSatisfied) {
            try await commandSet.writeFile(.capabilityContainer, data: hex("FF"), at: 15)
        }
        await expect(.updateBinary, .wrongParameters) {
            try await commandSet.writeFile(.proprietary1, data: hex("FF"), at: 1024)
        }
        await expect(.readBinary, .wrongLength) {
            _ = try await commandSet.readFile(.proprietary1, range: 1024..<1025)
        }
        card.policies[.proprietary1] = .closed
        await expect(.readBinary, .securityStatusNotSatisfied) {
            _ = try await commandSet.readFile(.proprietary1)
        }
        await expect(.authenticateTag, .conditionsNotSatisfied) {
            _ = try await commandSet.authenticateTag(challenge: hex("AA"))
        }
        await expect(.getData, .wrongParameters) { _ = try await commandSet.getData(tag: 0xDF3C) }
        await expect(.selectFile, .notFound) { try await commandSet.selectFile(fileId: 0xE1A5) }
        card.reset()
        await expect(.readBinary, .instructionNotSupported) {
            _ = try await commandSet.readBinary(offset: 0, expectedLen: 1)
        }
    }

    @Test("personalisation is refused by the status words of the sheet (2.7)")
    func personalisation() async throws {
        let commandSet = commands(to: try NBTApplication())
        try await commandSet.selectApplication()
        let perso = NbtCommandSetPerso(commandSet)
        try await perso.personalizePassword(try definition(one))
        await expect(.personalizeData, .conditionsNotSatisfied) {
            try await perso.personalizePassword(try definition(one))
        }
        await expect(.personalizeData, .wrongData) {
            try await perso.personalizeFile(.proprietary1, offset: 1024, content: hex("EE"))
        }
        await expect(.personalizeData, .wrongData) {
            try await perso.personalizePrivateKey(Data(count: 32))
        }
        await #expect(throws: NbtError.self) {
            try await perso.finalizePersonalization(irrevocably: false)
        }
        try await perso.finalizePersonalization(irrevocably: true)
        await expect(.personalizeData, .conditionsNotSatisfied) {
            try await perso.personalizeLinkKey(Data(count: 16))
        }
    }

    @Test("personalising whole files and policies goes past the access conditions")
    func personalisesFiles() async throws {
        let card = try NBTApplication()
        let commandSet = commands(to: card)
        try await commandSet.selectApplication()
        let perso = NbtCommandSetPerso(commandSet)
        try await perso.personalizeFap(.brandProtection)
        #expect(card.contents(of: .accessPolicy) == FileAccessPolicies.brandProtection.encoded)
        let content = Data((0..<600).map { UInt8(truncatingIfNeeded: $0) })
        try await perso.personalizeFile(.ndef, offset: 2, content: content)
        #expect(card.contents(of: .ndef).dropFirst(2).prefix(600) == content)
        await #expect(throws: NbtError.self) {
            try await perso.personalizeFile(.capabilityContainer, content: content)
        }
    }

    @Test("N8: a write that is interrupted leaves an empty message, never a wrong one")
    func interruptedWrite() async throws {
        let message = Data((0..<600).map { UInt8(truncatingIfNeeded: $0 &+ 1) })
        let whole = InProcessChannel(try NBTApplication())
        let set = NbtCommandSet(channel: ApduChannel(channel: whole))
        try await set.selectApplication()
        try await set.updateNdefMessage(dataBytes: message)
        for number in 1...whole.commands.count {
            for loss in [InProcessChannel.Loss.before(number), .after(number)] {
                let card = try NBTApplication(ndefFile: hex("0003D00000"))
                let channel = InProcessChannel(card, loss: loss)
                let torn = NbtCommandSet(channel: ApduChannel(channel: channel))
                try? await torn.selectApplication()
                try? await torn.updateNdefMessage(dataBytes: message)
                let reader = commands(to: card)
                try await reader.selectApplication()
                let left = try await reader.readNdefMessage()
                #expect([Data(), hex("D00000"), message].contains(left), "\(loss)")
            }
        }
    }

    @Test("N7: a file shorter than its NLEN is an error with the tag's status word")
    func shortFile() async throws {
        var settings = NBTApplication.Settings()
        settings.ndefFileSize = 100
        let card = try NBTApplication(ndefFile: hex("012C") + Data(count: 98), settings: settings)
        let commandSet = commands(to: card)
        try await commandSet.selectApplication()
        await expect(.readBinary, .wrongLength) { _ = try await commandSet.readNdefMessage() }
    }

    @Test(
        "every setting of the open questions is worked with (part 9)",
        arguments: [1, 2, 16, 250]
    )
    func settings(maximumResponseData: UInt16) async throws {
        var settings = NBTApplication.Settings()
        settings.maximumResponseData = maximumResponseData
        settings.readAtEnd = .empty
        settings.failedSelectKeepsFile = false
        settings.successClearsTries = false
        let card = try NBTApplication(settings: settings)
        let commandSet = commands(to: card)
        try await commandSet.selectApplication()
        let content = Data((0..<300).map { UInt8(truncatingIfNeeded: $0) })
        try await commandSet.writeFile(.proprietary4, data: content, at: 100)
        let read = try await commandSet.readFile(.proprietary4, range: 100..<400)
        #expect(read == content)
        guard maximumResponseData > 1 else { return }
        try await commandSet.updateNdefMessage(dataBytes: content)
        let message = try await commandSet.readNdefMessage()
        #expect(message == content)
    }
}
