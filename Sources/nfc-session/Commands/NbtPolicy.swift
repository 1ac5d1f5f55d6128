import Bytes
import NBT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Command {
    /// The tag's access policies.
    static let nbtPolicy = Command(
        "policy",
        summary: "Show and set who may read and write the tag's files",
        discussion: """
            Each file has a condition for reading and one for writing, over NFC and over
            I2C: always, never or password:N. The conditions of fap are about the access
            policies themselves; the password that its NFC write condition names is the
            master password.
            """,
        subcommands: [.nbtPolicyShow, .nbtPolicySet, .nbtPolicyApply]
    )

    private static let nbtPolicyShow = Command(
        "show",
        summary: "Show the access policies",
        options: [.masterPasswordFile],
        run: { arguments, output in
            let connection = try NbtConnection(arguments, output)
            let master = try await Secret.masterPassword.optional(arguments, output)
            return try await connection.use { tag in
                let policies = try await tag.commandSet.readFap(masterPassword: master)
                if !output.isJSON { try output.line(PolicyTable.header) }
                for file in NbtFile.allCases {
                    try output.result(
                        PolicyTable.json(file, policies[file]),
                        text: PolicyTable.row(file, policies[file])
                    )
                }
                return .done
            }
        }
    )

    private static let nbtPolicySet = Command(
        "set",
        summary: "Set the conditions of one file; those not given stay",
        discussion: """
            A condition is always, never or password:N. What closes fap itself is asked
            about, or needs --yes: there may be no way back.

            Examples:
              nfc-session nbt policy set ndef --nfc-write password:2
              nfc-session nbt policy set fap --nfc-write password:1 --yes
            """,
        operands: .words("FILE"),
        options: [.nfcRead, .nfcWrite, .i2cRead, .i2cWrite, .masterPasswordFile, .consent],
        run: { arguments, output in try await NbtPolicySet(arguments, output).run() }
    )

    private static let nbtPolicyApply = Command(
        "apply",
        summary: "Set the access policies of a use case, on a tag as delivered",
        discussion: """
            Sets the policies of all files and what the CC says about them, and nothing
            else: no key, no message, no configuration. 'nbt personalise' does all of it.
            """,
        operands: .words("USE-CASE"),
        options: [.dryRun, .consent],
        run: { arguments, output in
            let useCase = try arguments.useCase(0)
            let connection = try NbtConnection(arguments, output)
            let run = try PlanRun(
                try PersonalisationPlan(.init(policies: useCase.policies)),
                deed: "set the access policies of \(useCase.rawValue)",
                arguments,
                output
            )
            return try await connection.use { tag in try await run.run(on: tag) }
        }
    )
}

extension Option {
    static let nfcRead = Option("nfc-read", value: "CONDITION", help: "Who may read over NFC")
    static let nfcWrite = Option("nfc-write", value: "CONDITION", help: "Who may write over NFC")
    static let i2cRead = Option("i2c-read", value: "CONDITION", help: "Who may read over I2C")
    static let i2cWrite = Option("i2c-write", value: "CONDITION", help: "Who may write over I2C")
}

/// The work of `nbt policy set`.
private struct NbtPolicySet {
    private let file: NbtFile
    private let nfcRead: AccessCondition?
    private let nfcWrite: AccessCondition?
    private let i2cRead: AccessCondition?
    private let i2cWrite: AccessCondition?
    private let arguments: Arguments
    private let consent: Consent
    private let connection: NbtConnection
    private let output: Output

    init(_ arguments: Arguments, _ output: Output) throws(UsageError) {
        func condition(_ option: Option) throws(UsageError) -> AccessCondition? {
            try arguments.value(
                of: option,
                expected: AccessCondition.words,
                parse: AccessCondition.init(word:)
            )
        }
        file = try arguments.nbtFile(0)
        nfcRead = try condition(.nfcRead)
        nfcWrite = try condition(.nfcWrite)
        i2cRead = try condition(.i2cRead)
        i2cWrite = try condition(.i2cWrite)
        if nfcRead == nil, nfcWrite == nil, i2cRead == nil, i2cWrite == nil {
            throw .missingOption(.nfcWrite)
        }
        self.arguments = arguments
        consent = Consent(arguments)
        connection = try NbtConnection(arguments, output)
        self.output = output
    }

    func run() async throws -> Exit {
        let master = try await Secret.masterPassword.optional(arguments, output)
        if let consequence { try await consent.ask(consequence) }
        return try await connection.use { tag in
            var policy = try await tag.commandSet.readFap(masterPassword: master)[file]
            policy.nfcRead = nfcRead ?? policy.nfcRead
            policy.nfcWrite = nfcWrite ?? policy.nfcWrite
            policy.i2cRead = i2cRead ?? policy.i2cRead
            policy.i2cWrite = i2cWrite ?? policy.i2cWrite
            try await tag.commandSet.updateFap(fapPolicy: policy, masterPassword: master)
            try output.result(
                PolicyTable.json(file, policy),
                text: PolicyTable.row(file, policy)
            )
            return .done
        }
    }

    /// What may have no way back; everything else can be set again while fap can be written.
    private var consequence: String? {
        guard file == .fileAccessPolicy else { return nil }
        var consequences: [String] = []
        switch nfcWrite {
        case .never:
            consequences.append(
                "access policies and passwords can never be changed again over NFC"
            )
        case .password(let id):
            consequences.append(
                "only password \(id) can change access policies and passwords from then on; "
                    + "if the tag has no such password, or nobody knows it, there is no way back"
            )
        case .always, nil: break
        }
        if nfcRead == .never {
            consequences.append("the access policies can no longer be read over NFC")
        }
        return consequences.isEmpty ? nil : consequences.joined(separator: "; ")
    }
}
