import APDU
import Foundation
import NBT
import NDEF
import TestSupport
import Testing
import VirtualReader

/// Connection handover from the tag to what it means (facts/nbt.md, 4.4).
@Suite struct HandoverTests {
    static let type = "6170706C69636174696F6E2F766E642E626C7565746F6F74682E"

    private func read(_ message: Data) async throws -> ConnectionHandover {
        let length = UInt16(message.count)
        let file = Data([UInt8(length >> 8), UInt8(length & 0xFF)]) + message
        let card = try NBTApplication(ndefFile: file)
        return try await ChUseCaseManager(commandSet: commands(to: card)).readHandover()
    }

    @Test("vector 114: the pairing data of the app's tag")
    func bluetooth() async throws {
        let handover = try await read(
            hex("D2200D" + Self.type + "65702E6F6F62" + "0D00AABBCCDDEEFF04094E4254")
        )
        #expect(handover.carriers.count == 1)
        guard case .bluetooth(let device)? = handover.carriers.first?.content else {
            Issue.record("\(handover)")
            return
        }
        // Little-endian on the wire: what the app's user typed as AABBCCDDEEFF, phones see
        // reversed (P5).
        #expect("\(device.address)".uppercased().filter { $0 != ":" } == "FFEEDDCCBBAA")
        #expect(handover.carriers.first?.powerState == nil)
    }

    @Test("vector 123: the Bluetooth LE data of the keyboard example")
    func bluetoothLe() async throws {
        let handover = try await read(
            hex(
                "D2204E" + Self.type + "6C652E6F6F62" + "081BFFFFFFFFFFFF00 021C00 04094E4254"
                    + "0319C203 1110" + String(repeating: "00", count: 16) + "1122"
                    + String(repeating: "FF", count: 16) + "1123"
                    + String(repeating: "FF", count: 16) + "020106"
            )
        )
        guard case .bluetoothLe(let device)? = handover.carriers.first?.content else {
            Issue.record("\(handover)")
            return
        }
        #expect(device.role == .peripheralOnly)
        #expect(device.addressType == .public)
    }

    @Test("vector 122: a handover select record refers to its carrier")
    func handoverSelect() async throws {
        let wifi = "6170706C69636174696F6E2F766E642E7766612E777363"
        let handover = try await read(
            hex("91020A487313D10204616301013000" + "5A170401" + wifi + "30" + "104A0001")
        )
        let carrier = try #require(handover.carriers.first)
        #expect(handover.carriers.count == 1)
        #expect(carrier.powerState == .active)
        #expect(carrier.record.identifier == hex("30"))
        guard case .mime(let record) = carrier.content else {
            Issue.record("\(carrier)")
            return
        }
        #expect(record.type == "application/vnd.wfa.wsc")
    }

    @Test("a message without a way to connect, and none at all, are errors")
    func nothing() async throws {
        await #expect(throws: NbtError.self) {
            _ = try await read(hex("D1010D5501696E66696E656F6E2E636F6D"))
        }
        await #expect(throws: NbtError.recordNotFound("message at all")) {
            _ = try await read(Data())
        }
        await #expect(throws: NDEFError.self) { _ = try await read(hex("D1")) }
    }

    @Test("a tag is prepared for a device, and the phone finds it")
    func prepares() async throws {
        let address = try #require(BluetoothAddress("05:A1:B2:C3:D4:E5"))
        let card = try NBTApplication()
        let content = try PersonalisationPlan.Content.connectionHandover(
            to: BluetoothRecord(address: address)
        )
        try await PersonalisationManager(commandSet: commands(to: card))
            .execute(try PersonalisationPlan(content))
        let handover = try await ChUseCaseManager(commandSet: commands(to: card)).readHandover()
        guard case .bluetooth(let device)? = handover.carriers.first?.content else {
            Issue.record("\(handover)")
            return
        }
        #expect(device.address == address)
        // P5: what is typed first is stored last.
        #expect(card.contents(of: .ndef).firstRange(of: hex("E5D4C3B2A105")) != nil)
    }
}
