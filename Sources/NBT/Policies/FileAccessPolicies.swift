import Bytes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The whole access policy file: one entry for each of the seven files (facts/nbt.md, 1.4).
public struct FileAccessPolicies: Sendable, Hashable {
    private var policies: [NbtFile: FileAccessPolicy]

    /// Reads the whole file.
    ///
    /// - Throws: `NbtError.malformedPolicy` unless there is exactly one entry for each of the seven
    ///   files.
    public init(encoded: Data) throws(NbtError) {
        policies = [:]
        for policy in try FapDecoder.decode(policyBytes: encoded) {
            guard let file = NbtFile(rawValue: policy.fileId) else {
                throw .malformedPolicy("there is no file \(policy.fileId.hex.uppercased())")
            }
            guard policies.updateValue(policy, forKey: file) == nil else {
                throw .malformedPolicy("the \(file) has two entries")
            }
        }
        for file in NbtFile.allCases where policies[file] == nil {
            throw .malformedPolicy("the \(file) has no entry")
        }
    }

    /// The conditions of each file, in the order E103, E104, E1A1 to E1A4, E1AF.
    private init(
        _ conditions: [(AccessCondition, AccessCondition, AccessCondition, AccessCondition)]
    ) {
        policies = [:]
        for (file, (i2cRead, i2cWrite, nfcRead, nfcWrite)) in zip(NbtFile.allCases, conditions) {
            policies[file] = FileAccessPolicy(
                fileId: file.rawValue,
                i2cRead: i2cRead,
                i2cWrite: i2cWrite,
                nfcRead: nfcRead,
                nfcWrite: nfcWrite
            )
        }
    }

    /// The policy of a file.
    ///
    /// What is set is the policy of that file, whatever file identifier it came with.
    public subscript(file: NbtFile) -> FileAccessPolicy {
        get { policies[file] ?? Self.open(file) }
        set {
            policies[file] = newValue
            policies[file]?.fileId = file.rawValue
        }
    }

    private static func open(_ file: NbtFile) -> FileAccessPolicy {
        FileAccessPolicy(
            fileId: file.rawValue,
            i2cRead: .always,
            i2cWrite: .always,
            nfcRead: .always,
            nfcWrite: .always
        )
    }

    /// The entries in the order in which a chip gives them.
    public var entries: [FileAccessPolicy] { NbtFile.allCases.map { self[$0] } }

    /// The 42 bytes of the file.
    public var encoded: Data { entries.reduce(into: Data()) { $0 += $1.encoded } }

    /// The passwords that the entries name.
    public var passwordIds: Set<PasswordId> {
        entries.reduce(into: []) { $0.formUnion($1.passwordIds) }
    }

    /// The master password over NFC: whichever the access policy file's own NFC write condition
    /// names; nil if it names none.
    public var masterPasswordId: PasswordId? { self[.fileAccessPolicy].nfcWrite.passwordId }
}

extension FileAccessPolicies {
    private static let open4 = (
        AccessCondition.always, AccessCondition.always, AccessCondition.always,
        AccessCondition.always
    )
    private static let closed4 = (
        AccessCondition.never, AccessCondition.never, AccessCondition.never, AccessCondition.never
    )
    private static let readOnly4 = (
        AccessCondition.always, AccessCondition.never, AccessCondition.always,
        AccessCondition.never
    )
    private static let nfcReadOnly4 = (
        AccessCondition.never, AccessCondition.never, AccessCondition.always,
        AccessCondition.never
    )
    /// The host writes, the phone reads.
    private static let fromHost4 = (
        AccessCondition.always, AccessCondition.always, AccessCondition.always,
        AccessCondition.never
    )
    /// The phone writes, the host reads.
    private static let toHost4 = (
        AccessCondition.always, AccessCondition.never, AccessCondition.always,
        AccessCondition.always
    )

    /// As a chip is delivered: everything free, but nobody writes the CC.
    public static let delivery = FileAccessPolicies(
        [readOnly4] + Array(repeating: open4, count: 6)
    )
    /// Brand protection, as the iOS personalisation app sets it: CC and message are read through
    /// NFC only, the proprietary files are closed.
    public static let brandProtection = FileAccessPolicies(
        [nfcReadOnly4, nfcReadOnly4, closed4, closed4, closed4, closed4, open4]
    )
    /// Asynchronous data transfer: the phone writes file 1, the host file 2.
    public static let asynchronousDataTransfer = FileAccessPolicies(
        [readOnly4, fromHost4, toHost4, fromHost4, closed4, closed4, open4]
    )
    /// Pass-through: the proprietary files are closed.
    public static let passThrough = FileAccessPolicies(
        [readOnly4, fromHost4, closed4, closed4, closed4, closed4, open4]
    )
    /// Connection handover: as pass-through.
    public static let connectionHandover = passThrough
}
