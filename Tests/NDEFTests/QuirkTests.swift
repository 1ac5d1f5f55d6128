import Bytes
import Foundation
import NDEF
import TestSupport
import Testing

/// The quirks of Infineon's library that facts/nbt.md, 7.5, lists as D1 to D27: each test shows the result that is wanted
/// there.
///
/// Three of them cannot arise here: D11 (nothing is registered: `RecordContent` is one switch), D24 (an appearance is a
/// number, not the name of a case) and D26 (no character set stands in for an encoding).
@Suite struct QuirkTests {
    private func record(_ bytes: String) throws -> NDEFRecord {
        try #require(try NDEFMessage(encoded: hex(bytes)).records.first)
    }

    private func content(_ bytes: String) throws -> RecordContent {
        try RecordContent(record(bytes))
    }

    @Test("D1: an external type \"U\" is no URI, and stays external")
    func d1() throws {
        let record = try record("D4010355036161")
        #expect(throws: NDEFError.unexpectedType(expected: "U")) { try URIRecord(record) }
        guard case .external(let external) = try RecordContent(record) else {
            Issue.record("not external")
            return
        }
        #expect(external.type == "U")
        #expect(NDEFMessage(records: [try external.record]).encoded == hex("D4010355036161"))
    }

    @Test("D2: a record that says more chunks follow is put together, or refused without them")
    func d2() throws {
        #expect(throws: NDEFError.misplacedMessageEnd(offset: 0)) {
            try NDEFMessage(encoded: hex("F1010355036161"))
        }
        #expect(try URIRecord(record("B1010355036161 56000162")).uri == "http://aab")
    }

    @Test("D3: reading stops at the end of the message, and what follows is refused")
    func d3() {
        #expect(throws: NDEFError.trailingBytes(offset: 7)) {
            try NDEFMessage(encoded: hex("D1010355036161 D1010355036161"))
        }
    }

    @Test("D4: an empty record with content and a lone chunk are refused, TNF 7 is unknown")
    func d4() throws {
        #expect(throws: NDEFError.contentInEmptyRecord(offset: 0)) {
            try NDEFMessage(encoded: hex("D0000161"))
        }
        for chunk in ["D601014142", "D6000141"] {
            #expect(throws: NDEFError.brokenChunk(offset: 0)) {
                try NDEFMessage(encoded: hex(chunk))
            }
        }
        #expect(try record("D701014142").typeNameFormat == .unknown)
    }

    @Test("D5: no bytes are no message")
    func d5() {
        #expect(throws: NDEFError.noBytes) { try NDEFMessage(encoded: Data()) }
    }

    @Test("D6: an error says what is wrong, and where")
    func d6() {
        #expect(throws: NDEFError.truncated(offset: 7)) {
            try NDEFMessage(encoded: hex("91010355036161 5101035503"))
        }
        #expect(throws: NDEFError.malformedPayload(type: "U", problem: "the payload is empty")) {
            try URIRecord(record("D1010055"))
        }
    }

    @Test("D7: two error records are decoded one after the other")
    func d7() throws {
        let first = try HandoverErrorRecord(record("D103056572720200000010"))
        let second = try HandoverErrorRecord(record("D10302657272 0164"))
        #expect(first.errorReason == 2 && first.errorData == hex("00000010"))
        #expect(second.errorReason == 1 && second.errorData == hex("64"))
    }

    @Test("D8: a handover select record may hold only an error, or nothing")
    func d8() throws {
        let error = try HandoverSelectRecord(record("D1020C487315 D103056572720200000010"))
        #expect(error.alternativeCarriers.isEmpty)
        #expect(error.error?.errorReason == 2)
        for empty in ["D10201487315", "D10204487315D00000"] {
            let select = try HandoverSelectRecord(record(empty))
            #expect(select.alternativeCarriers.isEmpty && select.error == nil)
        }
    }

    @Test("D9: a handover select record without records is not written")
    func d9() {
        #expect(throws: NDEFError.self) {
            try HandoverSelectRecord(alternativeCarriers: []).record
        }
    }

    @Test("D10: an alternative carrier without a reference is refused")
    func d10() {
        #expect(throws: NDEFError.self) {
            try AlternativeCarrierRecord(powerState: .active, carrierDataReference: Data())
        }
        for bytes in ["D102006163", "D102036163 010000"] {
            #expect(throws: NDEFError.self) { try AlternativeCarrierRecord(record(bytes)) }
        }
    }

    @Test("D12: a reserved URI prefix code is refused", arguments: [0x24, 0x7F, 0xFF])
    func d12(code: UInt8) {
        #expect(
            throws: NDEFError.malformedPayload(
                type: "U",
                problem: "prefix code \(code.hex) is reserved"
            )
        ) { try URIRecord(record("D1010255\(code.hex)61")) }
    }

    @Test(
        "D13: a URI that is all prefix is written as its code",
        arguments: [
            ("http://www.", "D10101 55 01"), ("tel:", "D10101 55 05"), ("urn:epc:", "D10101 55 22"),
        ]
    )
    func d13(uri: String, bytes: String) throws {
        #expect(NDEFMessage(records: [try URIRecord(uri: uri).record]).encoded == hex(bytes))
        #expect(try URIRecord(record(bytes)).uri == uri)
    }

    // D14 is vector 126, in RecordVectorTests.

    @Test("D15: a structure of length 0 ends what counts, and what is before it is read")
    func d15() throws {
        let pairing = try BluetoothRecord(
            record(
                "D2201D\(Data(BluetoothRecord.type.utf8).hex)1D00AABBCCDDEEFF 04094E4254 00"
                    + String(repeating: "00", count: 15)
            )
        )
        #expect(pairing.data.map(\.type) == [.completeLocalName])
        let le = try BluetoothLeRecord(
            record(
                "D22010\(Data(BluetoothLeRecord.type.utf8).hex)081BAABBCCDDEEFF00 021C00 0000FFFF"
            )
        )
        #expect(le.data.count == 2)
    }

    @Test("D16: a name is UTF-8")
    func d16() throws {
        let name = "Türschloß 鍵"
        let address = try #require(BluetoothAddress("01:02:03:04:05:06"))
        let record = try BluetoothRecord(address: address, data: [.localName(name)]).record
        #expect(try BluetoothRecord(record).data.localName == name)
    }

    @Test("D17: two lists of the same type are kept")
    func d17() throws {
        let lists = [
            try BluetoothData(.completeUUIDs16, hex("1E11")),
            try BluetoothData(.completeUUIDs16, hex("0A18")),
            try BluetoothData(.pairingHash192, Data(repeating: 1, count: 16)),
            try BluetoothData(.pairingHash192, Data(repeating: 2, count: 16)),
        ]
        let address = try #require(BluetoothAddress("010203040506"))
        let record = try BluetoothRecord(address: address, data: lists).record
        #expect(try BluetoothRecord(record).data == lists)
    }

    @Test("D18: a type longer than 255 bytes is an error")
    func d18() {
        #expect(throws: NDEFError.typeTooLong(count: 256)) {
            try NDEFRecord(typeNameFormat: .external, type: Data(count: 256))
        }
    }

    @Test("D19: no record has a type name format but the six")
    func d19() {
        let formats = (0...0xFF).compactMap { NDEFRecord.TypeNameFormat(rawValue: UInt8($0)) }
        #expect(formats.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
    }

    @Test("D20: the payload is that of the URI, whichever came last")
    func d20() throws {
        let old = try URIRecord(record("D1010355036161"))
        let new = try URIRecord(uri: old.uri + "b")
        #expect(try new.record.payload == hex("03616162"))
    }

    @Test(
        "D21 and D22: a message inside other bytes is read by its own length, with NLEN or without"
    )
    func d21() throws {
        let file = hex("0007D1010355036161FFFF")
        #expect(try NDEFMessage(ndefFile: file).records == [try record("D1010355036161")])
        #expect(try NDEFMessage(encoded: file.dropFirst(2).prefix(7)).records.count == 1)
        for short in ["", "00", "0007D10103550361"] {
            #expect(throws: NDEFError.truncated(offset: 0)) {
                try NDEFMessage(ndefFile: hex(short))
            }
        }
        #expect(throws: NDEFError.noBytes) { try NDEFMessage(ndefFile: hex("0000D1")) }
        #expect(try NDEFMessage(records: []).ndefFile == hex("0000"))
    }

    @Test("D23: an appearance is written lowest byte first")
    func d23() throws {
        #expect(try BluetoothData.appearance(0x03C2).data == hex("C203"))
        #expect(try [BluetoothData.appearance(0x03C2)].appearance == 0x03C2)
    }

    @Test("D25: a URI that is not UTF-8 is refused")
    func d25() {
        #expect(
            throws: NDEFError.malformedPayload(type: "U", problem: "the text is not UTF-8")
        ) { try URIRecord(record("D10103550003FF")) }
    }
}
