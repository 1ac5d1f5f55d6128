import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value of the configuration whose type knows its tag.
public protocol ConfigurationValue: RawRepresentable, CaseIterable, Hashable, Sendable {
    /// The tag that the value belongs to.
    static var tag: ConfigurationTag { get }
    /// The name for people and for the command line: lower case, without blanks.
    var name: String { get }
    /// The value's bytes.
    var encoded: Data { get }
}

extension ConfigurationValue {
    /// Reads a value from the bytes of GET CONFIGURATION.
    ///
    /// - Throws: `NbtError.malformedAnswer` for bytes that are none of the listed values.
    public init(encoded: Data) throws(NbtError) {
        guard let value = Self.allCases.first(where: { $0.encoded == encoded }) else {
            throw .malformedAnswer(
                .getConfiguration,
                "\(encoded.hex.uppercased()) is no known value of \(Self.tag)"
            )
        }
        self = value
    }

    static var choices: [ConfigurationChoice] {
        allCases.map { ConfigurationChoice(name: $0.name, value: $0.encoded) }
    }
}

extension ConfigurationValue where RawValue == UInt8 {
    /// The one byte of the value.
    public var encoded: Data { Data([rawValue]) }
}

extension ConfigurationValue where RawValue == UInt16 {
    /// The two bytes of the value, the high one first.
    public var encoded: Data { rawValue.bigEndianBytes }
}

/// C021: how far the product has come.
public enum ProductLifeCycleState: UInt16, ConfigurationValue {
    /// C33C: in use; the configuration is locked for good.
    case operational = 0xC33C
    /// 5AA5: being prepared.
    case personalization = 0x5AA5

    /// C021.
    public static var tag: ConfigurationTag { .productLifeCycle }
    /// "operational" or "personalisation".
    public var name: String { self == .operational ? "operational" : "personalisation" }
}

/// C02F: whether other software can be loaded into the chip.
///
/// The value that enables it (AC95) is left out on purpose: it can destroy a chip.
public enum FlashLoaderState: UInt16, ConfigurationValue {
    /// FFFF: off.
    case disabled = 0xFFFF

    static let enabledBytes = Data([0xAC, 0x95])

    /// C02F.
    public static var tag: ConfigurationTag { .flashLoader }
    /// "disabled".
    public var name: String { "disabled" }
}

/// C030: what the chip's GPIO pin is for.
public enum GpioFunction: UInt8, ConfigurationValue {
    /// 01: nothing.
    case disabled = 0x01
    /// 02: tells the host of events on the NFC side, see `NfcIrqEventType`.
    case nfcIrqOutput = 0x02
    /// 03: tells the host that an answer can be fetched.
    case i2cDataReadyIrqOutput = 0x03
    /// 04: tells the host of commands that are passed through.
    case nfcI2cPassThroughIrqOutput = 0x04

    /// C030.
    public static var tag: ConfigurationTag { .gpioFunction }
    /// A short name.
    public var name: String {
        switch self {
        case .disabled: "disabled"
        case .nfcIrqOutput: "nfc-irq"
        case .i2cDataReadyIrqOutput: "i2c-data-ready"
        case .nfcI2cPassThroughIrqOutput: "pass-through"
        }
    }
}

/// C031: the level of the GPIO pin that means "asserted".
public enum GpioAssertLevel: UInt8, ConfigurationValue {
    /// 01: low.
    case low = 0x01
    /// 02: high.
    case high = 0x02

    /// C031.
    public static var tag: ConfigurationTag { .gpioAssertLevel }
    /// "low" or "high".
    public var name: String { self == .low ? "low" : "high" }
}

/// C032: the output stage of the GPIO pin.
public enum GpioOutputType: UInt8, ConfigurationValue {
    /// 01: push-pull.
    case pushPull = 0x01
    /// 02: open drain.
    case openDrain = 0x02

    /// C032.
    public static var tag: ConfigurationTag { .gpioOutputType }
    /// "push-pull" or "open-drain".
    public var name: String { self == .pushPull ? "push-pull" : "open-drain" }
}

/// C033: the pull resistor of the GPIO pin.
public enum GpioPullType: UInt8, ConfigurationValue {
    /// 01: none.
    case noPull = 0x01
    /// 02: to the supply.
    case pullUp = 0x02
    /// 03: to ground.
    case pullDown = 0x03

    /// C033.
    public static var tag: ConfigurationTag { .gpioPullType }
    /// "none", "up" or "down".
    public var name: String {
        switch self {
        case .noPull: "none"
        case .pullUp: "up"
        case .pullDown: "down"
        }
    }
}

/// C034: which event the NFC interrupt tells of.
public enum NfcIrqEventType: UInt8, ConfigurationValue {
    /// 01: a field is there.
    case signalFieldPresence = 0x01
    /// 02: a reader started ISO 14443-4.
    case signalLayer4Entry = 0x02
    /// 03: a command is being worked on.
    case signalApduProcessingStage = 0x03

    /// C034.
    public static var tag: ConfigurationTag { .nfcIrqEventType }
    /// A short name.
    public var name: String {
        switch self {
        case .signalFieldPresence: "field"
        case .signalLayer4Entry: "layer-4"
        case .signalApduProcessingStage: "apdu"
        }
    }
}

/// C041: how strongly the I2C pins drive.
public enum I2cDriveStrength: UInt8, ConfigurationValue {
    /// 01: weak.
    case weak = 0x01
    /// 02: strong.
    case strong = 0x02

    /// C041.
    public static var tag: ConfigurationTag { .i2cDriveStrength }
    /// "weak" or "strong".
    public var name: String { self == .weak ? "weak" : "strong" }
}

/// C042: the clock of the I2C bus.
public enum I2cSpeed: UInt8, ConfigurationValue {
    /// 01: 400 kHz.
    case kHz400 = 0x01
    /// 02: 1 MHz.
    case kHz1000 = 0x02

    /// C042.
    public static var tag: ConfigurationTag { .i2cSpeed }
    /// "400-khz" or "1-mhz".
    public var name: String { self == .kHz400 ? "400-khz" : "1-mhz" }
}

/// C053: the UID that the chip shows in the anticollision.
public enum NfcUidType: UInt8, ConfigurationValue {
    /// 00: its own one, 7 bytes.
    case uniqueDeviceSpecific7Byte = 0x00
    /// 01: a new random one of 4 bytes in each field.
    case random4Byte = 0x01

    /// C053.
    public static var tag: ConfigurationTag { .nfcUidTypeForAntiCollision }
    /// "fixed" or "random".
    public var name: String { self == .random4Byte ? "random" : "fixed" }
}

/// C060: which interfaces work.
public enum CommunicationInterface: UInt8, ConfigurationValue {
    /// 01: I2C only; NFC is locked out.
    case i2cOnly = 0x01
    /// 10: NFC only.
    case nfcOnly = 0x10
    /// 11: both.
    case nfcAndI2c = 0x11

    /// C060.
    public static var tag: ConfigurationTag { .communicationInterfaceEnable }
    /// "i2c", "nfc" or "both".
    public var name: String {
        switch self {
        case .i2cOnly: "i2c"
        case .nfcOnly: "nfc"
        case .nfcAndI2c: "both"
        }
    }
}
