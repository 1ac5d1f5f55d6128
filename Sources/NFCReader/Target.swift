#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The radio technology a tag speaks.
public enum Technology: String, Sendable, CaseIterable {
    /// ISO 14443 type A at 106 kbit/s: MIFARE, NTAG, most smart cards.
    case iso14443a
    /// ISO 14443 type B at 106 kbit/s: many identity cards.
    case iso14443b
    /// JIS X 6319-4 at 212 kbit/s.
    case felica
}

/// A tag as one poll found it, with what it said of itself while it was activated.
public enum Target: Sendable, Hashable {
    /// A type A tag.
    case typeA(TypeATarget)
    /// A type B tag.
    case typeB(TypeBTarget)
    /// A FeliCa tag.
    case feliCa(FeliCaTarget)

    /// The radio technology.
    public var technology: Technology {
        switch self {
        case .typeA: .iso14443a
        case .typeB: .iso14443b
        case .feliCa: .felica
        }
    }

    /// UID (4, 7 or 10 bytes), PUPI (4 bytes) or IDm (8 bytes).
    public var identifier: Data {
        switch self {
        case .typeA(let target): target.uid
        case .typeB(let target): target.pupi
        case .feliCa(let target): target.idm
        }
    }

    /// The chip's number of this target, 1 or 2, valid until the next poll.
    package var number: UInt8 {
        switch self {
        case .typeA(let target): target.number
        case .typeB(let target): target.number
        case .feliCa(let target): target.number
        }
    }

    /// Whether the tag speaks ISO-DEP (ISO 14443-4), so that APDUs can be exchanged.
    public var isISODEP: Bool {
        switch self {
        case .typeA(let target): target.sak & 0x20 != 0
        case .typeB(let target): target.isISODEP
        case .feliCa: false
        }
    }
}

/// What a type A tag says of itself (ISO 14443-3 type A; facts/pn532.md, 3.1 and 7.1).
public struct TypeATarget: Sendable, Hashable {
    /// ATQA, high byte first as the PN532 reports it: 0x0044 for NTAG.
    public let atqa: UInt16
    /// SAK of the last cascade level.
    public let sak: UInt8
    /// 4, 7 or 10 bytes, without cascade tags.
    public let uid: Data
    /// Answer to select with its length byte TL first; nil when the tag is not ISO-DEP.
    public let ats: Data?
    package let number: UInt8

    package init(atqa: UInt16, sak: UInt8, uid: Data, ats: Data?, number: UInt8 = 1) {
        self.atqa = atqa
        self.sak = sak
        self.uid = uid
        self.ats = ats
        self.number = number
    }

    /// Whether the UID is drawn anew at every activation (ISO 14443-3, 6.5.4: 4 bytes, first one 08).
    public var hasRandomUID: Bool { uid.count == 4 && uid.first == 0x08 }

    /// The historical bytes of the ATS; nil without an ATS.
    public var historicalBytes: Data? {
        guard let ats, let format = ats.dropFirst().first else { return ats == nil ? nil : Data() }
        let interfaceBytes = (format & 0x70).nonzeroBitCount
        return Data(ats.dropFirst(2 + interfaceBytes))
    }
}

/// What a type B tag says of itself (ISO 14443-3 type B, ATQB; facts/pn532.md, 8).
public struct TypeBTarget: Sendable, Hashable {
    /// Pseudo-unique identifier, 4 bytes; many cards draw it anew at every activation.
    public let pupi: Data
    /// Application data, 4 bytes.
    public let applicationData: Data
    /// Protocol info, 3 bytes or more.
    public let protocolInfo: Data
    package let number: UInt8

    package init(pupi: Data, applicationData: Data, protocolInfo: Data, number: UInt8 = 1) {
        self.pupi = pupi
        self.applicationData = applicationData
        self.protocolInfo = protocolInfo
        self.number = number
    }

    /// Whether the protocol type says ISO 14443-4 (bit 0 of the second protocol info byte).
    public var isISODEP: Bool { (protocolInfo.dropFirst().first ?? 0) & 0x01 != 0 }
}

/// What a FeliCa tag says of itself (JIS X 6319-4 polling answer; facts/pn532.md, 8).
public struct FeliCaTarget: Sendable, Hashable {
    /// Manufacture identifier IDm, 8 bytes.
    public let idm: Data
    /// Manufacture parameter PMm, 8 bytes.
    public let pmm: Data
    /// System code, when the poll asked for it.
    public let systemCode: UInt16?
    package let number: UInt8

    package init(idm: Data, pmm: Data, systemCode: UInt16?, number: UInt8 = 1) {
        self.idm = idm
        self.pmm = pmm
        self.systemCode = systemCode
        self.number = number
    }
}
