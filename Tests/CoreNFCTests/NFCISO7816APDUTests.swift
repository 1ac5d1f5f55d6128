import Bytes
import CoreNFC
import TestSupport
import Testing

@Suite struct NFCISO7816APDUTests {
    /// What `init(data:)` must make of an encoding.
    struct Parsed: Sendable {
        let encoded: String
        let data: String?
        let expectedLength: Int
    }

    /// Byte strings that public clients hand over and need accepted (facts/corenfc.md, 1.4); fields by ISO 7816-4, 5.1.
    @Test(
        "Encodings that clients use are accepted",
        arguments: [
            Parsed(encoded: "00A40400", data: nil, expectedLength: -1),
            Parsed(encoded: "00010203", data: nil, expectedLength: -1),
            Parsed(encoded: "00B0000000", data: nil, expectedLength: 256),
            Parsed(encoded: "00B0000004", data: nil, expectedLength: 4),
            Parsed(encoded: "00A4020C02011E", data: "011e", expectedLength: -1),
            Parsed(encoded: "00A4020C02010100", data: "0101", expectedLength: 256),
            Parsed(encoded: "00B00000000004", data: nil, expectedLength: 4),
            Parsed(encoded: "00B00000000000", data: nil, expectedLength: 65_536),
            Parsed(
                encoded: "000102030000050101010101",
                data: "0101010101",
                expectedLength: -1
            ),
            Parsed(
                encoded: "0001020300000501010101010000",
                data: "0101010101",
                expectedLength: 65_536
            ),
            Parsed(
                encoded: "000102030000050101010101FFFF",
                data: "0101010101",
                expectedLength: 65_535
            ),
            Parsed(
                encoded: "00A4040007D276000085010100",
                data: "d2760000850101",
                expectedLength: 256
            ),
        ]
    )
    func accepts(_ expected: Parsed) throws {
        let bytes = hex(expected.encoded)
        let apdu = try #require(NFCISO7816APDU(data: bytes))
        let header = [
            apdu.instructionClass, apdu.instructionCode, apdu.p1Parameter, apdu.p2Parameter,
        ]
        #expect(header == [UInt8](bytes.prefix(4)))
        #expect(apdu.data?.hex == expected.data)
        #expect(apdu.expectedResponseLength == expected.expectedLength)
        #expect(apdu.encoded == bytes)
    }

    @Test(
        "Bytes that are no command APDU give nil",
        arguments: [
            "", "00", "00A404", "00A4040005010203", "00B000000000", "00A404000000050101",
            "00A404000201020304", "00A40400000001AABB",
        ]
    )
    func rejects(_ encoded: String) {
        #expect(NFCISO7816APDU(data: hex(encoded)) == nil)
    }

    /// Fields and the bytes that ISO 7816-4, 5.1 wants for them.
    struct Fields: Sendable {
        let data: String
        let expectedLength: Int
        let encoded: String
    }

    @Test(
        "Fields are encoded in the shortest form that holds them",
        arguments: [
            Fields(data: "", expectedLength: -1, encoded: "80CA0102"),
            Fields(data: "", expectedLength: -2, encoded: "80CA0102"),
            Fields(data: "", expectedLength: 1, encoded: "80CA010201"),
            Fields(data: "", expectedLength: 255, encoded: "80CA0102FF"),
            Fields(data: "", expectedLength: 256, encoded: "80CA010200"),
            // What clients write where a card needs a trailing Le of 00.
            Fields(data: "", expectedLength: 0, encoded: "80CA010200"),
            Fields(data: "", expectedLength: 257, encoded: "80CA0102000101"),
            Fields(data: "", expectedLength: 65_536, encoded: "80CA0102000000"),
            Fields(data: "AABB", expectedLength: -1, encoded: "80CA010202AABB"),
            Fields(data: "AABB", expectedLength: 256, encoded: "80CA010202AABB00"),
            Fields(data: "AABB", expectedLength: 0, encoded: "80CA010202AABB00"),
            Fields(data: "AABB", expectedLength: 65_535, encoded: "80CA0102000002AABBFFFF"),
        ]
    )
    func encodes(_ fields: Fields) {
        let apdu = NFCISO7816APDU(
            instructionClass: 0x80,
            instructionCode: 0xCA,
            p1Parameter: 0x01,
            p2Parameter: 0x02,
            data: hex(fields.data),
            expectedResponseLength: fields.expectedLength
        )
        #expect(apdu.encoded == hex(fields.encoded))
        #expect(apdu.expectedResponseLength == fields.expectedLength)
    }

