public import Foundation

/// What a polling command asks a FeliCa tag for, with Apple's values.
public enum NFCFeliCaPollingRequestCode: Int, Sendable {
    /// Nothing.
    case noRequest = 0
    /// The system code.
    case systemCode = 1
    /// The speeds the tag can do.
    case communicationPerformance = 2
}

/// Among how many time slots FeliCa tags choose when they answer a poll, with Apple's values.
public enum NFCFeliCaPollingTimeSlot: Int, Sendable {
    /// One.
    case max1 = 0
    /// Two.
    case max2 = 1
    /// Four.
    case max4 = 3
    /// Eight.
    case max8 = 7
    /// Sixteen.
    case max16 = 15
}

/// Which keys a FeliCa tag has, with Apple's values.
public enum NFCFeliCaEncryptionId: Int, Sendable {
    /// AES keys.
    case AES = 0x4F
    /// AES and DES keys.
    case AES_DES = 0x41
}

/// The old name of `NFCFeliCaPollingRequestCode`.
@available(*, deprecated, renamed: "NFCFeliCaPollingRequestCode")
public typealias PollingRequestCode = NFCFeliCaPollingRequestCode

/// The old name of `NFCFeliCaPollingTimeSlot`.
@available(*, deprecated, renamed: "NFCFeliCaPollingTimeSlot")
public typealias PollingTimeSlot = NFCFeliCaPollingTimeSlot

/// The old name of `NFCFeliCaEncryptionId`.
@available(*, deprecated, renamed: "NFCFeliCaEncryptionId")
public typealias EncryptionId = NFCFeliCaEncryptionId

extension NFCFeliCaPollingRequestCode {
    /// The old name of `noRequest`.
    @available(*, deprecated, renamed: "noRequest")
    public static var PollingRequestCodeNoRequest: Self { .noRequest }
    /// The old name of `systemCode`.
    @available(*, deprecated, renamed: "systemCode")
    public static var PollingRequestCodeSystemCode: Self { .systemCode }
    /// The old name of `communicationPerformance`.
    @available(*, deprecated, renamed: "communicationPerformance")
    public static var PollingRequestCodeCommunicationPerformance: Self { .communicationPerformance }
}

extension NFCFeliCaPollingTimeSlot {
    /// The old name of `max1`.
    @available(*, deprecated, renamed: "max1")
    public static var PollingTimeSlotMax1: Self { .max1 }
    /// The old name of `max2`.
    @available(*, deprecated, renamed: "max2")
    public static var PollingTimeSlotMax2: Self { .max2 }
    /// The old name of `max4`.
    @available(*, deprecated, renamed: "max4")
    public static var PollingTimeSlotMax4: Self { .max4 }
    /// The old name of `max8`.
    @available(*, deprecated, renamed: "max8")
    public static var PollingTimeSlotMax8: Self { .max8 }
    /// The old name of `max16`.
    @available(*, deprecated, renamed: "max16")
    public static var PollingTimeSlotMax16: Self { .max16 }
}

extension NFCFeliCaEncryptionId {
    /// The old name of `AES`.
    @available(*, deprecated, renamed: "AES")
    public static var aes: Self { .AES }
    /// The old name of `AES_DES`.
    @available(*, deprecated, renamed: "AES_DES")
    public static var aes_des: Self { .AES_DES }
}

/// The answer to a polling command.
public struct NFCFeliCaPollingResponse: Sendable {
    /// The manufacture parameter PMm, 8 bytes.
    public var manufactureParameter: Data
    /// What was asked for, 2 bytes; nil when nothing was, or the tag did not say.
    public var requestData: Data?

    /// An answer with these parts, for test doubles.
    public init(manufactureParameter: Data, requestData: Data?) {
        self.manufactureParameter = manufactureParameter
        self.requestData = requestData
    }
}

/// The status flags of a FeliCa answer: 0 and 0 for success.
public struct NFCFeliCaStatusFlag: Sendable {
    /// Status flag 1: 0, FF, or where the fault is.
    public var statusFlag1: Int
    /// Status flag 2: what the fault is.
    public var statusFlag2: Int

    /// Flags with these values, for test doubles.
    public init(statusFlag1: Int, statusFlag2: Int) {
        self.statusFlag1 = statusFlag1
        self.statusFlag2 = statusFlag2
    }
}

/// The answer to Request Service v2, under Apple's misspelt name.
public struct NFCFeliCaRequsetServiceV2Response: Sendable {
    /// Status flag 1.
    public var statusFlag1: Int
    /// Status flag 2.
    public var statusFlag2: Int
    /// Which keys the tag has.
    public var encryptionIdentifier: NFCFeliCaEncryptionId
    /// The version of the AES key of each node, 2 bytes each, FFFF for a node that does not exist.
    public var nodeKeyVersionListAES: [Data]?
    /// The version of the DES key of each node; nil when the tag has none.
    public var nodeKeyVersionListDES: [Data]?

    /// An answer with these parts, for test doubles.
    public init(
        statusFlag1: Int,
        statusFlag2: Int,
        encryptionIdentifier: NFCFeliCaEncryptionId,
        nodeKeyVersionListAES: [Data]?,
        nodeKeyVersionListDES: [Data]?
    ) {
        self.statusFlag1 = statusFlag1
        self.statusFlag2 = statusFlag2
        self.encryptionIdentifier = encryptionIdentifier
        self.nodeKeyVersionListAES = nodeKeyVersionListAES
        self.nodeKeyVersionListDES = nodeKeyVersionListDES
    }
}

/// The answer to Request Specification Version.
public struct NFCFeliCaRequestSpecificationVersionResponse: Sendable {
    /// Status flag 1.
    public var statusFlag1: Int
    /// Status flag 2.
    public var statusFlag2: Int
    /// The basic version, 2 bytes in BCD; nil unless the status is success.
    public var basicVersion: Data?
    /// The versions of the options, 2 bytes each; nil unless the status is success.
    public var optionVersion: Data?

    /// An answer with these parts, for test doubles.
    public init(statusFlag1: Int, statusFlag2: Int, basicVersion: Data?, optionVersion: Data?) {
        self.statusFlag1 = statusFlag1
        self.statusFlag2 = statusFlag2
        self.basicVersion = basicVersion
        self.optionVersion = optionVersion
    }
}
