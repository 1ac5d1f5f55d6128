import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An employee card as it is used with type B: a PIN opens one file (ISO 7816-4, 11.3.3 and 11.5.6).
///
/// The usual way through it: SELECT by AID, `VERIFY` (00 20 00 81, PIN), `READ BINARY` (00 B0 81 00, short file
/// identifier 1) or SELECT of file 0001 and READ BINARY. Status words:
///
/// | SW | when |
/// |---|---|
/// | 63Cx | wrong PIN, x tries are left; or VERIFY without data before the right PIN |
/// | 6700 | wrong length |
/// | 6982 | READ BINARY before VERIFY |
/// | 6983 | the PIN is blocked |
/// | 6985 | VERIFY before SELECT by AID |
/// | 6986 | READ BINARY without file |
/// | 6A82 | unknown AID or file |
/// | 6A86 | wrong P1-P2 |
/// | 6A88 | VERIFY of another PIN |
/// | 6B00 | offset outside the file |
/// | 6D00, 6E00 | unknown instruction, class |
public final class EmployeeCardApplication: CardApplication {
    private let card: Mutex<EmployeeCard>

    /// The default AID: 16 bytes, of the proprietary kind (F...), with "NFC-SESSION" inside.
    public static let sampleAID = Data([0xF0] + Array("NFC-SESSION".utf8) + [0, 0, 0, 1])
    /// The default PIN, "1234" in ASCII.
    public static let samplePIN = Data("1234".utf8)
    /// The default content of the file, ASCII.
    public static let sampleContent = Data("EMPLOYEE 00012345 NFC SESSION".utf8)

    /// A card with a PIN and a file.
    ///
    /// - Parameters:
    ///   - aid: the application's identifier, 5...16 bytes.
    ///   - pin: 1...16 bytes.
    ///   - pinReference: P2 of VERIFY, 80...9F: a PIN of the application.
    ///   - tries: wrong tries until the PIN is blocked, 1...15. Power does not bring them back.
    ///   - content: what the file holds, 1...32,767 bytes.
    /// - Throws: `CardError.invalidArgument` for anything outside these limits.
    public init(
        aid: Data = sampleAID,
        pin: Data = samplePIN,
        pinReference: UInt8 = 0x81,
        tries: Int = 3,
        content: Data = sampleContent
    ) throws(CardError) {
        guard (5...16).contains(aid.count), (1...16).contains(pin.count),
            (0x80...0x9F).contains(pinReference), (1...15).contains(tries),
            (1...0x7FFF).contains(content.count)
        else {
            throw .invalidArgument(
                "an employee card has an AID of 5 to 16 bytes, a PIN of 1 to 16 bytes with a "
                    + "reference of 80 to 9F and 1 to 15 tries, and 1 to 32767 bytes of content"
            )
        }
        card = Mutex(
            EmployeeCard(
                aid: aid,
                pin: pin,
                pinReference: pinReference,
                tries: tries,
                content: content
            )
        )
    }

    /// Answers one command APDU.
    public func respond(to command: Data) -> Data {
        card.withLock { $0.respond(to: command) }
    }

    /// Forgets what was selected and verified; the PIN's tries stay used.
    public func reset() {
        card.withLock { $0.reset() }
    }

    /// How many wrong PINs the card still takes; 0 when the PIN is blocked.
    public var triesLeft: Int { card.withLock { $0.triesLeft } }
}

/// The state of an employee card.
private struct EmployeeCard: CommandProcessor {
    private static let fileIdentifier = Data([0x00, 0x01])
    private static let shortFileIdentifier: UInt8 = 1

    let aid: Data
    let pin: Data
    let pinReference: UInt8
    let tries: Int
    let content: Data
    var triesLeft: Int
    private var isSelected = false
    private var isFileSelected = false
    private var isVerified = false

    init(aid: Data, pin: Data, pinReference: UInt8, tries: Int, content: Data) {
        self.aid = aid
        self.pin = pin
        self.pinReference = pinReference
        self.tries = tries
        self.content = content
        triesLeft = tries
    }

    mutating func reset() {
        isSelected = false
        isFileSelected = false
        isVerified = false
    }

    mutating func process(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.cla == 0x00 else { throw .unknownClass }
        switch command.ins {
        case 0xA4: return try select(command)
        case 0x20: return try verify(command)
        case 0xB0: return try readBinary(command)
        default: throw .unknownInstruction
        }
    }

    /// By AID (P1 04), or the file by its identifier (P1 00 or 02); P2 00 or 0C, and no answer data.
    private mutating func select(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.p2 == 0x00 || command.p2 == 0x0C else { throw .wrongParameters }
        switch command.p1 {
        case 0x04:
            guard (1...16).contains(command.data.count) else { throw .wrongLength }
            guard command.data == aid else { throw .notFound }
            reset()
            isSelected = true
        case 0x00, 0x02:
            guard command.data.count == 2 else { throw .wrongLength }
            guard isSelected, command.data == Self.fileIdentifier else { throw .notFound }
            isFileSelected = true
        default: throw .wrongParameters
        }
        return Data()
    }

    private mutating func verify(_ command: CardCommand) throws(Refusal) -> Data {
        guard command.p1 == 0x00 else { throw .wrongParameters }
        guard command.le == nil, command.data.count <= 16 else { throw .wrongLength }
        guard isSelected else { throw .conditionsOfUse }
        guard command.p2 == pinReference else { throw .referencedDataNotFound }
        guard triesLeft > 0 else { throw .blocked }
        if command.data.isEmpty {
            // Without data VERIFY asks how things stand.
            guard isVerified else { throw .wrongPIN(triesLeft: triesLeft) }
            return Data()
        }
        isVerified = command.data == pin
        guard isVerified else {
            triesLeft -= 1
            throw .wrongPIN(triesLeft: triesLeft)
        }
        triesLeft = tries
        return Data()
    }

    private mutating func readBinary(_ command: CardCommand) throws(Refusal) -> Data {
        let isByShortIdentifier = command.p1 & 0x80 != 0
        // b7 and b6 are for future use (ISO 7816-4, 11.3.2).
        guard !isByShortIdentifier || command.p1 & 0x60 == 0 else { throw .wrongParameters }
        guard command.data.isEmpty, let le = command.le else { throw .wrongLength }
        if isByShortIdentifier {
            guard isSelected, command.p1 & 0x1F == Self.shortFileIdentifier else {
                throw .notFound
            }
            isFileSelected = true
        }
        guard isFileSelected else { throw .noFileSelected }
        guard isVerified else { throw .securityStatus }
        let offset = isByShortIdentifier ? Int(command.p2) : Int(command.parameters)
        guard offset < content.count else { throw .wrongOffset }
        return Data(content.dropFirst(offset).prefix(le))
    }
}
