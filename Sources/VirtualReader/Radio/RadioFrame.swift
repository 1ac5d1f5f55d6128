#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// How tag and reader modulate.
package enum Technology: Sendable, Equatable {
    case typeA, typeB, feliCa
}

/// What the chip sends on air, without CRC.
package struct RadioFrame: Equatable {
    let technology: Technology
    let bytes: Data
    /// Whether this is a 7-bit short frame of type A (REQA, WUPA).
    var isShort = false

    /// A type A frame of whole bytes.
    static func typeA(_ bytes: Data) -> RadioFrame {
        RadioFrame(technology: .typeA, bytes: bytes)
    }

    /// REQA or WUPA (ISO 14443-3, 6.4.1).
    static func request(wakeUp: Bool) -> RadioFrame {
        RadioFrame(technology: .typeA, bytes: Data([wakeUp ? 0x52 : 0x26]), isShort: true)
    }

    /// Whether this frame goes on air with a CRC.
    ///
    /// REQA, WUPA and ANTICOLLISION have none.
    var hasCRC: Bool {
        !isShort && !(technology == .typeA && Self.isAnticollision(bytes))
    }

    /// Whether type A bytes are an ANTICOLLISION command: SEL and an NVB below 70.
    static func isAnticollision(_ bytes: Data) -> Bool {
        guard let sel = bytes.first, let nvb = bytes.dropFirst().first else { return false }
        return [0x93, 0x95, 0x97].contains(sel) && nvb < 0x70
    }
}

/// What comes back from a tag, without CRC.
package struct RadioReply: Equatable {
    /// How an answer is protected on air.
    enum Form { case withCRC, withoutCRC, nibble }

    let bytes: Data
    let form: Form
    let delay: Duration

    init(_ bytes: Data, _ form: Form = .withCRC, after delay: Duration = .zero) {
        self.bytes = bytes
        self.form = form
        self.delay = delay
    }

    init(_ answer: Answer) {
        self.init(answer.bytes, answer.isAcknowledge ? .nibble : .withCRC, after: answer.delay)
    }

    /// Whether this is a MIFARE acknowledge (A), as opposed to a NAK or data.
    var isAcknowledge: Bool { form == .nibble && bytes == Data([0x0A]) }
}
