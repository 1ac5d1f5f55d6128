/// A command of the NBT, for error texts.
///
/// Instructions with the same number in different applications are different commands here, so that
/// their status words are never mixed up.
public enum NbtCommand: String, Sendable, Hashable, CaseIterable {
    /// SELECT by the AID of the operational application.
    case selectApplication = "SELECT application"
    /// SELECT by the AID of the configurator application.
    case selectConfigurator = "SELECT configurator"
    /// SELECT by the AID of an application in the host behind the chip.
    case selectHostApplication = "SELECT host application"
    /// SELECT by file id, with or without passwords.
    case selectFile = "SELECT file"
    /// READ BINARY.
    case readBinary = "READ BINARY"
    /// UPDATE BINARY.
    case updateBinary = "UPDATE BINARY"
    /// UPDATE BINARY of one entry of the access policy file.
    case updateFap = "UPDATE BINARY (file access policy)"
    /// AUTHENTICATE TAG.
    case authenticateTag = "AUTHENTICATE TAG"
    /// CREATE PASSWORD.
    case createPassword = "CREATE PASSWORD"
    /// DELETE PASSWORD.
    case deletePassword = "DELETE PASSWORD"
    /// CHANGE PASSWORD.
    case changePassword = "CHANGE PASSWORD"
    /// UNBLOCK PASSWORD.
    case unblockPassword = "UNBLOCK PASSWORD"
    /// GET DATA.
    case getData = "GET DATA"
    /// PERSONALIZE DATA.
    case personalizeData = "PERSONALIZE DATA"
    /// SET CONFIGURATION.
    case setConfiguration = "SET CONFIGURATION"
    /// GET CONFIGURATION.
    case getConfiguration = "GET CONFIGURATION"
    /// A command to the application in the host behind the chip.
    case hostCommand = "host application's command"
}