    @Test("256 bytes of data take the extended form, with and without Le")
    func encodesLongData() {
        let data = Data(repeating: 0x5A, count: 256)
        func apdu(_ expected: Int) -> NFCISO7816APDU {
            NFCISO7816APDU(
                instructionClass: 0x00,
                instructionCode: 0xD6,
                p1Parameter: 0x00,
                p2Parameter: 0x00,
                data: data,
                expectedResponseLength: expected
            )
        }
        #expect(apdu(-1).encoded == hex("00D60000000100") + data)
        #expect(apdu(256).encoded == hex("00D60000000100") + data + hex("0100"))
    }

    @Test("An empty data field reads as none")
    func emptyData() {
        let apdu = NFCISO7816APDU(
            instructionClass: 0x00,
            instructionCode: 0xB0,
            p1Parameter: 0x00,
            p2Parameter: 0x00,
            data: Data(),
            expectedResponseLength: 4
        )
        #expect(apdu.data == nil)
    }

    @Test(
        "Fields beyond the limits make a command that cannot be sent",
        arguments: [65_537, 1 << 40]
    )
    func impossibleFields(expectedLength: Int) {
        let apdu = NFCISO7816APDU(
            instructionClass: 0x00,
            instructionCode: 0xB0,
            p1Parameter: 0x00,
            p2Parameter: 0x00,
            data: Data(),
            expectedResponseLength: expectedLength
        )
        #expect(apdu.encoded == nil)
        #expect(apdu.expectedResponseLength == expectedLength)
    }

    @Test("A slice with any start index is read as its bytes")
    func slices() throws {
        let slice = hex("FFFF00A4000C02E104").dropFirst(2)
        let apdu = try #require(NFCISO7816APDU(data: slice))
        #expect(apdu.data == hex("E104"))
        #expect(apdu.encoded == hex("00A4000C02E104"))
    }

    /// Tangem's tests rebuild the bytes from the description by stripping list marks and "0x" (facts/corenfc.md, 1.4).
    @Test("The description lists the encoded bytes")
    func descriptionListsBytes() throws {
        let apdu = try #require(NFCISO7816APDU(data: hex("00A4020C02011E")))
        var text = String(describing: apdu)
        for mark in ["0x", ",", " ", "[", "]", "\""] {
            text = text.replacingOccurrences(of: mark, with: "")
        }
        #expect(hex(text) == hex("00A4020C02011E"))
    }

    @Test("A copy is the command itself")
    func copying() throws {
        let apdu = try #require(NFCISO7816APDU(data: hex("00A40400")))
        #expect(apdu.copy() as? NFCISO7816APDU === apdu)
    }

    /// DF names of SELECT by name; nil where A4 is another command or the name is encrypted (ISO 7816-4, 5.4.1).
    @Test(
        "The application a command selects is known",
        arguments: [
            ("00A4040007D276000085010100", "d2760000850101"),
            ("00A40400", ""),
            ("03A4040005A000000001", "a000000001"),
            ("10A4040005A000000001", "a000000001"),
            ("00A4020C02011E", nil),
            ("00A4000C02E104", nil),
            ("0CA4040C0AFFFFFFFFFFFFFFFFFFFF00", nil),
            ("90A4040005A000000001", nil),
            ("60A4040005A000000001", nil),
            ("00B0040005", nil),
        ]
    )
    func selectedApplication(encoded: String, application: String?) throws {
        let apdu = try #require(NFCISO7816APDU(data: hex(encoded)))
        #expect(apdu.selectedApplication?.hex == application)
    }
}
