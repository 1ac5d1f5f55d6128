import APDU

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A plan on its way through a tag: what is known of the tag, and whether a step is done.
struct PersonalisationRun {
    let plan: PersonalisationPlan
    let commandSet: NbtCommandSet
    let keyProof: PersonalisationManager.KeyProof?
    /// The tag's access policies, kept in line with what is written.
    var policies: FileAccessPolicies

    /// The CC's policy while it is written.
    static let openCapabilityContainer = FileAccessPolicy(
        fileId: NbtFile.capabilityContainer.rawValue,
        i2cRead: .always,
        i2cWrite: .never,
        nfcRead: .always,
        nfcWrite: .always
    )

    /// Reads the tag's access policies and refuses a state that the plan does not start from.
    init(_ plan: PersonalisationPlan, _ manager: PersonalisationManager) async throws {
        self.plan = plan
        commandSet = manager.commandSet
        keyProof = manager.keyProof
        try await commandSet.selectApplicationIfNeeded()
        policies = try await Self.readPolicies(plan, commandSet)
        switch plan.start {
        case .delivery: try checkProgress()
        case .any: try checkMasterPassword()
        }
    }

    /// Reads the access policies; where that needs a password, with the one that can only be it.
    private static func readPolicies(
        _ plan: PersonalisationPlan,
        _ commandSet: NbtCommandSet
    ) async throws -> FileAccessPolicies {
        do {
            return try await commandSet.readFap()
        } catch NbtError.status(.readBinary, .securityStatusNotSatisfied) {
            let id = plan.policies[.fileAccessPolicy].nfcRead.passwordId
            let password = plan.masterPassword?.bytes ?? id.flatMap(plan.password)?.password
            guard let password else {
                throw NbtError.wrongState("reading its access policies needs a password")
            }
            return try await commandSet.readFap(masterPassword: password)
        }
    }

    /// Policies are set in the order of the files: up to some file they are the plan's, from there
    /// on those of delivery.
    private func checkProgress() throws {
        var isReached = true
        for file in NbtFile.allCases {
            let isTarget = policies[file] == plan.policies[file]
            let isDelivery = policies[file] == FileAccessPolicies.delivery[file]
            if isTarget, isReached || isDelivery { continue }
            guard isDelivery || policies[file] == Self.openCapabilityContainer else {
                throw NbtError.wrongState("it has its own policy for the \(policies[file])")
            }
            isReached = false
        }
    }

    private func checkMasterPassword() throws {
        switch policies[.fileAccessPolicy].nfcWrite {
        case .always: return
        case .never: throw NbtError.wrongState("its access policies can never be changed over NFC")
        case .password(let id):
            guard plan.masterPassword != nil else {
                throw NbtError.wrongState("changing it needs its master password, number \(id)")
            }
        }
    }

    /// Whether all access policies are the plan's, and not only by being those of delivery: then
    /// all steps before them have been done.
    var hasAllPolicies: Bool {
        policies == plan.policies && policies != .delivery
    }

    // MARK: Whether a step is done

    func state(of step: PersonalisationStep) async throws -> PersonalisationManager.StepState {
        switch step {
        case .storePrivateKey: return try await privateKeyState()
        case .storeLinkKey, .finalise, .deletePassword: return .unknown
        case .createPassword(let definition): return try await passwordState(definition)
        case .writeMessage(let message): return try await messageState(message)
        case .configure(let item):
            let value = try await NbtCommandSetConfig(commandSet)
                .getConfigDataBytes(tag: item.tag)
            return value == item.value ? .done : .toDo
        case .writeCapabilities(let controls): return try await capabilitiesState(controls)
        case .setPolicy(let policy):
            guard let file = NbtFile(rawValue: policy.fileId) else { return .toDo }
            return policies[file] == policy ? .done : .toDo
        case .erase(let file): return try await erasedState(file)
        }
    }

    /// A tag without key says so; with one, only the proof tells which.
    private func privateKeyState() async throws -> PersonalisationManager.StepState {
        try await commandSet.selectApplicationIfNeeded()
        // Never the same twice: a tag could replay an old signature otherwise.
        let challenge = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        do {
            let signature = try await commandSet.authenticateTag(challenge: challenge)
            guard let keyProof else { return .unknown }
            return keyProof(challenge, signature) ? .done : .toDo
        } catch NbtError.status(.authenticateTag, .conditionsNotSatisfied) {
            return .toDo
        }
    }

