public import APDU

/// A command of the NBT, for error texts: its name, and what its status words mean (facts/nbt.md,
/// 2).
public enum NbtCommand: String, Sendable, Hashable {
    /// SELECT by the AID of the operational application.
    case selectApplication = "SELECT application"
    /// SELECT by the AID of the configurator application.
    case selectConfigurator = "SELECT configurator"
    /// SELECT by file id, with or without passwords.
    case selectFile = "SELECT file"
    /// READ BINARY.
    case readBinary = "READ BINARY"
    /// UPDATE BINARY.
    case updateBinary = "UPDATE BINARY"
    /// AUTHENTICATE TAG.
    case authenticateTag = "AUTHENTICATE TAG"

    /// What a status word means as the answer to this command, without a full stop.
    public func meaning(of status: StatusWord) -> String {
        switch (self, status) {
        case (.selectApplication, .notFound), (.selectConfigurator, .notFound):
            "the tag has no such application"
        case (.selectFile, .notFound):
            "the tag has no such file"
        case (.selectFile, .wrongData):
            "the password's form is wrong"
        case (.readBinary, .wrongLength):
            "wrong Le, or the offset lies beyond the file"
        case (.readBinary, .securityStatusNotSatisfied):
            "the file may not be read, or a password is needed"
        case (.updateBinary, .securityStatusNotSatisfied):
            "the file may not be written, or a password is needed"
        case (.updateBinary, .conditionsNotSatisfied):
            "this part of the file is write-protected"
        case (.updateBinary, .wrongParameters):
            "the offset lies beyond the file"
        case (.readBinary, .commandNotAllowed), (.updateBinary, .commandNotAllowed):
            "no file is selected"
        case (.authenticateTag, .conditionsNotSatisfied):
            "the tag has no private key, it is not personalised"
        case (.authenticateTag, .wrongLength):
            "wrong length of the challenge, or no Le"
        default:
            status.meaning
        }
    }
}
