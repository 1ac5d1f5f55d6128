import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What can be configured (facts/nbt.md, 2.6).
public enum ConfigurationTag: UInt16, Sendable, Hashable, CaseIterable {
    /// 16 bytes of text, read only.
    case productShortName = 0xC020
    /// `ProductLifeCycleState`, 2 bytes.
    case productLifeCycle = 0xC021
    /// 8 bytes, read only.
    case swVersionInfo = 0xC022
    /// `FlashLoaderState`, 2 bytes.
    case flashLoader = 0xC02F
    /// `GpioFunction`.
    case gpioFunction = 0xC030
    /// `GpioAssertLevel`.
    case gpioAssertLevel = 0xC031
    /// `GpioOutputType`.
    case gpioOutputType = 0xC032
    /// `GpioPullType`.
    case gpioPullType = 0xC033
    /// `NfcIrqEventType`.
    case nfcIrqEventType = 0xC034
    /// 4 bytes; the unit is not known.
    case i2cIdleTimeout = 0xC040
    /// `I2cDriveStrength`.
    case i2cDriveStrength = 0xC041
    /// `I2cSpeed`.
    case i2cSpeed = 0xC042
    /// 14 bytes of the answer to select.
    case nfcAtsConfiguration = 0xC050
    /// 1 byte; the values are not known.
    case nfcWtxMode = 0xC051
    /// 312 bytes for the radio hardware.
    case nfcRfHwConfiguration = 0xC052
    /// `NfcUidType`.
    case nfcUidTypeForAntiCollision = 0xC053
    /// `CommunicationInterface`.
    case communicationInterfaceEnable = 0xC060
    /// Whether power management limits the current; length and values are not known.
    case currentLimitEnable = 0xC061
    /// The current limit of power management; length and values are not known.
    case currentLimitValue = 0xC062

    /// The length of the value in bytes; nil where it is not known.
    public var valueLength: Int? {
        switch self {
        case .productShortName: 16
        case .swVersionInfo: 8
        case .productLifeCycle, .flashLoader: 2
        case .i2cIdleTimeout: 4
        case .nfcAtsConfiguration: 14
        case .nfcRfHwConfiguration: 312
        case .currentLimitEnable, .currentLimitValue: nil
        default: 1
        }
    }

    /// Whether the chip sets it and nobody else; which tags those are is inferred.
    public var isReadOnly: Bool { self == .productShortName || self == .swVersionInfo }

    /// The listed values with their names; empty where any value of the right length will do.
    public var choices: [ConfigurationChoice] {
        switch self {
        case .productLifeCycle: ProductLifeCycleState.choices
        case .flashLoader: FlashLoaderState.choices
        case .gpioFunction: GpioFunction.choices
        case .gpioAssertLevel: GpioAssertLevel.choices
        case .gpioOutputType: GpioOutputType.choices
        case .gpioPullType: GpioPullType.choices
        case .nfcIrqEventType: NfcIrqEventType.choices
        case .i2cDriveStrength: I2cDriveStrength.choices
        case .i2cSpeed: I2cSpeed.choices
        case .nfcUidTypeForAntiCollision: NfcUidType.choices
        case .communicationInterfaceEnable: CommunicationInterface.choices
        default: []
        }
    }

    /// Why a value cannot be set, without a full stop; nil if it can.
    public func problem(with value: Data) -> String? {
        if isReadOnly { return "the \(name) is read only" }
        if let valueLength, value.count != valueLength {
            return "the \(name) has \(valueLength) bytes, not \(value.count)"
        }
        // What enables the flash loader may leave a chip without software (facts/nbt.md, 2.6).
        if self == .flashLoader, value == FlashLoaderState.enabledBytes {
            return "enabling the flash loader can destroy the chip and is never sent"
        }
        guard choices.isEmpty || choices.contains(where: { $0.value == value }) else {
            let known = choices.map { "\($0.value.hex.uppercased()) (\($0.name))" }
            return "the \(name) is one of " + known.joined(separator: ", ")
        }
        return nil
    }

    /// What a value does that cannot be undone, without a full stop; nil if nothing.
    public func consequence(of value: Data) -> String? {
        switch self {
        case .productLifeCycle where value == ProductLifeCycleState.operational.encoded:
            "it locks the configuration for good"
        case .communicationInterfaceEnable where value == CommunicationInterface.i2cOnly.encoded:
            "it switches NFC off, and only the I2C side can switch it on again"
        case .nfcRfHwConfiguration:
            "a wrong radio configuration leaves a tag that no reader can reach"
        case .nfcAtsConfiguration:
            "a wrong answer to select leaves a tag that readers may not accept"
        case .currentLimitEnable, .currentLimitValue:
            "what this value does is not published"
        default: nil
        }
    }

    /// A value in words: the name of a choice, the text of the short name, else hexadecimal digits.
    public func text(of value: Data) -> String {
        if let choice = choices.first(where: { $0.value == value }) { return choice.name }
        if self == .flashLoader, value == FlashLoaderState.enabledBytes { return "enabled" }
        if self == .productShortName {
            let characters = value.prefix { $0 != 0 }
            if !characters.isEmpty, characters.allSatisfy({ (0x20..<0x7F).contains($0) }) {
                return String(decoding: characters, as: UTF8.self)
            }
        }
        return value.hex
    }

    /// The name for people and for the command line: lower case, without blanks.
    public var name: String {
        switch self {
        case .productShortName: "product-short-name"
        case .productLifeCycle: "product-life-cycle"
        case .swVersionInfo: "software-version"
        case .flashLoader: "flash-loader"
        case .gpioFunction: "gpio-function"
        case .gpioAssertLevel: "gpio-assert-level"
        case .gpioOutputType: "gpio-output-type"
        case .gpioPullType: "gpio-pull"
        case .nfcIrqEventType: "nfc-irq-event"
        case .i2cIdleTimeout: "i2c-idle-timeout"
        case .i2cDriveStrength: "i2c-drive-strength"
        case .i2cSpeed: "i2c-speed"
        case .nfcAtsConfiguration: "nfc-ats"
        case .nfcWtxMode: "nfc-wtx-mode"
        case .nfcRfHwConfiguration: "nfc-rf-hardware"
        case .nfcUidTypeForAntiCollision: "nfc-uid"
        case .communicationInterfaceEnable: "interfaces"
        case .currentLimitEnable: "current-limit-enable"
        case .currentLimitValue: "current-limit-value"
        }
    }
}

extension ConfigurationTag: CustomStringConvertible {
    /// The name with the tag's number.
    public var description: String { "\(name) (\(rawValue.hex.uppercased()))" }
}

/// One of the listed values of a configuration tag.
public struct ConfigurationChoice: Sendable, Hashable {
    /// The name for people and for the command line.
    public let name: String
    /// The value's bytes.
    public let value: Data
}
