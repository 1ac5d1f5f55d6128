#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What is to be done to a chip, as a list of steps that can be shown, carried out and, after an
/// interruption, carried out again: `PersonalisationManager` does both.
public struct PersonalisationPlan: Sendable {
    /// From which states a plan starts.
    public enum Start: Sendable, Hashable {
        /// From the delivery state, or from where this plan was interrupted.
        case delivery
        /// From every state whose access policies can be changed.
        case any
    }

    /// From which states the plan starts.
    public let start: Start
    /// The steps in their order.
    ///
    /// Access policies come after everything they protect, the access policy file's own one last.
    public let steps: [PersonalisationStep]
    /// The access policies that the plan leaves.
    public let policies: FileAccessPolicies
    /// The passwords that the plan creates.
    public let passwords: [PasswordDefinition]
    /// The master password that the chip has when the plan starts; nil if it has none.
    let masterPassword: SecretKey?

    /// What is put on a chip.
    public struct Content: Sendable {
        /// The NDEF message, at most 4094 bytes; nil leaves the file as it is.
        public var message: Data?
        /// The private number of AUTHENTICATE TAG, 32 bytes; nil for none.
        public var privateKey: SecretKey?
        /// The AES key of the one-time link token, 16 bytes; nil for none.
        public var linkKey: SecretKey?
        /// The passwords that the policies name, and others.
        public var passwords: [PasswordDefinition] = []
        /// The access policies.
        public var policies: FileAccessPolicies
        /// The configuration; tags that are not in it stay as they are.
        public var configuration: [ConfigurationItem] = []
        /// Whether personalisation is ended for good as the last step.
        public var finalises = false

        /// Starts with a use case's policies and configuration, and nothing else.
        public init(for useCase: NbtUseCase) {
            policies = useCase.policies
            configuration = useCase.configuration
        }

        /// Starts with policies alone.
        public init(policies: FileAccessPolicies) { self.policies = policies }
    }

    /// A plan that takes a chip from its delivery state to this content.
    ///
    /// - Throws: `NbtError.invalidPlan` if the content contradicts itself, `ndefMessageTooLong`,
    ///   `invalidArgument`.
    public init(_ content: Content) throws(NbtError) {
        try Self.check(content)
        start = .delivery
        policies = content.policies
        passwords = content.passwords
        masterPassword = nil
        var steps: [PersonalisationStep] = []
        if let key = content.privateKey { steps.append(.storePrivateKey(key)) }
        if let key = content.linkKey { steps.append(.storeLinkKey(key)) }
        steps += content.passwords.map(PersonalisationStep.createPassword)
        if let message = content.message { steps.append(.writeMessage(message)) }
        steps += content.configuration.map(PersonalisationStep.configure)
        steps.append(
            .writeCapabilities(CapabilityContainer.proprietaryControls(for: content.policies))
        )
        steps += content.policies.entries.map(PersonalisationStep.setPolicy)
        if content.finalises { steps.append(.finalise) }
        self.steps = steps
    }

    /// A plan that takes a chip back to its delivery state.
    ///
    /// Infineon's app empties the NDEF file, frees the access policies and leaves the rest; this
    /// plan also erases the proprietary files and deletes the passwords. No command deletes keys or
    /// undoes finalising, and the factory's configuration is not known.
    ///
    /// - Parameters:
    ///   - masterPassword: the chip's master password; nil if it has none.
    ///   - configuration: values to set; none if nothing else is said.
    /// - Returns: the plan, which starts from any state.
    /// - Throws: `NbtError.invalidArgument` for a password that has not 4 bytes, `invalidPlan` for
    ///   a configuration that the chip does not take.
    public static func reset(
        masterPassword: Data? = nil,
        configuration: [ConfigurationItem] = []
    ) throws(NbtError) -> PersonalisationPlan {
        if let masterPassword { try PasswordDefinition.check(masterPassword, for: .selectFile) }
        try checkConfiguration(configuration)
        let delivery = FileAccessPolicies.delivery
        let files = [NbtFile.ndef] + NbtFile.proprietary
        // The access policy file first: from there on no password is needed.
        var steps: [PersonalisationStep] = [.setPolicy(delivery[.fileAccessPolicy])]
        steps += files.map { .setPolicy(delivery[$0]) }
        steps += files.map { .erase($0) }
        steps.append(.writeCapabilities(CapabilityContainer.proprietaryControls(for: delivery)))
        steps.append(.setPolicy(delivery[.capabilityContainer]))
        steps += PasswordId.all.map { .deletePassword($0) }
        steps += configuration.map(PersonalisationStep.configure)
        return PersonalisationPlan(
            start: .any,
            steps: steps,
            policies: delivery,
            masterPassword: masterPassword.map(SecretKey.init)
        )
    }

    private init(
        start: Start,
        steps: [PersonalisationStep],
        policies: FileAccessPolicies,
        masterPassword: SecretKey?
    ) {
        self.start = start
        self.steps = steps
        self.policies = policies
        self.passwords = []
        self.masterPassword = masterPassword
    }

    /// What the plan does that cannot be undone, as phrases; ask before it is carried out.
    public var consequences: [String] {
        var consequences: [String] = []
        if policies[.fileAccessPolicy].nfcWrite == .never {
            consequences.append("access policies and passwords can never be changed again over NFC")
        }
        for step in steps {
            switch step {
            case .finalise: consequences.append("keys can never be stored again")
            case .configure(let item):
                if let consequence = item.tag.consequence(of: item.value) {
                    consequences.append("\(item.tag): \(consequence)")
                }
            default: break
            }
        }
        return consequences
    }

    /// Whether the plan ends personalisation.
    var finalises: Bool { steps.contains(.finalise) }

    /// The plan's password with this identifier.
    func password(_ id: PasswordId) -> PasswordDefinition? { passwords.first { $0.id == id } }
}

/// What a content must fulfil.
extension PersonalisationPlan {
    private static func check(_ content: Content) throws(NbtError) {
        if let message = content.message, message.count > NbtConstants.ndefFileSize - 2 {
            throw .ndefMessageTooLong(length: message.count)
        }
        if let key = content.privateKey, key.bytes.count != 32 {
            throw .invalidPlan("a P-256 private key has 32 bytes, not \(key.bytes.count)")
        }
        if let key = content.linkKey, key.bytes.count != 16 {
            throw .invalidPlan("a link key has 16 bytes, not \(key.bytes.count)")
        }
        try checkPasswords(content)
        try checkConfiguration(content.configuration)
    }

    private static func checkPasswords(_ content: Content) throws(NbtError) {
        let ids = Set(content.passwords.map(\.id))
        guard ids.count == content.passwords.count else {
            throw .invalidPlan("two passwords have the same identifier")
        }
        guard ids.count <= 28 else { throw .invalidPlan("a chip holds at most 28 passwords") }
        for id in content.policies.passwordIds.sorted() where !ids.contains(id) {
            throw .invalidPlan("a policy names password \(id), which is not created")
        }
        // Nobody could tell any more how far the plan has come.
        guard content.policies[.fileAccessPolicy].nfcRead != .never else {
            throw .invalidPlan("the access policy file must stay readable through NFC")
        }
    }

    private static func checkConfiguration(_ items: [ConfigurationItem]) throws(NbtError) {
        for item in items {
            if let problem = item.tag.problem(with: item.value) { throw .invalidPlan(problem) }
        }
        guard Set(items.map(\.tag)).count == items.count else {
            throw .invalidPlan("a configuration tag is set twice")
        }
    }
}
