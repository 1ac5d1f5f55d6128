import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A plain NFC Forum Type 4 Tag, mapping version 2.0: capability container and NDEF file.
///
/// It takes SELECT, READ BINARY and UPDATE BINARY with the status words of ISO 7816-4. A read that reaches beyond
/// the end of the file gives what is there and 9000: Le is the largest number of bytes, not the exact one
/// (ISO 7816-4, 5.2). The NDEF file may be looked at from any thread.
public final class Type4Application: CardApplication {
    private let card: Mutex<Type4Card>

    /// A tag with an NDEF message.
    ///
    /// - Parameters:
    ///   - ndefMessage: the message; empty for an empty tag (NLEN 0000).
    ///   - ndefFileSize: bytes of the NDEF file with NLEN, 5...65534.
    ///   - maximumResponseData: MLe of the CC, at least 15; READ BINARY with a larger Le answers 6700.
    ///   - maximumCommandData: MLc of the CC, at least 1; UPDATE BINARY with more data answers 6700.
    ///   - isReadOnly: whether the CC forbids writing (FF), and UPDATE BINARY answers 6982.
    /// - Throws: `CardError.invalidArgument` for numbers outside these limits, `CardError.doesNotFit` when the
    ///   message is longer than the file.
    public init(
        ndefMessage: Data = Data(),
        ndefFileSize: UInt16 = 2048,
        maximumResponseData: UInt16 = 0x00FF,
        maximumCommandData: UInt16 = 0x00FF,
        isReadOnly: Bool = false
    ) throws(CardError) {
        guard (5...0xFFFE).contains(ndefFileSize), maximumResponseData >= 15,
            maximumCommandData >= 1
        else {
            throw .invalidArgument(
                "a Type 4 Tag has an NDEF file of 5 to 65534 bytes, MLe from 15 and MLc from 1"
            )
        }
        let room = Int(ndefFileSize) - 2
        guard ndefMessage.count <= room else {
            throw .doesNotFit(bytes: ndefMessage.count, limit: room)
        }
        let length = Data([UInt8(ndefMessage.count >> 8), UInt8(ndefMessage.count & 0xFF)])
        card = Mutex(
            Type4Card(
                ndefFile: length + ndefMessage + Data(count: room - ndefMessage.count),
                maximumResponseData: maximumResponseData,
                maximumCommandData: maximumCommandData,
                isReadOnly: isReadOnly
            )
        )
    }

    /// Answers one command APDU.
    public func respond(to command: Data) -> Data {
        card.withLock { $0.respond(to: command) }
    }

    /// Forgets what was selected.
    public func reset() {
        card.withLock { $0.reset() }
    }

    /// The NDEF file: NLEN (2 bytes), the message, and what comes after it.
    public var ndefFile: Data { card.withLock { $0.ndefFile } }

    /// Overwrites the NDEF file from its start, NLEN and all, even if it is read-only.
    ///
    /// - Throws: `CardError.doesNotFit` when the bytes are longer than the file.
    public func overwriteNDEFFile(with bytes: Data) throws(CardError) {
        let limit = card.withLock { $0.ndefFile.count }
        guard bytes.count <= limit else { throw .doesNotFit(bytes: bytes.count, limit: limit) }
        card.withLock { $0.ndefFile.replaceSubrange(0..<bytes.count, with: bytes) }
    }
}

/// The state of a Type 4 Tag.
private struct Type4Card: CommandProcessor {
    private static let aid = Data([0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01])

    private enum File {
        case capabilityContainer, ndef
    }

    var ndefFile: Data
    let maximumResponseData: UInt16
    let maximumCommandData: UInt16
    let isReadOnly: Bool
    private var isSelected = false
    private var selectedFile: File?

    init(
        ndefFile: Data,
        maximumResponseData: UInt16,
        maximumCommandData: UInt16,
        isReadOnly: Bool
    ) {
        self.ndefFile = ndefFile
        self.maximumResponseData = maximumResponseData
        self.maximumCommandData = maximumCommandData
        self.isReadOnly = isReadOnly
    }

    mutating func reset() {
        isSelected = false
        selectedFile = nil
    }

    mutating func process(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.cla == 0x00 else { throw .unknownClass }
        switch command.ins {
        case 0xA4: return try select(command)
        case 0xB0: return try readBinary(command)
        case 0xD6: return try updateBinary(command)
        default: throw .unknownInstruction
        }
    }

    private mutating func select(_ command: CardCommand) throws(Refusal) -> Data {
        switch command.parameters {
        case 0x0400, 0x040C:
            guard (1...16).contains(command.data.count) else { throw .wrongLength }
            guard command.data == Self.aid else { throw .notFound }
            isSelected = true
            selectedFile = nil
        case 0x000C:
            guard command.data.count == 2 else { throw .wrongLength }
            guard isSelected else { throw .notFound }
            switch command.data {
            case Data([0xE1, 0x03]): selectedFile = .capabilityContainer
            case Data([0xE1, 0x04]): selectedFile = .ndef
            default: throw .notFound
            }
        default: throw .wrongParameters
        }
        return Data()
    }

    /// CCLEN, version 2.0, MLe, MLc, and the NDEF file's control TLV.
    private var capabilityContainer: Data {
        let numbers = [maximumResponseData, maximumCommandData, UInt16(clamping: ndefFile.count)]
            .map { Data([UInt8($0 >> 8), UInt8($0 & 0xFF)]) }
        return Data([0x00, 0x0F, 0x20]) + numbers[0] + numbers[1]
            + [0x04, 0x06, 0xE1, 0x04] + numbers[2] + [0x00, isReadOnly ? 0xFF : 0x00]
    }

    private func readBinary(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.data.isEmpty, let le = command.le, le <= Int(maximumResponseData) else {
            throw .wrongLength
        }
        guard let selectedFile else { throw .noFileSelected }
        let bytes = selectedFile == .ndef ? ndefFile : capabilityContainer
        let offset = try offset(command)
        guard offset < bytes.count else { throw .wrongOffset }
        return Data(bytes.dropFirst(offset).prefix(le))
    }

    private mutating func updateBinary(_ command: CardCommand) throws(Refusal) -> Data {
        guard (1...Int(maximumCommandData)).contains(command.data.count), command.le == nil else {
            throw .wrongLength
        }
        guard let selectedFile else { throw .noFileSelected }
        guard selectedFile == .ndef, !isReadOnly else { throw .securityStatus }
        let offset = try offset(command)
        guard offset < ndefFile.count else { throw .wrongOffset }
        guard offset + command.data.count <= ndefFile.count else { throw .noSpace }
        ndefFile.replaceSubrange(offset..<offset + command.data.count, with: command.data)
        return Data()
    }

    /// 0000...7FFF: with b8 of P1 set, the low bits would be a short file identifier, which this card has not.
    private func offset(_ command: CardCommand) throws(Refusal) -> Int {
        guard command.parameters <= 0x7FFF else { throw .wrongParameters }
        return Int(command.parameters)
    }
}
