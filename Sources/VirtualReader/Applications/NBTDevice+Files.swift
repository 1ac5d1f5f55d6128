import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Files: SELECT, READ BINARY, UPDATE BINARY (facts/nbt.md, 1.3 to 1.6, 2.2 and 2.3).
extension NBTDevice {
    static let proprietaryFiles: [File] = [
        .proprietary1, .proprietary2, .proprietary3, .proprietary4,
    ]
    static let proprietarySize = 1024
    /// Version, MLe, MLc and the NDEF file's control TLV cannot be written.
    private static let protectedHeader = 0x02..<0x0F

    /// The CC, 47 bytes: header, and one control TLV a file, all free (facts/nbt.md, 1.5).
    static func capabilityContainer(_ settings: NBTApplication.Settings) -> Data {
        let numbers = [0x002F, settings.maximumResponseData, settings.maximumCommandData]
            .map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        let size = settings.ndefFileSize
        return Data(numbers[0] + [0x20] + numbers[1] + numbers[2])
            + [0x04, 0x06, 0xE1, 0x04, UInt8(size >> 8), UInt8(size & 0xFF), 0x00, 0x00]
            + proprietaryControl(access: 0x00)
    }

    /// The CC from offset 0F: read and write access of the proprietary files, 00 free or FF none.
    static func proprietaryControl(access: UInt8) -> Data {
        proprietaryFiles.reduce(into: Data()) { bytes, file in
            bytes += [0x05, 0x06, UInt8(file.rawValue >> 8), UInt8(file.rawValue & 0xFF)]
            bytes += [0x04, 0x00, access, access]
        }
    }

    /// SELECT file, with up to two passwords.
    mutating func selectFile(_ command: CardCommand) throws(Refusal) -> Data {
        guard !command.isExtended, [2, 8, 14].contains(command.data.count),
            command.le == 256 || command.le == nil && command.data.count == 2
        else { throw .wrongLength }
        session.mayRead = false
        session.mayWrite = false
        guard let file = File(bigEndian: command.data.prefix(2)) else {
            if !settings.failedSelectKeepsFile { deselectFile() }
            throw .notFound
        }
        let candidates = try passwordCandidates(command.data.dropFirst(2))
        var answer = Data()
        var opened: Set<PasswordUse> = []
        for (use, candidate) in candidates {
            guard
                case .password(let identifier) =
                    use == .read ? readCondition(file) : writeCondition(file)
            else { continue }  // No password is needed: nothing to check, nothing to answer.
            let check = checkPassword(identifier, candidate)
            if check == .right { opened.insert(use) }
            answer += try passwordAnswer(check, identifier)
        }
        deselectFile()
        session.selectedFile = file
        session.mayRead = opened.contains(.read)
        session.mayWrite = opened.contains(.write)
        if file == .ndef { session.token = freshToken() }
        return answer
    }

    private enum PasswordUse: UInt8 {
        case read = 0x52
        case write = 0x54
    }

    /// The TLVs 52 (read) and 54 (write), each at most once, 4 bytes each.
    private func passwordCandidates(
        _ bytes: Data
    ) throws(Refusal) -> [(PasswordUse, Data)] {
        var reader = ByteReader(bytes)
        var candidates: [(PasswordUse, Data)] = []
        do throws(EndOfBytes) {
            while !reader.isAtEnd {
                guard let use = PasswordUse(rawValue: try reader.byte()),
                    !candidates.contains(where: { $0.0 == use }),
                    try reader.byte() == NBTPassword.length
                else { throw EndOfBytes() }
                candidates.append((use, try reader.bytes(NBTPassword.length)))
            }
        } catch {
            throw .wrongData
        }
        return candidates
    }

    private func passwordAnswer(
        _ check: NBTPassword.Check,
        _ identifier: UInt8
    ) throws(Refusal) -> Data {
        switch (check, settings.wrongPassword) {
        case (.right, _): return passwords[identifier]?.response ?? Data()
        case (_, .securityStatus): throw .securityStatus
        case (.wrong, .marker): return Data([0x00, 0x00])
        case (.blocked, .marker): return Data([0xFF, 0xFF])
        }
    }

    /// READ BINARY: min(Le, what is left) bytes.
    ///
    /// The access policy file ignores the offset.
    func readBinary(_ command: CardCommand) throws(Refusal) -> Data {
        guard !command.isExtended, command.data.isEmpty, let le = command.le else {
            throw .wrongLength
        }
        guard let file = session.selectedFile else { throw .noFileSelected }
        guard allows(readCondition(file), verified: session.mayRead) else { throw .securityStatus }
        let bytes = readableContents(of: file)
        let offset = file == .accessPolicy ? 0 : Int(command.parameters)
        guard offset < bytes.count || offset == bytes.count && settings.readAtEnd == .empty else {
            throw .wrongLength
        }
        return Data(bytes.dropFirst(offset).prefix(min(le, Int(settings.maximumResponseData))))
    }

    private func readableContents(of file: File) -> Data {
        let bytes = file == .accessPolicy ? policies.bytes : contents[file] ?? Data()
        guard file == .ndef, let token = session.token else { return bytes }
        return replacingToken(in: bytes, by: token)
    }

    /// UPDATE BINARY: all of the data fits, or nothing is written.
    mutating func updateBinary(_ command: CardCommand) throws(Refusal) -> Data {
        guard !command.isExtended, !command.data.isEmpty, command.le == nil else {
            throw .wrongLength
        }
        guard let file = session.selectedFile else { throw .noFileSelected }
        guard allows(writeCondition(file), verified: session.mayWrite) else {
            throw .securityStatus
        }
        if file == .accessPolicy {
            guard let entry = NBTAccessEntry(command.data) else { throw .wrongData }
            policies[entry.file] = entry.policy
            return Data()
        }
        let offset = Int(command.parameters)
        let range = offset..<offset + command.data.count
        if file == .capabilityContainer, range.overlaps(Self.protectedHeader) {
            throw .conditionsOfUse
        }
        guard write(command.data, to: file, at: offset) else { throw .wrongParameters }
        return Data()
    }

    /// Writes inside the file.
    ///
    /// - Returns: false, with nothing written, when the data reaches beyond the file's end.
    mutating func write(_ data: Data, to file: File, at offset: Int) -> Bool {
        guard var bytes = contents[file], offset + data.count <= bytes.count else { return false }
        bytes.replaceSubrange(offset..<offset + data.count, with: data)
        contents[file] = bytes
        return true
    }

    private func allows(_ condition: NBTApplication.AccessCondition, verified: Bool) -> Bool {
        switch condition {
        case .always: true
        case .never: false
        case .password: verified
        }
    }
}
