#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The configuration tags with known lengths (facts/nbt.md, 2.6).
///
/// C061 and C062 are left out: their lengths are not known.
enum NBTConfigurationTag: UInt16, CaseIterable {
    case productShortName = 0xC020
    case productLifeCycle = 0xC021
    case softwareVersion = 0xC022
    case flashLoader = 0xC02F
    case gpioFunction = 0xC030
    case gpioAssertLevel = 0xC031
    case gpioOutputType = 0xC032
    case gpioPull = 0xC033
    case nfcInterruptEvent = 0xC034
    case i2cIdleTimeout = 0xC040
    case i2cDriveStrength = 0xC041
    case i2cSpeed = 0xC042
    case ats = 0xC050
    case waitingTimeMode = 0xC051
    case radioHardware = 0xC052
    case anticollisionUID = 0xC053
    case interfaces = 0xC060

    /// Values of the product life cycle.
    static let operational = Data([0xC3, 0x3C])
    static let personalisation = Data([0x5A, 0xA5])

    /// The length of the value in bytes.
    var length: Int {
        switch self {
        case .productShortName: 16
        case .softwareVersion: 8
        case .productLifeCycle, .flashLoader: 2
        case .i2cIdleTimeout: 4
        case .ats: 14
        case .radioHardware: 312
        default: 1
        }
    }

    var isReadOnly: Bool { self == .productShortName || self == .softwareVersion }

    /// Whether a value has the right length and is one of the listed values, where there is a list.
    func accepts(_ value: Data) -> Bool {
        guard value.count == length else { return false }
        guard let allowed else { return true }
        return allowed.contains(value)
    }

    private var allowed: [Data]? {
        switch self {
        case .productLifeCycle: [Self.operational, Self.personalisation]
        case .flashLoader: [Data([0xAC, 0x95]), Data([0xFF, 0xFF])]
        case .gpioFunction: [1, 2, 3, 4].map { Data([$0]) }
        case .gpioPull, .nfcInterruptEvent: [1, 2, 3].map { Data([$0]) }
        case .gpioAssertLevel, .gpioOutputType, .i2cDriveStrength, .i2cSpeed:
            [1, 2].map { Data([$0]) }
        case .anticollisionUID: [0x00, 0x01].map { Data([$0]) }
        case .interfaces: [0x01, 0x10, 0x11].map { Data([$0]) }
        default: nil
        }
    }
}

/// The configurator application (facts/nbt.md, 2.6).
extension NBTDevice {
    /// What C053 and C060 mean for the chip on air (facts/nbt.md, 1.1 and 2.6).
    var airInterface: AirInterface {
        if configuration[.interfaces] == Data([0x01]) { return .off }
        return configuration[.anticollisionUID] == Data([0x01]) ? .randomUID : .asMade
    }

    mutating func configurator(_ command: CardCommand) throws(Refusal) -> Data {
        switch (command.cla, command.ins) {
        case (0x00, 0xA4): return try selectApplication(command)
        case (0x20, 0x20): return try setConfiguration(command)
        case (0x20, 0x30): return try getConfiguration(command)
        case (0x00, _), (0x20, _): throw .unknownInstruction
        default: throw .unknownClass
        }
    }

    /// SET CONFIGURATION.
    ///
    /// The life cycle "operational" locks everything for good.
    private mutating func setConfiguration(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.parameters == 0 else { throw .wrongParameters }
        guard !command.data.isEmpty, command.le == nil else { throw .wrongLength }
        guard configuration[.productLifeCycle] != NBTConfigurationTag.operational else {
            throw .conditionsOfUse
        }
        let item = try NBTDataItem(command.data)
        guard let tag = NBTConfigurationTag(rawValue: item.tag) else { throw .wrongData }
        guard !tag.isReadOnly else { throw .conditionsOfUse }
        guard tag.accepts(item.value) else { throw .wrongData }
        configuration[tag] = item.value
        return Data()
    }

    /// GET CONFIGURATION answers with or without Le, as long as the answer fits.
    ///
    /// Unset values are zero.
    private func getConfiguration(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.parameters == 0 else { throw .wrongParameters }
        guard command.data.count == 2 else { throw .wrongLength }
        guard
            let tag = NBTConfigurationTag(rawValue: command.data.reduce(0) { $0 << 8 | UInt16($1) })
        else { throw .wrongData }
        let value = configuration[tag] ?? Data(count: tag.length)
        let answer = NBTDataItem(tag: tag.rawValue, value: value).bytes
        guard answer.count <= command.le ?? 256 else { throw .wrongLength }
        return answer
    }
}
