#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One step of a plan.
///
/// Every step may be repeated: it either finds that it is done, or does the same once more. Printing
/// one shows no secrets.
public enum PersonalisationStep: Sendable, Hashable {
    /// Store the private number of AUTHENTICATE TAG (DGI A002).
    case storePrivateKey(SecretKey)
    /// Store the key of the one-time link token (DGI A001).
    case storeLinkKey(SecretKey)
    /// Create a password.
    case createPassword(PasswordDefinition)
    /// Write the NDEF message; a tag that has it already is left alone.
    case writeMessage(Data)
    /// Set a value of the configuration.
    case configure(ConfigurationItem)
    /// Write the control objects of the proprietary files into the CC, which is opened for it.
    case writeCapabilities(Data)
    /// Set the access policy of one file.
    case setPolicy(FileAccessPolicy)
    /// Fill the NDEF or a proprietary file with zeros.
    case erase(NbtFile)
    /// Delete a password, if there is one.
    case deletePassword(PasswordId)
    /// End personalisation for good (DGI BF63).
    case finalise
}

extension PersonalisationStep: CustomStringConvertible {
    /// What the step does, as a phrase.
    public var description: String {
        switch self {
        case .storePrivateKey: "store the private key of AUTHENTICATE TAG"
        case .storeLinkKey: "store the key of the one-time link token"
        case .createPassword(let definition): "create \(definition)"
        case .writeMessage(let message): "write the NDEF message of \(message.count) bytes"
        case .configure(let item): "set \(item)"
        case .writeCapabilities: "write the proprietary files' access into the CC"
        case .setPolicy(let policy): "set the access policy of the \(policy)"
        case .erase(let file): "erase the \(file)"
        case .deletePassword(let id): "delete password \(id)"
        case .finalise: "end personalisation for good"
        }
    }
}
