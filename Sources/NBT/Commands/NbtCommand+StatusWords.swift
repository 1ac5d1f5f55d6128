public import APDU

/// What the status words mean, and what to do (facts/nbt.md, 2).
extension NbtCommand {
    /// What a status word means as the answer to this command, without a full stop.
    public func meaning(of status: StatusWord) -> String {
        explanation(of: status)?.meaning ?? status.meaning
    }

    /// What to do about a status word, as a sentence; nil where nothing is known.
    public func remedy(for status: StatusWord) -> String? {
        explanation(of: status)?.remedy
    }

    private struct Explanation {
        let meaning: String
        let remedy: String?

        init(_ meaning: String, _ remedy: String? = nil) {
            self.meaning = meaning
            self.remedy = remedy
        }
    }

    private func explanation(of status: StatusWord) -> Explanation? {
        switch self {
        case .selectApplication, .selectConfigurator, .selectHostApplication:
            applicationSelection(status)
        case .selectFile: fileSelection(status)
        case .readBinary: reading(status)
        case .updateBinary: writing(status)
        case .updateFap: policyWriting(status)
        case .authenticateTag: authentication(status)
        case .createPassword: creation(status)
        case .deletePassword: deletion(status)
        case .changePassword, .unblockPassword: change(status)
        case .getData: information(status)
        case .personalizeData: personalisation(status)
        case .setConfiguration, .getConfiguration: configuration(status)
        case .hostCommand: hostAnswer(status)
        }
    }

    private func applicationSelection(_ status: StatusWord) -> Explanation? {
        switch (status, self) {
        case (.notFound, .selectHostApplication):
            Explanation(
                "neither the chip nor its host has such an application",
                "Set the GPIO function to pass-through and see to the host."
            )
        case (.notFound, _):
            Explanation("the tag has no such application", "Use an OPTIGA Authenticate NBT.")
        case (.wrongLength, _): Explanation("wrong length of the application identifier, or Le")
        case (.wrongData, _): Explanation("the tag has no such application", nil)
        default: nil
        }
    }

    private func fileSelection(_ status: StatusWord) -> Explanation? {
        switch status {
        case .notFound: Explanation("the tag has no such file", "Give E103, E104 or E1A1 to E1AF.")
        case .wrongData: Explanation("the password's form is wrong", "Give 4 bytes.")
        case .wrongLength: Explanation("wrong length, or no Le")
        case .securityStatusNotSatisfied:
            Explanation("the password is wrong or blocked", "Check the password, or unblock it.")
        default: nil
        }
    }

    private func reading(_ status: StatusWord) -> Explanation? {
        switch status {
        case .wrongLength: Explanation("wrong Le, or the offset lies beyond the file")
        case .securityStatusNotSatisfied:
            Explanation("the file may not be read, or a password is needed", Self.seePolicy)
        case .commandNotAllowed: Explanation("no file is selected", "Select the file first.")
        default: nil
        }
    }

    private func writing(_ status: StatusWord) -> Explanation? {
        switch status {
        case .wrongLength: Explanation("wrong length of the data")
        case .securityStatusNotSatisfied:
            Explanation("the file may not be written, or a password is needed", Self.seePolicy)
        case .conditionsNotSatisfied: Explanation("this part of the file is write-protected")
        case .commandNotAllowed: Explanation("no file is selected", "Select the file first.")
        case .wrongParameters:
            Explanation("the offset lies beyond the file", "Write less, or further ahead.")
        default: nil
        }
    }

    private func policyWriting(_ status: StatusWord) -> Explanation? {
        switch status {
        case .wrongData: Explanation("there is no such file or access condition")
        case .securityStatusNotSatisfied:
            Explanation(
                "the access policy may not be changed, or the master password is needed",
                "Give the master password; where the condition is never, it stays as it is."
            )
        default: writing(status)
        }
    }

    private func authentication(_ status: StatusWord) -> Explanation? {
        switch status {
        case .conditionsNotSatisfied:
            Explanation(
                "the tag has no private key, it is not personalised",
                "Personalise it for brand protection; an NBT1000 cannot be."
            )
        case .wrongLength: Explanation("wrong length of the challenge, or no Le")
        default: nil
        }
    }

    private func creation(_ status: StatusWord) -> Explanation? {
        switch status {
        case .securityStatusNotSatisfied: Self.masterRefused
        case .conditionsNotSatisfied:
            Explanation(
                "the password exists, or there are 28 already",
                "Delete it first, or take another identifier."
            )
        case .wrongData: Explanation("identifier, response or limit is not allowed")
        case .wrongParameters: Explanation("wrong P1 or P2")
        case .wrongLength: Explanation("wrong length")
        default: nil
        }
    }

    private func deletion(_ status: StatusWord) -> Explanation? {
        switch status {
        case .securityStatusNotSatisfied: Self.masterRefused
        case .referencedDataNotFound: Self.noSuchPassword
        default: nil
        }
    }

    private func change(_ status: StatusWord) -> Explanation? {
        switch status {
        case .securityStatusNotSatisfied: Self.masterRefused
        case .conditionsNotSatisfied:
            self == .changePassword
                ? Explanation(
                    "the master password is missing or blocked, or the password is blocked",
                    "Give the master password, and unblock the password first."
                )
                : Explanation(
                    "the master password is missing or blocked",
                    "Give the master password; while it is blocked nothing helps."
                )
        case .referencedDataNotFound: Self.noSuchPassword
        case .wrongParameters: Explanation("wrong P1 or P2")
        case .wrongLength: Explanation("wrong length")
        default: nil
        }
    }

    private func information(_ status: StatusWord) -> Explanation? {
        switch status {
        case .wrongParameters: Explanation("the tag does not tell this")
        case .wrongLength: Explanation("Lc is present, or Le is not 00")
        default: nil
        }
    }

    private func personalisation(_ status: StatusWord) -> Explanation? {
        switch status {
        case .conditionsNotSatisfied:
            Explanation(
                "personalisation is finalised, the password exists, there are 28 already, "
                    + "or the chip takes no ECC key",
                "Take a tag that is not finalised; only an NBT2000 takes an ECC key."
            )
        case .wrongData: Explanation("the value has a wrong length or content")
        case .referencedDataNotFound: Explanation("the tag knows no such DGI")
        case .wrongLength: Explanation("the command has no data")
        default: nil
        }
    }

    private func configuration(_ status: StatusWord) -> Explanation? {
        switch status {
        case .conditionsNotSatisfied:
            Explanation(
                "the value may not be changed",
                "It is read only, or the tag's life cycle is operational."
            )
        case .wrongData: Explanation("the tag, its length or its value is not allowed")
        case .wrongLength: Explanation("wrong length")
        case .instructionNotSupported, .classNotSupported:
            Explanation("the configurator is not selected", "Select the configurator first.")
        default: nil
        }
    }

    /// What the demonstration's firmware answers (facts/nbt.md, 4.2).
    private func hostAnswer(_ status: StatusWord) -> Explanation? {
        switch status {
        case .wrongOffset: Explanation("the host application does not know these parameters")
        case .wrongData: Explanation("the host application wants no data")
        case .instructionNotSupported:
            Explanation("the host application is not selected, or does not know the command")
        default: nil
        }
    }

    private static let seePolicy = "See the file's access policy, and give its password."
    private static let masterRefused = Explanation(
        "the master password is missing, wrong or blocked",
        "Give the master password, which the access policy file's write condition names."
    )
    private static let noSuchPassword = Explanation(
        "the tag has no password with this identifier"
    )
}
