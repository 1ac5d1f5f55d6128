public import Foundation

/// The flags of an ISO 15693 request, with Apple's values.
public struct NFCISO15693RequestFlag: OptionSet, Sendable {
    /// The bits of the flags byte.
    public let rawValue: UInt8

    /// Flags with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Two sub-carriers.
    public static var dualSubCarriers: Self { Self(rawValue: 0x01) }
    /// High data rate.
    public static var highDataRate: Self { Self(rawValue: 0x02) }
    /// Protocol format is extended.
    public static var protocolExtension: Self { Self(rawValue: 0x08) }
    /// Only the selected tag answers.
    public static var select: Self { Self(rawValue: 0x10) }
    /// Only the tag with the given UID answers.
    public static var address: Self { Self(rawValue: 0x20) }
    /// The option of the command.
    public static var option: Self { Self(rawValue: 0x40) }
    /// Bit 8, whose meaning depends on the command.
    public static var commandSpecificBit8: Self { Self(rawValue: 0x80) }
}

/// The name of `NFCISO15693RequestFlag` in iOS 13.
public typealias RequestFlag = NFCISO15693RequestFlag

extension NFCISO15693RequestFlag {
    /// The old name of `dualSubCarriers`.
    @available(*, deprecated, renamed: "dualSubCarriers")
    public static var RequestFlagDualSubCarriers: Self { .dualSubCarriers }
    /// The old name of `highDataRate`.
    @available(*, deprecated, renamed: "highDataRate")
    public static var RequestFlagHighDataRate: Self { .highDataRate }
    /// The old name of `protocolExtension`.
    @available(*, deprecated, renamed: "protocolExtension")
    public static var RequestFlagProtocolExtension: Self { .protocolExtension }
    /// The old name of `select`.
    @available(*, deprecated, renamed: "select")
    public static var RequestFlagSelect: Self { .select }
    /// The old name of `address`.
    @available(*, deprecated, renamed: "address")
    public static var RequestFlagAddress: Self { .address }
    /// The old name of `option`.
    @available(*, deprecated, renamed: "option")
    public static var RequestFlagOption: Self { .option }
}

/// The flags of an ISO 15693 response, with Apple's values.
public struct NFCISO15693ResponseFlag: OptionSet, Sendable {
    /// The bits of the flags byte.
    public let rawValue: UInt8

    /// Flags with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// An error code follows.
    public static var error: Self { Self(rawValue: 0x01) }
    /// The response buffer is valid.
    public static var responseBufferValid: Self { Self(rawValue: 0x02) }
    /// This is the final response.
    public static var finalResponse: Self { Self(rawValue: 0x04) }
    /// Protocol format is extended.
    public static var protocolExtension: Self { Self(rawValue: 0x08) }
    /// Bit 5 of the block security status.
    public static var blockSecurityStatusBit5: Self { Self(rawValue: 0x10) }
    /// Bit 6 of the block security status.
    public static var blockSecurityStatusBit6: Self { Self(rawValue: 0x20) }
    /// The tag asks for more time.
    public static var waitTimeExtension: Self { Self(rawValue: 0x40) }
}

/// What an ISO 15693 tag says of itself.
public struct NFCISO15693SystemInfo: Sendable {
    /// The UID, 8 bytes.
    public var uniqueIdentifier: Data
    /// DSFID; -1 when the tag does not say.
    public var dataStorageFormatIdentifier: Int
    /// AFI; -1 when the tag does not say.
    public var applicationFamilyIdentifier: Int
    /// Bytes in a block; -1 when the tag does not say.
    public var blockSize: Int
    /// The number of blocks; -1 when the tag does not say.
    public var totalBlocks: Int
    /// The IC reference; -1 when the tag does not say.
    public var icReference: Int

    /// An answer with these parts, for test doubles.
    public init(
        uniqueIdentifier: Data,
        dataStorageFormatIdentifier: Int,
        applicationFamilyIdentifier: Int,
        blockSize: Int,
        totalBlocks: Int,
        icReference: Int
    ) {
        self.uniqueIdentifier = uniqueIdentifier
        self.dataStorageFormatIdentifier = dataStorageFormatIdentifier
        self.applicationFamilyIdentifier = applicationFamilyIdentifier
        self.blockSize = blockSize
        self.totalBlocks = totalBlocks
        self.icReference = icReference
    }
}

/// The security status of several blocks.
public struct NFCISO15693MultipleBlockSecurityStatus: Sendable {
    /// A status byte for each block.
    public var blockSecurityStatus: [Int]

    /// An answer with these parts, for test doubles.
    public init(blockSecurityStatus: [Int]) { self.blockSecurityStatus = blockSecurityStatus }
}
