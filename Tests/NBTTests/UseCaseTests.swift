import APDU
import Foundation
import NBT
import TestSupport
import Testing
import VirtualReader

/// Asynchronous data transfer and pass-through against a virtual chip with a host (facts/nbt.md, 4.1
/// to 4.3).
@Suite struct UseCaseTests {
    private func prepared(
        _ useCase: NbtUseCase,
        host: DemonstrationHost?
    ) async throws -> NBTApplication {
        let card = try NBTApplication(host: host)
        let plan = try PersonalisationPlan(PersonalisationPlan.Content(for: useCase))
        try await PersonalisationManager(commandSet: commands(to: card)).execute(plan)
        return card
    }

    @Test("the LED is switched through the mailbox, and its state comes back the same way")
    func mailbox() async throws {
        let host = DemonstrationHost()
        let card = try await prepared(.asynchronousDataTransfer, host: host)
        for isOn in [true, false, true] {
            try await AdtUseCaseManager(commandSet: commands(to: card)).setLed(on: isOn)
            // Not yet: the field keeps the host out.
            #expect(host.isLedOn != isOn)
            card.reset()
            #expect(host.isLedOn == isOn)
            let read = try await AdtUseCaseManager(commandSet: commands(to: card)).isLedOn()
            #expect(read == isOn)
        }
    }

