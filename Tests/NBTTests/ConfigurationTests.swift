import APDU
import Foundation
import NBT
import TestSupport
import Testing
import VirtualReader

/// The configurator (facts/nbt.md, 2.6).
@Suite struct ConfigurationTests {
    /// Every row of the sheet's table with a list of values.
    static let values: [(tag: UInt16, values: [String])] = [
        (0xC021, ["C33C", "5AA5"]), (0xC030, ["01", "02", "03", "04"]), (0xC031, ["01", "02"]),
        (0xC032, ["01", "02"]), (0xC033, ["01", "02", "03"]), (0xC034, ["01", "02", "03"]),
        (0xC041, ["01", "02"]), (0xC042, ["01", "02"]), (0xC053, ["00", "01"]),
        (0xC060, ["01", "10", "11"]),
        // AC95 enables the flash loader and is never offered.
        (0xC02F, ["FFFF"]),
    ]

    @Test("listed values are those of the sheet, and no others are sent", arguments: values)
    func choices(number: UInt16, values: [String]) throws {
        let tag = try #require(ConfigurationTag(rawValue: number))
        #expect(Set(tag.choices.map(\.value)) == Set(values.map(hex)))
        #expect(Set(tag.choices.map(\.name)).count == values.count)
        for value in values { #expect(tag.problem(with: hex(value)) == nil) }
        let other = Data(repeating: 0x77, count: try #require(tag.valueLength))
        #expect(tag.problem(with: other) != nil)
        #expect(throws: NbtError.self) {
            try NbtCommandBuilderConfig().setConfigData(tag: tag, data: other)
        }
    }

    @Test(
        "lengths are those of the sheet",
        arguments: [
            (0xC020, 16), (0xC021, 2), (0xC022, 8), (0xC02F, 2), (0xC040, 4), (0xC050, 14),
            (0xC051, 1), (0xC052, 312),
        ] as [(UInt16, Int)]
    )
    func lengths(number: UInt16, length: Int) {
        #expect(ConfigurationTag(rawValue: number)?.valueLength == length)
    }

    @Test("values are set and read on a tag, and the operational commands find their way back")
    func setsAndReads() async throws {
        let card = try NBTApplication()
        let operational = commands(to: card)
        let config = NbtCommandSetConfig(operational)
        try await config.set(GpioFunction.nfcI2cPassThroughIrqOutput)
        #expect(card.configuration(0xC030) == hex("04"))
        let function = try await config.get(GpioFunction.self)
        #expect(function == .nfcI2cPassThroughIrqOutput)
        let interfaces = try await config.get(CommunicationInterface.self)
        #expect(interfaces == .nfcAndI2c)
        try await operational.selectApplicationIfNeeded()
        let version = try await operational.getDataAppletVersion()
        #expect(version.major == 1)
        let memory = try await operational.getDataAvailableMemory()
        #expect(memory.nvm == 4096)
    }

    @Test("the longest value, C052, goes both ways with extended lengths")
    func longest() async throws {
        let card = try NBTApplication()
        let config = NbtCommandSetConfig(commands(to: card))
        let value = Data((0..<312).map { UInt8(truncatingIfNeeded: $0) })
        await #expect(throws: NbtError.self) {
            try await config.setConfigData(tag: .nfcRfHwConfiguration, data: value)
        }
        try await config.setConfigData(
            tag: .nfcRfHwConfiguration,
            data: value,
            irrevocably: true
        )
        let read = try await config.getConfigDataBytes(tag: .nfcRfHwConfiguration)
        #expect(read == value)
    }

    @Test("every known tag can be read from a tag")
    func readsAll() async throws {
        let config = NbtCommandSetConfig(commands(to: try NBTApplication()))
        for tag in ConfigurationTag.allCases {
            guard let length = tag.valueLength else { continue }
            let value = try await config.getConfigDataBytes(tag: tag)
            #expect(value.count == length)
            #expect(!tag.text(of: value).isEmpty)
        }
    }

    @Test("what locks a tag out or up is not sent without consent")
    func consent() async throws {
        let card = try NBTApplication()
        let config = NbtCommandSetConfig(commands(to: card))
        await expectConsent { try await config.set(CommunicationInterface.i2cOnly) }
        await expectConsent { try await config.set(ProductLifeCycleState.operational) }
        #expect(card.configuration(0xC060) == hex("11"))
        #expect(card.configuration(0xC021) == hex("5AA5"))
        try await config.set(ProductLifeCycleState.operational, irrevocably: true)
        let locked = NbtError.status(.setConfiguration, .conditionsNotSatisfied)
        await #expect(throws: locked) { try await config.set(GpioFunction.disabled) }
    }

    @Test("the flash loader cannot be enabled, and read-only values cannot be written")
    func neverSent() {
        let builder = NbtCommandBuilderConfig()
        #expect(throws: NbtError.self) {
            try builder.setConfigData(tag: .flashLoader, data: hex("AC95"))
        }
        #expect(throws: NbtError.self) {
            try builder.setConfigData(tag: .productShortName, data: Data(count: 16))
        }
    }

    private func expectConsent(
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("no error", sourceLocation: sourceLocation)
        } catch {
            guard case .needsConsent(.setConfiguration, _)? = error as? NbtError else {
                Issue.record("\(error)", sourceLocation: sourceLocation)
                return
            }
        }
    }
}