    /// A policy that names the password was set after it was created; the tag must know it then.
    private func passwordState(
        _ definition: PasswordDefinition
    ) async throws -> PersonalisationManager.StepState {
        guard policies.passwordIds.contains(definition.id) else { return .unknown }
        try await commandSet.selectApplicationIfNeeded()
        for file in NbtFile.allCases {
            let condition = AccessCondition.password(definition.id)
            if policies[file].nfcRead == condition {
                try await commandSet.checkPassword(definition, of: file, for: .read)
                return .done
            }
            if policies[file].nfcWrite == condition {
                try await commandSet.checkPassword(definition, of: file, for: .write)
                return .done
            }
        }
        // Only I2C asks for it, which cannot be tried from here.
        return .done
    }

    private func messageState(_ message: Data) async throws -> PersonalisationManager.StepState {
        guard policies[.ndef].nfcRead != .never else { return closedState(.ndef) }
        try await commandSet.selectApplicationIfNeeded()
        do {
            let stored = try await commandSet.readNdefMessage(readPassword: readPassword(.ndef))
            return isSameMessage(stored, message) ? .done : .toDo
        } catch NbtError.ndefLengthBeyondFile {
            return .toDo
        }
    }

    private func capabilitiesState(
        _ controls: Data
    ) async throws -> PersonalisationManager.StepState {
        let file = NbtFile.capabilityContainer
        guard policies[file].nfcRead != .never else { return closedState(file) }
        // Where a password is needed that the plan does not have, its policy is opened anyway.
        guard policies[file].nfcRead == .always || readPassword(file) != nil else { return .toDo }
        try await commandSet.selectApplicationIfNeeded()
        let start = CapabilityContainer.writableOffset
        let stored = try await commandSet.readFile(
            file,
            range: start..<start + controls.count,
            readPassword: readPassword(file)
        )
        return stored == controls ? .done : .toDo
    }

    /// What cannot be read any more was written before it was closed.
    private func closedState(_ file: NbtFile) -> PersonalisationManager.StepState {
        policies[file] == plan.policies[file] ? .done : .toDo
    }

    private func erasedState(_ file: NbtFile) async throws -> PersonalisationManager.StepState {
        guard policies[file].nfcRead == .always else { return .toDo }
        try await commandSet.selectApplicationIfNeeded()
        let size = try await size(of: file)
        let content = try await commandSet.readFile(file, range: 0..<size)
        return content.allSatisfy { $0 == 0 } ? .done : .toDo
    }

    /// The size of the NDEF file is the chip's own business; its CC tells it.
    func size(of file: NbtFile) async throws -> Int {
        guard file == .ndef, policies[.capabilityContainer].nfcRead == .always else {
            return file.size
        }
        let container = try await commandSet.readCapabilityContainer()
        return container.files.first { $0.fileId == file.rawValue }?.size ?? file.size
    }

    /// The password that the tag asks for now, if the plan has it.
    func readPassword(_ file: NbtFile) -> Data? {
        policies[file].nfcRead.passwordId.flatMap(plan.password)?.password
    }

    func writePassword(_ file: NbtFile) -> Data? {
        policies[file].nfcWrite.passwordId.flatMap(plan.password)?.password
    }

    /// The master password that the tag asks for now.
    var currentMasterPassword: Data? {
        guard let id = policies.masterPasswordId else { return nil }
        return plan.masterPassword?.bytes ?? plan.password(id)?.password
    }

    /// Compares messages; the 44 characters of the one-time token differ at each reading
    /// (facts/nbt.md, 3.1 and 4.5).
    private func isSameMessage(_ stored: Data, _ message: Data) -> Bool {
        guard let mark = message.firstRange(of: Data("cott=".utf8)),
            stored.count == message.count, mark.upperBound + 44 <= message.endIndex
        else { return stored == message }
        let start = mark.upperBound - message.startIndex
        func masked(_ bytes: Data) -> Data {
            bytes.prefix(start) + bytes.dropFirst(start + 44)
        }
        return masked(stored) == masked(message)
    }
}