    @Test("the mailbox's exchanges are those of the sheet (4.1, P3)")
    func mailboxExchanges() async throws {
        let card = try await prepared(.asynchronousDataTransfer, host: DemonstrationHost())
        let channel = InProcessChannel(card)
        let adt = AdtUseCaseManager(
            commandSet: NbtCommandSet(channel: ApduChannel(channel: channel))
        )
        try await adt.setLed(on: true)
        _ = try await adt.isLedOn()
        #expect(
            channel.commands
                == [
                    "00A4040007D276000085010100", "00A4000C02E1A100", "00D600000101",
                    "00A4000C02E1A200", "00B0000001",
                ].map(hex)
        )
    }

    @Test("vector 137: the host's exchanges are those of a real host")
    func hostExchanges() async throws {
        let host = DemonstrationHost()
        let card = try await prepared(.asynchronousDataTransfer, host: host)
        try await AdtUseCaseManager(commandSet: commands(to: card)).setLed(on: true)
        let before = host.exchanges.count
        card.reset()
        let exchanges = host.exchanges.dropFirst(before)
        #expect(
            exchanges.map(\.command)
                == [
                    "00A4040007D276000085010100", "00A4000C02E1A100", "00B0000001",
                    "00A4000C02E1A200", "00D600000101",
                ].map(hex)
        )
        #expect(exchanges.map(\.answer) == ["9000", "9000", "019000", "9000", "9000"].map(hex))
    }

    @Test("the mailbox's directions are enforced")
    func directions() async throws {
        let card = try await prepared(.asynchronousDataTransfer, host: nil)
        let commandSet = commands(to: card)
        try await commandSet.selectApplication()
        let refused = NbtError.status(.updateBinary, .securityStatusNotSatisfied)
        await #expect(throws: refused) {
            try await commandSet.writeFile(.proprietary2, data: hex("01"))
        }
        let unprepared = try await prepared(.passThrough, host: nil)
        let adt = AdtUseCaseManager(commandSet: commands(to: unprepared))
        await #expect(throws: refused) { try await adt.setLed(on: true) }
    }

    @Test("a long message goes through the mailbox in pieces")
    func longMessage() async throws {
        let card = try await prepared(.asynchronousDataTransfer, host: nil)
        let adt = AdtUseCaseManager(commandSet: commands(to: card))
        let message = Data((0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 3) })
        try await adt.send(message, at: 24)
        #expect(card.contents(of: .proprietary1) == Data(count: 24) + message)
        try card.overwrite(.proprietary2, with: message)
        let received = try await adt.receive(0..<1000)
        #expect(received == message)
    }

    @Test("pass-through switches the LED with the sheet's bytes (4.2)")
    func passThrough() async throws {
        let host = DemonstrationHost()
        let card = try await prepared(.passThrough, host: host)
        let channel = InProcessChannel(card)
        let passThrough = PtUseCaseManager(
            commandSet: NbtCommandSet(channel: ApduChannel(channel: channel))
        )
        try await passThrough.setLed(on: true)
        #expect(host.isLedOn)
        try await passThrough.setLed(on: false)
        #expect(!host.isLedOn)
        #expect(
            channel.commands == ["00A4040005010203040500", "00000001", "00000000"].map(hex)
        )
    }

    @Test("vector 138: the host fetches and answers as a real one")
    func fetching() async throws {
        let host = DemonstrationHost()
        let card = try NBTApplication(host: host)
        for command in [
            "00A404000DD276000004150200000B00010100", "2020000004C0300104",
        ] { _ = card.respond(to: hex(command)) }
        // Android's form, without Le, as in the log.
        #expect(card.respond(to: hex("00A40400050102030405")) == hex("9000"))
        #expect(card.respond(to: hex("00000001")) == hex("9000"))
        #expect(
            host.exchanges.map(\.command)
                == ["38CA0000", "38DA0000029000", "38CA0000", "38DA0000029000"].map(hex)
        )
        #expect(
            host.exchanges.map(\.answer)
                == [
                    "007F 00A40400050102030405 9000", "9000", "0007 00000001 9000", "9000",
                ].map(hex)
        )
    }

    @Test(
        "the host's status words are errors with their meaning",
        arguments: [
            ("00000002", 0x6B00), ("0000000001AA", 0x6A80), ("00010000", 0x6D00),
            ("80000000", 0x6E00),
        ] as [(String, UInt16)]
    )
    func hostStatus(command: String, status: UInt16) async throws {
        let card = try await prepared(.passThrough, host: DemonstrationHost())
        let passThrough = PtUseCaseManager(commandSet: commands(to: card))
        let response = try await passThrough.send(try CommandAPDU(encoded: hex(command)))
        #expect(response.statusWord.rawValue == status)
        #expect(!NbtCommand.hostCommand.meaning(of: response.statusWord).isEmpty)
    }

    @Test("an application that neither chip nor host has is not found")
    func otherAid() async throws {
        let card = try await prepared(.passThrough, host: DemonstrationHost())
        let other = PtUseCaseManager(commandSet: commands(to: card), aid: hex("F001020304"))
        let notFound = NbtError.status(.selectHostApplication, .notFound)
        await #expect(throws: notFound) { try await other.select() }
        // And none at all goes to the host of a chip whose GPIO is for something else.
        let unprepared = try NBTApplication(host: DemonstrationHost())
        let passThrough = PtUseCaseManager(commandSet: commands(to: unprepared))
        await #expect(throws: notFound) { try await passThrough.select() }
    }

    @Test("without its host the chip stays silent")
    func absentHost() async throws {
        let card = try await prepared(.passThrough, host: nil)
        let passThrough = PtUseCaseManager(commandSet: commands(to: card))
        await #expect(throws: APDUError.responseTooShort(count: 0)) {
            try await passThrough.setLed(on: true)
        }
    }

    @Test("selecting the chip's own application ends pass-through")
    func leaves() async throws {
        let card = try await prepared(.passThrough, host: DemonstrationHost())
        let commandSet = commands(to: card)
        try await PtUseCaseManager(commandSet: commandSet).setLed(on: true)
        try await commandSet.selectApplicationIfNeeded()
        let policies = try await commandSet.readFap()
        #expect(policies == .passThrough)
        let own = PtUseCaseManager(commandSet: commandSet, aid: NbtConstants.aid)
        await #expect(throws: NbtError.self) { try await own.select() }
    }
}
