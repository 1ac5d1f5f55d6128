#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of an OPTIGA Authenticate NBT and what its commands do to it (facts/nbt.md, parts 1 and 2).
///
/// Checks come in the order of facts/nbt.md, 1.9: class, instruction, P1-P2, Lc and Le, file selected, access
/// condition, conditions of use, offset, data.
struct NBTDevice: CommandProcessor {
    typealias File = NBTApplication.File

    static let operationalAID = Data([0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01])
    static let configuratorAID = Data([
        0xD2, 0x76, 0x00, 0x00, 0x04, 0x15, 0x02, 0x00, 0x00, 0x0B, 0x00, 0x01, 0x01,
    ])

    enum Application {
        case operational, configurator
        /// The commands are the host's.
        case passThrough
    }

    /// The interface a command comes through, which decides on the column of the access policies.
    enum Interface {
        case nfc, i2c
    }

    /// What an interface loses with its session.
    struct Session {
        var application: Application?
        var selectedFile: File?
        var mayRead = false
        var mayWrite = false
        var token: Data?
    }

    let settings: NBTApplication.Settings
    let uid: Data

    // What the chip keeps without power.
    var contents: [File: Data]
    var policies: NBTApplication.AccessPolicies
    var passwords: [UInt8: NBTPassword] = [:]
    var key: SigningKey?
    /// The AES key of the one-time token, 16 bytes.
    var linkKey: Data?
    var configuration: [NBTConfigurationTag: Data] = [
        .productLifeCycle: NBTConfigurationTag.personalisation,
        .interfaces: Data([0x11]),
    ]
    var isFinalised = false

    // What it loses with the field.
    var interface: Interface = .nfc
    var session = Session()
    /// The session of the interface that is not in use.
    var otherSession = Session()
    var passThrough = NBTPassThrough()

    init(settings: NBTApplication.Settings, uid: Data) {
        self.settings = settings
        self.uid = uid
        policies = .delivery
        contents = [
            .capabilityContainer: Self.capabilityContainer(settings),
            .ndef: Data(count: Int(settings.ndefFileSize)),
        ]
        for file in Self.proprietaryFiles { contents[file] = Data(count: Self.proprietarySize) }
    }

    /// The field is gone, or the reader deselected the tag.
    mutating func reset() {
        session = Session()
        passThrough.fieldLeft()
    }

    mutating func deselectFile() {
        session = Session(application: session.application)
    }

    /// Who may read a file through the interface in use.
    func readCondition(_ file: File) -> NBTApplication.AccessCondition {
        interface == .nfc ? policies[file].nfcRead : policies[file].i2cRead
    }

    /// Who may write a file through the interface in use.
    func writeCondition(_ file: File) -> NBTApplication.AccessCondition {
        interface == .nfc ? policies[file].nfcWrite : policies[file].i2cWrite
    }

    mutating func process(_ command: CardCommand) throws(Refusal) -> Data {
        switch session.application {
        case nil, .passThrough:
            guard command.cla == 0x00 else { throw .unknownClass }
            guard command.ins == 0xA4 else { throw .unknownInstruction }
            return try selectApplication(command)
        case .operational: return try operational(command)
        case .configurator: return try configurator(command)
        }
    }

    private mutating func operational(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.cla == 0x00 else { throw .unknownClass }
        switch command.ins {
        case 0xA4: return try select(command)
        case 0xB0: return try readBinary(command)
        case 0xD6: return try updateBinary(command)
        case 0x88: return try authenticateTag(command)
        case 0xE1: return try createPassword(command)
        case 0xE4: return try deletePassword(command)
        case 0x24: return try changeOrUnblockPassword(command)
        case 0x30: return try getData(command)
        case 0xE2: return try personalizeData(command)
        // BACKEND TEST (BE) works through I2C only.
        default: throw .unknownInstruction
        }
    }

    private mutating func select(_ command: CardCommand) throws(Refusal) -> Data {
        command.parameters == 0x000C
            ? try selectFile(command) : try selectApplication(command)
    }

    /// SELECT by AID: answers no data (facts/nbt.md, 1.2).
    ///
    /// An AID that is not on the chip goes to the application that is selected, as on any Java Card; each refuses
    /// it by its own table.
    mutating func selectApplication(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.parameters == 0x0400 else { throw .wrongParameters }
        guard !command.isExtended, (1...16).contains(command.data.count),
            command.le == nil || command.le == 256
        else { throw .wrongLength }
        switch command.data {
        case Self.operationalAID: session = Session(application: .operational)
        case Self.configuratorAID: session = Session(application: .configurator)
        default:
            guard session.application == .configurator else { throw .notFound }
            throw command.data.count == Self.configuratorAID.count ? .wrongData : .wrongLength
        }
        return Data()
    }

    /// AUTHENTICATE TAG: signs the challenge and nothing else (facts/nbt.md, 2.4).
    private func authenticateTag(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.parameters == 0 else { throw .wrongParameters }
        guard !command.isExtended, !command.data.isEmpty, let le = command.le else {
            throw .wrongLength
        }
        guard settings.variant == .nbt2000, let key else { throw .conditionsOfUse }
        guard let signature = try? key.signature(over: command.data) else { throw .noDiagnosis }
        guard signature.count <= le else { throw .wrongLength }
        return signature
    }

    /// GET DATA: version and free memory (facts/nbt.md, 2.6).
    ///
    /// The numbers are those of the sheet's examples.
    private func getData(_ command: CardCommand) throws(Refusal) -> Data {
        let answer: [UInt8] =
            switch command.parameters {
            case 0xDF3A: [0x6F, 0x07, 0xDF, 0x3A, 0x04, 0x01, 0x02, 0x00, 0x03]
            case 0xDF3B:
                [0x6F, 0x0F, 0xDF, 0x3B, 0x0C]
                    + [0xC6, 0x02, 0x10, 0x00, 0xC7, 0x02, 0x02, 0x00, 0xC8, 0x02, 0x03, 0x00]
            default: throw .wrongParameters
            }
        guard !command.isExtended, command.data.isEmpty, command.le == 256 else {
            throw .wrongLength
        }
        return Data(answer)
    }
}
