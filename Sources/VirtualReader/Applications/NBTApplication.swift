#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import Synchronization

/// An OPTIGA Authenticate NBT: a Type 4 Tag that can prove what it is (facts/nbt.md, parts 1, 2 and 9).
///
/// It has the operational application (files, access policies, passwords, AUTHENTICATE TAG, PERSONALIZE DATA) and
/// the configurator. With the GPIO function pass-through, an AID that is not on the chip is the I2C host's business;
/// else it answers 6A82.
/// The state may be looked at from any thread.
public final class NBTApplication: CardApplication {
    private let device: Mutex<NBTDevice>
    private let settings: Settings
    private let host: (any NBTHost)?

    /// The UID of the sample certificate (facts/nbt.md, 1.1).
    public static let sampleUID = Data([0x05, 0x8C, 0x3F, 0xD9, 0xD4, 0xB2, 0x00])

    /// A chip in delivery state, with an empty NDEF file and no key unless they are given.
    ///
    /// - Parameters:
    ///   - uid: the 7 bytes of the chip's UID, which the one-time token contains.
    ///   - ndefFile: the start of the NDEF file with its 2-byte NLEN, written as it is; the rest stays zero.
    ///   - key: the key of AUTHENTICATE TAG (DGI A002).
    ///   - policies: the file access policy.
    ///   - settings: the answers to the sheet's open questions.
    ///   - host: the microcontroller behind the chip; nil for none.
    /// - Throws: `CardError.doesNotFit` when `ndefFile` is longer than the file, `CardError.invalidArgument` for a
    ///   wrong UID.
    public init(
        uid: Data = sampleUID,
        ndefFile: Data = Data([0x00, 0x00]),
        key: SigningKey? = nil,
        policies: AccessPolicies = .delivery,
        settings: Settings = Settings(),
        host: (any NBTHost)? = nil
    ) throws(CardError) {
        guard uid.count == 7 else { throw .invalidArgument("the UID of an NBT has 7 bytes") }
        guard settings.ndefFileSize >= 2, settings.maximumResponseData >= 1 else {
            throw .invalidArgument("the NDEF file needs 2 bytes for NLEN, and MLe is at least 1")
        }
        var device = NBTDevice(settings: settings, uid: uid)
        guard device.write(ndefFile, to: .ndef, at: 0) else {
            throw .doesNotFit(bytes: ndefFile.count, limit: Int(settings.ndefFileSize))
        }
        device.key = key
        device.policies = policies
        self.device = Mutex(device)
        self.settings = settings
        self.host = host
    }

    /// Answers one command APDU; no bytes at all where the chip waits in vain for its host.
    public func respond(to command: Data) -> Data {
        let answer = device.withLock { device in
            device.isForHost(command) ? nil : device.respondOverNFC(to: command)
        }
        if let answer { return answer }
        device.withLock { $0.passThrough.pass(command) }
        // Outside the lock: the host fetches the command and puts its answer through this object.
        host?.passThroughRequested(by: self)
        return device.withLock { $0.passThrough.takeAnswer() } ?? Data()
    }

    /// AUTHENTICATE TAG and the host take their time, everything else a few milliseconds (facts/nbt.md, 9,
    /// question 8).
    public func workingTime(of command: Data) -> Duration {
        if command.dropFirst().first == 0x88 { return settings.authenticationTime }
        let isForHost = device.withLock { device in
            var copy = device
            return copy.isForHost(command)
        }
        return isForHost ? settings.hostTime : .milliseconds(3)
    }

    /// What the configuration says: random UIDs (C053), or NFC switched off (C060).
    public var airInterface: AirInterface { device.withLock { $0.airInterface } }

    /// Forgets what was selected and verified; then it is the host's turn.
    public func reset() {
        let wasInField = device.withLock { device in
            defer { device.reset() }
            return device.passThrough.isInField
        }
        if wasInField { host?.fieldLeft(self) }
    }

    /// Answers a command that comes through I2C: those of the chip's applications while no reader uses the chip,
    /// FETCH DATA and PUT RESPONSE always (facts/nbt.md, 2.1 and 4.3).
    ///
    /// - Returns: nil while the reader's field keeps I2C out.
    public func respondOverI2C(to command: Data) -> Data? {
        device.withLock { $0.respondOverI2C(to: command) }
    }

    /// The whole content of a file, whatever its access policy says.
    public func contents(of file: File) -> Data {
        device.withLock { device in
            file == .accessPolicy ? device.policies.bytes : device.contents[file] ?? Data()
        }
    }

    /// Overwrites a file from `offset` on, whatever its access policy says.
    ///
    /// - Throws: `CardError.doesNotFit` beyond the file's end, `CardError.invalidArgument` for the access policy
    ///   file, which `policies` sets.
    public func overwrite(
        _ file: File,
        with bytes: Data,
        at offset: UInt16 = 0
    ) throws(CardError) {
        guard file != .accessPolicy else {
            throw .invalidArgument("the access policy file is set through `policies`")
        }
        let limit = device.withLock { device in
            device.write(bytes, to: file, at: Int(offset)) ? nil : device.contents[file]?.count ?? 0
        }
        if let limit { throw .doesNotFit(bytes: Int(offset) + bytes.count, limit: limit) }
    }

    /// The file access policy.
    public var policies: AccessPolicies {
        get { device.withLock { $0.policies } }
        set { device.withLock { $0.policies = newValue } }
    }

    /// The wrong tries that a password still allows; nil for a password that does not exist or is never blocked.
    public func triesLeft(ofPassword identifier: UInt8) -> Int? {
        device.withLock { $0.passwords[identifier]?.triesLeft }
    }

    /// The identifiers of the stored passwords, ascending.
    public var passwordIdentifiers: [UInt8] { device.withLock { $0.passwords.keys.sorted() } }

    /// Whether personalisation was ended (DGI BF63).
    public var isFinalised: Bool { device.withLock { $0.isFinalised } }

    /// The value of a configuration tag such as C050 (ATS) or C053 (kind of UID); nil while it was never set.
    public func configuration(_ tag: UInt16) -> Data? {
        device.withLock { device in
            NBTConfigurationTag(rawValue: tag).flatMap { device.configuration[$0] }
        }
    }
}
