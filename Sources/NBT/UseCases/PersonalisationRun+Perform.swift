import APDU

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Carrying out a step that is not known to be done.
extension PersonalisationRun {
    private var perso: NbtCommandSetPerso { NbtCommandSetPerso(commandSet) }

    /// Carries out a step.
    ///
    /// - Returns: whether anything was written; false if it turned out to be done.
    mutating func perform(
        _ step: PersonalisationStep,
        after state: PersonalisationManager.StepState
    ) async throws -> Bool {
        if case .configure(let item) = step {
            try await NbtCommandSetConfig(commandSet).setConfigData(
                tag: item.tag,
                data: item.value,
                irrevocably: true
            )
            return true
        }
        try await commandSet.selectApplicationIfNeeded()
        switch step {
        case .storePrivateKey(let key):
            // A tag without key, or with another one, has not been through this step.
            return try await store(orFindFinalised: state == .unknown) { perso in
                try await perso.personalizePrivateKey(key.bytes)
            }
        case .storeLinkKey(let key):
            return try await store(orFindFinalised: true) { perso in
                try await perso.personalizeLinkKey(key.bytes)
            }
        case .createPassword(let definition): try await create(definition)
        case .writeMessage(let message): try await write(message)
        case .writeCapabilities(let controls): try await writeCapabilities(controls)
        case .setPolicy(let policy): try await set(policy)
        case .erase(let file): try await erase(file)
        case .deletePassword(let id): return try await delete(id)
        case .finalise: return try await finalise()
        case .configure: return false
        }
        return true
    }

    /// Stores a key.
    ///
    /// When personalisation has been ended, which this plan does last of all, the key has been
    /// stored before.
    private func store(
        orFindFinalised mayBeStored: Bool,
        _ body: (NbtCommandSetPerso) async throws -> Void
    ) async throws -> Bool {
        do {
            try await body(perso)
            return true
        } catch NbtError.status(.personalizeData, .conditionsNotSatisfied)
            where mayBeStored && plan.finalises && hasAllPolicies
        {
            return false
        }
    }

    /// Creates a password, in place of one with the same identifier.
    private func create(_ definition: PasswordDefinition) async throws {
        let master = currentMasterPassword
        do {
            try await commandSet.createPassword(definition, masterPassword: master)
        } catch NbtError.status(.createPassword, .conditionsNotSatisfied) {
            // No policy names it yet, so that it protects nothing: it is a leftover, or this
            // plan's own. Where it is none, the chip is full, and the second try says so.
            _ = try await delete(definition.id)
            try await commandSet.createPassword(definition, masterPassword: master)
        }
    }

    private func delete(_ id: PasswordId) async throws -> Bool {
        do {
            try await commandSet.deletePassword(
                passwordId: id,
                masterPassword: currentMasterPassword
            )
            return true
        } catch NbtError.status(.deletePassword, .referencedDataNotFound) {
            return false
        }
    }

    private func write(_ message: Data) async throws {
        guard policies[.ndef].nfcWrite != .never else {
            throw NbtError.wrongState("its message is another one and can never be changed")
        }
        try await commandSet.updateNdefMessage(
            dataBytes: message,
            writePassword: writePassword(.ndef)
        )
    }

    /// The CC can be written only while its policy says so; the plan's own policy comes after.
    private mutating func writeCapabilities(_ controls: Data) async throws {
        if policies[.capabilityContainer].nfcWrite != .always {
            try await set(Self.openCapabilityContainer)
        }
        try await commandSet.writeFile(
            .capabilityContainer,
            data: controls,
            at: CapabilityContainer.writableOffset
        )
    }

    private mutating func set(_ policy: FileAccessPolicy) async throws {
        try await commandSet.updateFap(
            fapPolicy: policy,
            masterPassword: currentMasterPassword
        )
        if let file = NbtFile(rawValue: policy.fileId) { policies[file] = policy }
    }

    private func erase(_ file: NbtFile) async throws {
        // NLEN, or what an application takes for a length, goes first: no half message remains.
        try await commandSet.writeFile(file, data: Data(count: try await size(of: file)))
    }

    private func finalise() async throws -> Bool {
        do {
            try await perso.finalizePersonalization(irrevocably: true)
            return true
        } catch NbtError.status(.personalizeData, .conditionsNotSatisfied) {
            return false
        }
    }
}
