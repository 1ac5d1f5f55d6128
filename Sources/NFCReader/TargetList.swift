package import Bytes

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

extension Target {
    /// Reads the answer to InListPassiveTarget: the number of targets, then a record each (facts/pn532.md, 3.1).
    package static func list(_ answer: Data, technology: Technology) throws(EndOfBytes) -> [Target]
    {
        var reader = ByteReader(answer)
        let count = try reader.byte()
        guard count <= 2 else { throw EndOfBytes() }
        var targets: [Target] = []
        for _ in 0..<count {
            switch technology {
            case .iso14443a: targets.append(.typeA(try TypeATarget(record: &reader)))
            case .iso14443b: targets.append(.typeB(try TypeBTarget(record: &reader)))
            case .felica: targets.append(.feliCa(try FeliCaTarget(record: &reader)))
            }
        }
        return targets
    }
}

extension TypeATarget {
    /// Tg, SENS_RES, SEL_RES, NFCIDLen, NFCID1, and for ISO-DEP the ATS from its length byte TL on.
    ///
    /// libnfc crashes on a TL of 0; here it is an ATS that says nothing.
    fileprivate init(record reader: inout ByteReader) throws(EndOfBytes) {
        number = try reader.byte()
        atqa = try reader.uint16()
        sak = try reader.byte()
        uid = try reader.bytes(Int(try reader.byte()))
        guard [4, 7, 10].contains(uid.count) else { throw EndOfBytes() }
        guard sak & 0x20 != 0, let length = reader.peek() else {
            ats = nil
            return
        }
        // The length counts itself; a length of 0 is impossible (ISO 14443-4, 5.2.2) and taken as 1.
        ats = try reader.bytes(max(Int(length), 1))
    }
}

extension TypeBTarget {
    /// Tg, ATQB (50, PUPI, application data, protocol info), length and bytes of the answer to ATTRIB.
    fileprivate init(record reader: inout ByteReader) throws(EndOfBytes) {
        number = try reader.byte()
        guard try reader.byte() == 0x50 else { throw EndOfBytes() }
        pupi = try reader.bytes(4)
        applicationData = try reader.bytes(4)
        protocolInfo = try reader.bytes(3)
        _ = try reader.bytes(Int(try reader.byte()))
    }
}

extension FeliCaTarget {
    /// Tg, length of the polling answer (counted from itself), 01, IDm, PMm and, when asked for, the system code.
    fileprivate init(record reader: inout ByteReader) throws(EndOfBytes) {
        number = try reader.byte()
        let length = Int(try reader.byte())
        guard length == 0x12 || length == 0x14 else { throw EndOfBytes() }
        var polling = ByteReader(try reader.bytes(length - 1))
        guard try polling.byte() == 0x01 else { throw EndOfBytes() }
        idm = try polling.bytes(8)
        pmm = try polling.bytes(8)
        systemCode = polling.isAtEnd ? nil : try polling.uint16()
    }
}
