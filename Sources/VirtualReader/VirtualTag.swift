#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A tag that can be put into the field of a `VirtualReader`.
///
/// A tag lives on the radio side: it is powered by the field, identifies itself and answers frames. Its
/// methods are called on the virtual reader's queue, one at a time.
public protocol VirtualTag: AnyObject, Sendable {
    /// What the tag is, in the words `nfc-session` uses: "NTAG213", "MIFARE Classic 1K".
    var name: String { get }
    /// How the tag identifies itself now. A random identifier changes in `fieldLost()`.
    var identification: Identification { get }
    /// Whether the tag answers readers at all; may change in `fieldLost()`.
    var isOnAir: Bool { get }
    /// Answers one frame once the tag is active. Frames carry no CRC: the chip adds and checks it.
    ///
    /// - Returns: the answer, or nil for silence. A type A tag that is silent or refuses by a NAK before RATS has
    ///   taken the frame for an error and waits to be selected again; an empty answer is silence without that.
    func receive(_ frame: Frame) -> Answer?
    /// The reader has just selected the tag, with UID or PUPI: whatever was authenticated before is not any more.
    func selected()
    /// The tag lost its power: all volatile state is gone.
    func fieldLost()
}

extension VirtualTag {
    /// It does.
    public var isOnAir: Bool { true }
    /// Nothing to forget.
    public func selected() {}
}

/// How a tag identifies itself during anticollision (facts/pn532.md, 7.1 and 8).
public enum Identification: Sendable, Equatable {
    /// ISO 14443 type A. `ats` starts with its length byte TL; nil when the tag is not ISO-DEP.
    case typeA(atqa: UInt16, sak: UInt8, uid: Data, ats: Data?)
    /// ISO 14443 type B: PUPI (4 bytes), application data (4), protocol info (3).
    case typeB(pupi: Data, applicationData: Data, protocolInfo: Data)
    /// FeliCa: IDm and PMm (8 bytes each) and the system codes it answers to.
    case feliCa(idm: Data, pmm: Data, systemCodes: [UInt16])
}

/// A frame from the chip to a tag.
public struct Frame: Sendable, Equatable {
    /// The bytes, without CRC.
    public let bytes: Data

    /// A frame of whole bytes.
    public init(_ bytes: Data) { self.bytes = bytes }
}

/// What a tag answers to a frame.
public struct Answer: Sendable, Equatable {
    /// The bytes, without CRC; for a 4-bit acknowledge one byte with the nibble in the low bits.
    public let bytes: Data
    /// Whether this is a 4-bit MIFARE acknowledge (A) or NAK (0, 1, 4, 5), which has no CRC.
    public let isAcknowledge: Bool
    /// How long the tag works before it answers, when the virtual reader keeps real time.
    public let delay: Duration

    /// An answer of whole bytes.
    public init(_ bytes: Data, after delay: Duration = .zero) {
        self.bytes = bytes
        isAcknowledge = false
        self.delay = delay
    }

    /// A 4-bit acknowledge or NAK.
    public init(acknowledge nibble: UInt8, after delay: Duration = .zero) {
        bytes = Data([nibble & 0x0F])
        isAcknowledge = true
        self.delay = delay
    }
}

/// What runs on a card that speaks ISO-DEP: it takes command APDUs and gives response APDUs.
///
/// `ISODEPTag` (type A) and `TypeBTag` put the block protocol of ISO 14443-4 round it.
public protocol CardApplication: AnyObject, Sendable {
    /// Answers one command APDU with data and status word. Never fails: what is not understood is answered by
    /// a status word. No bytes at all stand for a card that stays silent.
    func respond(to command: Data) -> Data
    /// How long the card works on this command, when the virtual reader keeps real time.
    func workingTime(of command: Data) -> Duration
    /// How the card behaves on air from the next time on that it gets power.
    var airInterface: AirInterface { get }
    /// The card lost its power or was deselected: nothing is selected or verified any more.
    func reset()
}

extension CardApplication {
    /// No noticeable time.
    public func workingTime(of command: Data) -> Duration { .zero }
    /// As the card was made.
    public var airInterface: AirInterface { .asMade }
}

/// What an application can change of how its card behaves on air.
public enum AirInterface: Sendable, Equatable {
    /// Nothing.
    case asMade
    /// The card shows another random UID of 4 bytes each time it gets power.
    case randomUID
    /// The card answers no reader.
    case off
}
