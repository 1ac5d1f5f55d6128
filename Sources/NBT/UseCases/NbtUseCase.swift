/// What a chip can be prepared for (facts/nbt.md, 1.4 and 2.10).
public enum NbtUseCase: String, Sendable, Hashable, CaseIterable {
    /// Proving that a product is genuine.
    case brandProtection = "brand-protection"
    /// A mailbox between a phone and the host behind the chip.
    case asynchronousDataTransfer = "adt"
    /// Commands straight to the host behind the chip.
    case passThrough = "pass-through"
    /// Pairing data that a phone reads.
    case connectionHandover = "handover"

    /// The access policies as Infineon's iOS app sets them.
    public var policies: FileAccessPolicies {
        switch self {
        case .brandProtection: .brandProtection
        case .asynchronousDataTransfer: .asynchronousDataTransfer
        case .passThrough: .passThrough
        case .connectionHandover: .connectionHandover
        }
    }

    /// The configuration as Infineon's Android app sets it.
    public var configuration: [ConfigurationItem] {
        let function: GpioFunction =
            switch self {
            case .brandProtection: .disabled
            case .asynchronousDataTransfer: .i2cDataReadyIrqOutput
            case .passThrough, .connectionHandover: .nfcI2cPassThroughIrqOutput
            }
        return [ConfigurationItem(function), ConfigurationItem(CommunicationInterface.nfcAndI2c)]
    }
}
