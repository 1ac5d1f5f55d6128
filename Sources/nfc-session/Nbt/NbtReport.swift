import APDU
import NBT
import NDEF
import NFCReader

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// All that can be read of a tag without a password.
struct NbtReport: Sendable {
    /// What the tag is prepared for, as its access policies tell.
    enum State: Sendable, Equatable {
        /// As it was delivered.
        case delivery
        /// For one of these use cases, whose policies are alike; with passwords in some places, perhaps.
        case prepared([NbtUseCase], hasPasswords: Bool)
        /// With policies of somebody's own.
        case own
    }

    let uid: String
    let hasRandomUID: Bool
    let version: Reading<AppletVersion>
    let memory: Reading<AvailableMemory>
    /// Whether a private key is stored, which the tag proves by signing; whose it is is not known.
    let hasKey: Reading<Bool>
    let policies: Reading<FileAccessPolicies>
    let capabilities: Reading<CapabilityContainer>
    /// The NDEF message as it is, empty for none.
    let message: Reading<Data>
    let configuration: Reading<[ConfigurationLine]>

    /// Reads a tag, in some thirty exchanges.
    ///
    /// - Throws: when the tag is lost, the reader fails, or the tag is no NBT.
    init(reading tag: NbtConnection.Tag) async throws {
        let commandSet = tag.commandSet
        uid = tag.uid
        hasRandomUID = tag.target.hasRandomUID
        // Thrown for a tag that has no such file: it is no NBT.
        do {
            policies = .known(try await commandSet.readFap())
        } catch let error as NbtError where error != .status(.selectFile, .notFound) {
            policies = .refused("\(error)")
        }
        version = try await Reading { try await commandSet.getDataAppletVersion() }
        memory = try await Reading { try await commandSet.getDataAvailableMemory() }
        hasKey = try await Reading { try await Self.signs(commandSet) }
        capabilities = try await Reading { try await commandSet.readCapabilityContainer() }
        message = try await Reading { try await commandSet.readNdefMessage() }
        configuration = try await Reading { try await ConfigurationLine.all(of: commandSet) }
    }

    private static func signs(_ commandSet: NbtCommandSet) async throws -> Bool {
        // Never the same twice, so that nobody collects signatures over known challenges.
        let challenge = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })
        do {
            _ = try await commandSet.authenticateTag(challenge: challenge)
            return true
        } catch NbtError.status(.authenticateTag, .conditionsNotSatisfied) {
            return false
        }
    }

    /// What the tag is prepared for; nil where its policies are not known.
    var state: State? {
        guard let policies = policies.value else { return nil }
        if policies == .delivery { return .delivery }
        let fitting = NbtUseCase.allCases.filter { Self.fits(policies, $0.policies) }
        guard !fitting.isEmpty else { return .own }
        return .prepared(fitting, hasPasswords: !policies.passwordIds.isEmpty)
    }

    /// Whether policies are those of a use case, but for passwords that somebody has put in.
    private static func fits(_ own: FileAccessPolicies, _ wanted: FileAccessPolicies) -> Bool {
        func fits(_ own: AccessCondition, _ wanted: AccessCondition) -> Bool {
            own == wanted || own.passwordId != nil
        }
        return zip(own.entries, wanted.entries).allSatisfy { own, wanted in
            fits(own.nfcRead, wanted.nfcRead) && fits(own.nfcWrite, wanted.nfcWrite)
                && fits(own.i2cRead, wanted.i2cRead) && fits(own.i2cWrite, wanted.i2cWrite)
        }
    }

    /// The records of the message; nil where it is not known, or no NDEF message.
    var records: [RecordLine]? {
        guard let bytes = message.value else { return nil }
        if bytes.isEmpty { return [] }
        return (try? NDEFMessage(encoded: bytes))?.records.map { RecordLine($0) }
    }

    /// The size of a file, as the CC says or else as all chips have it.
    func size(of file: NbtFile) -> Int {
        capabilities.value?.files.first { $0.fileId == file.rawValue }?.size ?? file.size
    }
}
