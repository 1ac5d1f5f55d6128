#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Passwords: CREATE, DELETE, CHANGE, UNBLOCK (facts/nbt.md, 2.5).
///
/// The master password is the one that the write condition of the access policy file names, for the interface in use;
/// without such a condition no command needs it.
extension NBTDevice {
    /// Compares a candidate with a stored password; one that does not exist counts as blocked.
    mutating func checkPassword(_ identifier: UInt8, _ candidate: Data) -> NBTPassword.Check {
        passwords[identifier]?
            .check(candidate, successClearsTries: settings.successClearsTries) ?? .blocked
    }

    /// The identifier of the master password; nil when none is needed.
    private var masterIdentifier: UInt8? {
        guard case .password(let identifier) = writeCondition(.accessPolicy) else { return nil }
        return identifier
    }

    mutating func createPassword(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.parameters == 0 else { throw .wrongParameters }
        guard !command.isExtended, command.le == nil, [9, 13].contains(command.data.count) else {
            throw .wrongLength
        }
        try requireMaster(command.data.dropLast(9))
        try storePassword(command.data.suffix(9))
        return Data()
    }

    /// Stores a new password from its 9-byte record (CREATE PASSWORD and DGI A003).
    mutating func storePassword(_ record: Data) throws(Refusal) {
        guard let identifier = record.first, passwords[identifier] == nil,
            passwords.count < NBTPassword.maximumCount
        else { throw .conditionsOfUse }
        let (_, password) = try NBTPassword.parse(record)
        passwords[identifier] = password
    }

    mutating func deletePassword(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.p1 == 0 else { throw .wrongParameters }
        guard !command.isExtended, command.le == nil, [0, 4].contains(command.data.count) else {
            throw .wrongLength
        }
        try requireMaster(command.data)
        guard passwords.removeValue(forKey: command.p2) != nil else {
            throw .referencedDataNotFound
        }
        return Data()
    }

    /// CREATE and DELETE answer 6982 whenever the master password is missing, wrong or blocked.
    private mutating func requireMaster(_ candidate: Data) throws(Refusal) {
        guard let master = masterIdentifier else { return }
        guard !candidate.isEmpty, checkPassword(master, candidate) == .right else {
            throw .securityStatus
        }
    }

    /// INS 24: b8-b7 of P2 are 01 for CHANGE and 00 for UNBLOCK, the rest is the password's identifier.
    mutating func changeOrUnblockPassword(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.p1 == 0, command.p2 & 0x80 == 0 else { throw .wrongParameters }
        let isChange = command.p2 & 0x40 != 0
        let identifier = command.p2 & 0x3F
        let newLength = isChange ? NBTPassword.length : 0
        let withMaster = newLength + NBTPassword.length
        guard !command.isExtended, command.le == nil,
            [newLength, withMaster].contains(command.data.count)
        else { throw .wrongLength }
        try requireMasterForChange(command.data.dropLast(newLength))
        guard passwords[identifier] != nil else { throw .referencedDataNotFound }
        if isChange {
            guard passwords[identifier]?.isBlocked == false else { throw .conditionsOfUse }
            passwords[identifier]?.value = Data(command.data.suffix(newLength))
        } else {
            passwords[identifier]?.unblock()
        }
        return Data()
    }

    /// CHANGE and UNBLOCK tell a missing or blocked master password (6985) from a wrong one.
    private mutating func requireMasterForChange(_ candidate: Data) throws(Refusal) {
        guard let master = masterIdentifier else { return }
        guard !candidate.isEmpty else { throw .conditionsOfUse }
        switch checkPassword(master, candidate) {
        case .right: return
        case .wrong: throw Refusal(statusWord: settings.wrongMasterStatus)
        case .blocked: throw .conditionsOfUse
        }
    }
}
