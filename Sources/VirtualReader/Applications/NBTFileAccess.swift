#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension NBTApplication {
    /// The elementary files of the operational application, in the order of the access policy file
    /// (facts/nbt.md, 1.3 and 1.4).
    public enum File: UInt16, Sendable, CaseIterable {
        /// CC, the capability container: 47 bytes.
        case capabilityContainer = 0xE103
        /// The NDEF file: NLEN (2 bytes) and the message.
        case ndef = 0xE104
        /// Proprietary file 1, 1024 bytes.
        case proprietary1 = 0xE1A1
        /// Proprietary file 2, 1024 bytes.
        case proprietary2 = 0xE1A2
        /// Proprietary file 3, 1024 bytes.
        case proprietary3 = 0xE1A3
        /// Proprietary file 4, 1024 bytes.
        case proprietary4 = 0xE1A4
        /// FAP, the file access policy: 42 bytes.
        case accessPolicy = 0xE1AF
    }

    /// Who may read or write a file (facts/nbt.md, 1.4).
    public enum AccessCondition: Sendable, Equatable {
        /// Everybody: 40.
        case always
        /// Nobody: 00.
        case never
        /// Who knows the password with this identifier, 1...31: 80 + identifier.
        case password(UInt8)

        /// The condition that a byte stands for; nil for a byte that is not defined.
        public init?(byte: UInt8) {
            switch byte {
            case 0x40: self = .always
            case 0x00: self = .never
            case 0x81...0x9F: self = .password(byte & 0x1F)
            default: return nil
            }
        }

        /// The byte that stands for the condition.
        public var byte: UInt8 {
            switch self {
            case .always: 0x40
            case .never: 0x00
            case .password(let identifier): 0x80 | identifier & 0x1F
            }
        }
    }

    /// The four conditions of one file (facts/nbt.md, 1.4).
    public struct AccessPolicy: Sendable, Equatable {
        /// Reading through I2C.
        ///
        /// Kept, but without effect here: a virtual tag is used through NFC.
        public var i2cRead: AccessCondition
        /// Writing through I2C.
        ///
        /// Kept, but without effect here.
        public var i2cWrite: AccessCondition
        /// Reading through NFC.
        public var nfcRead: AccessCondition
        /// Writing through NFC.
        public var nfcWrite: AccessCondition

        /// A policy with conditions in the order of the file's bytes.
        public init(
            _ i2cRead: AccessCondition,
            _ i2cWrite: AccessCondition,
            _ nfcRead: AccessCondition,
            _ nfcWrite: AccessCondition
        ) {
            self.i2cRead = i2cRead
            self.i2cWrite = i2cWrite
            self.nfcRead = nfcRead
            self.nfcWrite = nfcWrite
        }

        /// Everything is allowed.
        public static let open = AccessPolicy(.always, .always, .always, .always)
        /// Everybody reads, nobody writes.
        public static let readOnly = AccessPolicy(.always, .never, .always, .never)
        /// Only NFC reads, nobody writes.
        public static let nfcReadOnly = AccessPolicy(.never, .never, .always, .never)
        /// Nothing is allowed.
        public static let closed = AccessPolicy(.never, .never, .never, .never)
    }

    /// The content of the access policy file: one policy a file (facts/nbt.md, 1.4).
    public struct AccessPolicies: Sendable, Equatable {
        private var policies: [File: AccessPolicy]

        /// The policies of the files that are named, and open access to the others.
        public init(_ policies: [File: AccessPolicy] = [:]) { self.policies = policies }

        /// The policy of a file.
        public subscript(file: File) -> AccessPolicy {
            get { policies[file] ?? .open }
            set { policies[file] = newValue }
        }

        /// As the chip is delivered.
        public static let delivery = AccessPolicies([.capabilityContainer: .readOnly])
        /// As the iOS personalisation app leaves a tag for brand protection.
        public static let brandProtection = AccessPolicies([
            .capabilityContainer: .nfcReadOnly,
            .ndef: .nfcReadOnly,
            .proprietary1: .closed,
            .proprietary2: .closed,
            .proprietary3: .closed,
            .proprietary4: .closed,
        ])

        /// As the personalisation apps leave a tag for asynchronous data transfer.
        public static let dataTransfer = AccessPolicies([
            .capabilityContainer: .readOnly,
            .ndef: AccessPolicy(.always, .always, .always, .never),
            .proprietary1: AccessPolicy(.always, .never, .always, .always),
            .proprietary2: AccessPolicy(.always, .always, .always, .never),
            .proprietary3: .closed,
            .proprietary4: .closed,
        ])
        /// As the personalisation apps leave a tag for pass-through and for connection handover.
        public static let passThrough = AccessPolicies([
            .capabilityContainer: .readOnly,
            .ndef: AccessPolicy(.always, .always, .always, .never),
            .proprietary1: .closed,
            .proprietary2: .closed,
            .proprietary3: .closed,
            .proprietary4: .closed,
        ])

        /// The 42 bytes of the file.
        public var bytes: Data {
            File.allCases.reduce(into: Data()) { bytes, file in
                bytes += NBTAccessEntry(file: file, policy: self[file]).bytes
            }
        }
    }
}

/// One entry of the access policy file, 6 bytes: file identifier and four conditions.
struct NBTAccessEntry {
    static let length = 6

    let file: NBTApplication.File
    let policy: NBTApplication.AccessPolicy

    init(file: NBTApplication.File, policy: NBTApplication.AccessPolicy) {
        self.file = file
        self.policy = policy
    }

    /// Parses an entry; nil for another length, an unknown file or an undefined condition.
    init?(_ bytes: Data) {
        guard bytes.count == Self.length,
            let file = NBTApplication.File(bigEndian: bytes.prefix(2))
        else { return nil }
        let conditions = bytes.dropFirst(2).compactMap(NBTApplication.AccessCondition.init(byte:))
        guard conditions.count == 4 else { return nil }
        self.file = file
        policy = .init(conditions[0], conditions[1], conditions[2], conditions[3])
    }

    var bytes: Data {
        Data([
            UInt8(file.rawValue >> 8), UInt8(file.rawValue & 0xFF),
            policy.i2cRead.byte, policy.i2cWrite.byte, policy.nfcRead.byte, policy.nfcWrite.byte,
        ])
    }
}

extension NBTApplication.File {
    /// The file whose identifier these two bytes are; nil when there is none.
    init?(bigEndian bytes: Data) {
        guard bytes.count == 2 else { return nil }
        self.init(rawValue: bytes.reduce(0) { $0 << 8 | UInt16($1) })
    }
}
