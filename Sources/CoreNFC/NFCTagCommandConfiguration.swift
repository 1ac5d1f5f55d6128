public import Foundation

/// How often a legacy ISO 15693 command is tried.
///
/// Apple's class of the same name (facts/corenfc.md, 1.7).
open class NFCTagCommandConfiguration: NSObject, NSCopying {
    /// How often the command is tried again, 0 to 256.
    open var maximumRetries: Int
    /// The time between two tries, in seconds.
    open var retryInterval: TimeInterval

    /// No retries.
    public override convenience init() {
        self.init(maximumRetries: 0, retryInterval: 0)
    }

    init(maximumRetries: Int, retryInterval: TimeInterval) {
        self.maximumRetries = maximumRetries
        self.retryInterval = retryInterval
    }

    /// Another configuration with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        NFCTagCommandConfiguration(maximumRetries: maximumRetries, retryInterval: retryInterval)
    }
}

/// A custom command of an ISO 15693 tag.
open class NFCISO15693CustomCommandConfiguration: NFCTagCommandConfiguration {
    /// The manufacturer's code of ISO 7816-6.
    open var manufacturerCode: Int
    /// The command code, A0 to DF.
    open var customCommandCode: Int
    /// What follows in the command.
    open var requestParameters: Data

    /// A command that is tried once.
    public convenience init(
        manufacturerCode: Int,
        customCommandCode: Int,
        requestParameters: Data?
    ) {
        self.init(
            manufacturerCode: manufacturerCode,
            customCommandCode: customCommandCode,
            requestParameters: requestParameters,
            maximumRetries: 0,
            retryInterval: 0
        )
    }

    /// A command that may be tried several times.
    public init(
        manufacturerCode: Int,
        customCommandCode: Int,
        requestParameters: Data?,
        maximumRetries: Int,
        retryInterval: TimeInterval
    ) {
        self.manufacturerCode = manufacturerCode
        self.customCommandCode = customCommandCode
        self.requestParameters = requestParameters ?? Data()
        super.init(maximumRetries: maximumRetries, retryInterval: retryInterval)
    }

    /// Another configuration with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        NFCISO15693CustomCommandConfiguration(
            manufacturerCode: manufacturerCode,
            customCommandCode: customCommandCode,
            requestParameters: requestParameters,
            maximumRetries: maximumRetries,
            retryInterval: retryInterval
        )
    }
}

/// Which blocks of an ISO 15693 tag are read.
open class NFCISO15693ReadMultipleBlocksConfiguration: NFCTagCommandConfiguration {
    /// The blocks.
    open var range: NSRange
    /// How many blocks one command reads.
    open var chunkSize: Int

    /// Blocks that are read with one try each.
    public convenience init(range: NSRange, chunkSize: Int) {
        self.init(range: range, chunkSize: chunkSize, maximumRetries: 0, retryInterval: 0)
    }

    /// Blocks that are read with several tries.
    public init(
        range: NSRange,
        chunkSize: Int,
        maximumRetries: Int,
        retryInterval: TimeInterval
    ) {
        self.range = range
        self.chunkSize = chunkSize
        super.init(maximumRetries: maximumRetries, retryInterval: retryInterval)
    }

    /// Another configuration with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        NFCISO15693ReadMultipleBlocksConfiguration(
            range: range,
            chunkSize: chunkSize,
            maximumRetries: maximumRetries,
            retryInterval: retryInterval
        )
    }
}
