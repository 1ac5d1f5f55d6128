import Bytes
import Foundation
import NDEF
import TestSupport
import Testing

@Suite struct RecordContentTests {
    private func record(_ bytes: String) throws -> NDEFRecord {
        try #require(try NDEFMessage(encoded: hex(bytes)).records.first)
    }

    @Test(
        "A record is told by its type name format and its type",
        arguments: [
            ("D00000", "empty"), ("D1010355036161", "uri"), ("D101045402656E41", "text"),
            // A smart poster with the URI http://aa only.
            ("D102075370 D1010355036161", "smartPoster"),
            ("D1020A4873 15D10204616301013000", "handoverSelect"),
            // Version 1.2, collision resolution 1234, one carrier.
            ("D102114872 12 91020263721234 510204616301013000", "handoverRequest"),
            // text/plain, http://a, a:b, and a well-known type that nobody knows.
            ("D20A01746578742F706C61696E41", "mime"), ("D30800687474703A2F2F61", "absoluteURI"),
            ("D40301613A6241", "external"), ("D500024142", "unknown"), ("D102024141 4141", "other"),
            // The type of either case.
            (
                "D42001" + Data("INFINEON.com:nfc-bridge-tag.x509".utf8).hex + "30",
                "brandProtection"
            ),
        ]
    )
    func kinds(bytes: String, expected: String) throws {
        let content = try RecordContent(record(bytes))
        #expect("\(content)".prefix { $0 != "(" } == expected)
    }

    @Test("A record that breaks the rules of its type is an error, not another kind of record")
    func malformed() throws {
        for bytes in [
            "D1010055", "D1010054", "D102005370", "D102004873", "D20101 41 41", "D30101 41 41",
        ] {
            #expect(throws: NDEFError.self) { try RecordContent(record(bytes)) }
        }
    }

    @Test("A carrier is written with the identifier by which the handover refers to it")
    func handoverMessage() throws {
        let address = try #require(BluetoothAddress("FF:EE:DD:CC:BB:AA"))
        let select = HandoverSelectRecord(alternativeCarriers: [
            try AlternativeCarrierRecord(powerState: .active, carrierDataReference: Data("0".utf8))
        ])
        let message = NDEFMessage(records: [
            try select.record,
            try BluetoothRecord(address: address).record.identified(by: Data("0".utf8)),
        ])
        let type = Data(BluetoothRecord.type.utf8).hex
        #expect(
            message.encoded
                == hex("91020A4873 15D10204616301013000 5A200801 \(type) 30 0800AABBCCDDEEFF")
        )
    }
}
