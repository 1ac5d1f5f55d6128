import Bytes
import Foundation
import NDEF
import TestSupport
import Testing

/// Vectors 96 to 126 of facts/nbt.md, 8.8.
@Suite struct RecordVectorTests {
    /// The media types in hexadecimal.
    private static let pairing = Data(BluetoothRecord.type.utf8).hex
    private static let lePairing = Data(BluetoothLeRecord.type.utf8).hex
    private static let zeros = String(repeating: "00", count: 16)
    private static let ones = String(repeating: "11", count: 16)
    private static let twos = String(repeating: "22", count: 16)
    private static let effs = String(repeating: "FF", count: 16)

    private func message(_ bytes: String) throws -> NDEFMessage {
        try NDEFMessage(encoded: hex(bytes))
    }

    private func record(_ bytes: String) throws -> NDEFRecord {
        try #require(try message(bytes).records.first)
    }

    private func address(_ littleEndian: String) throws -> BluetoothAddress {
        try #require(BluetoothAddress(littleEndian: hex(littleEndian)))
    }

    // MARK: URI

    @Test(
        "URI records are written and read (vectors 96 to 102)",
        arguments: [
            (96, "http://www.infineon.com", "D1010D5501696E66696E656F6E2E636F6D"),
            (97, "https://www.infineon.com", "D1010D5502696E66696E656F6E2E636F6D"),
            (98, "https://infineon.com/a", "D1010F5504696E66696E656F6E2E636F6D2F61"),
            (99, "tel:+49", "D1010455052B3439"), (99, "mailto:a@b", "D101045506614062"),
            (100, "urn:epc:id:1", "D10102551E31"), (100, "urn:nfc:x", "D10102552378"),
            (100, "urn:x", "D10102551378"), (101, "HTTP://x", "D101095500485454503A2F2F78"),
            (102, "btl2cap://00", "D1010355193030"),
        ]
    )
    func uri(vector: Int, uri: String, bytes: String) throws {
        let written = NDEFMessage(records: [try URIRecord(uri: uri).record])
        #expect(written.encoded == hex(bytes), "vector \(vector)")
        #expect(try URIRecord(record(bytes)).uri == uri)
    }

    @Test("A message is written and read behind its length (vector 103)")
    func lengthPrefix() throws {
        let uri = try URIRecord(uri: "https://www.infineon.com")
        let bytes = hex("0011D1010D5502696E66696E656F6E2E636F6D")
        #expect(try NDEFMessage(records: [uri.record]).ndefFile == bytes)
        #expect(try NDEFMessage(ndefFile: bytes).records == [uri.record])
    }

    // MARK: Handover

    @Test("An alternative carrier is written and read (vectors 110 and 112)")
    func alternativeCarrier() throws {
        let active = try AlternativeCarrierRecord(
            powerState: .active,
            carrierDataReference: hex("30")
        )
        #expect(NDEFMessage(records: [try active.record]).encoded == hex("D10204616301013000"))
        #expect(try AlternativeCarrierRecord(record("D10204616301013000")) == active)

        let unknown = try AlternativeCarrierRecord(
            powerState: .unknown,
            carrierDataReference: hex("3031"),
            auxiliaryDataReferences: [hex("41")]
        )
        #expect(
            NDEFMessage(records: [try unknown.record]).encoded == hex("D10207616303023031010141")
        )
        // CPS FF: the upper bits are reserved.
        #expect(try AlternativeCarrierRecord(record("D102076163FF023031010141")) == unknown)
    }

    @Test("A handover select record is written and read (vector 111)")
    func handoverSelect() throws {
        let carrier = try AlternativeCarrierRecord(
            powerState: .active,
            carrierDataReference: hex("30")
        )
        let select = HandoverSelectRecord(alternativeCarriers: [carrier])
        let bytes = "D1020A487315D10204616301013000"
        #expect(NDEFMessage(records: [try select.record]).encoded == hex(bytes))
        #expect(try HandoverSelectRecord(record(bytes)) == select)
        #expect(select.version.major == 1 && select.version.minor == 5)
    }

    @Test("A handover error is written and read (vector 113)")
    func handoverError() throws {
        let error = try HandoverErrorRecord(errorReason: 2, errorData: hex("00000010"))
        let bytes = "D103056572720200000010"
        #expect(NDEFMessage(records: [try error.record]).encoded == hex(bytes))
        #expect(try HandoverErrorRecord(record(bytes)) == error)
    }

    @Test("A Wi-Fi handover is read and written back (vector 122)")
    func wifi() throws {
        // The sheet gives the first and the last bytes of the credential; between them stands anything.
        let credential = hex("004A001100020006") + Data(repeating: 0x5A, count: 66) + hex("0120")
        let bytes =
            hex("91020A487313D10204616301013000 5A174C01") + Data("application/vnd.wfa.wsc0".utf8)
            + credential
        try #require(bytes.count == 0x77)
        let message = try NDEFMessage(encoded: bytes)
        let select = try HandoverSelectRecord(try #require(message.records.first))
        #expect(select.version == .v1_3)
        #expect(select.alternativeCarriers.map(\.carrierDataReference) == [hex("30")])
        let carrier = try #require(message.records.last)
        #expect(carrier.identifier == hex("30"))
        #expect(try MIMERecord(carrier).type == "application/vnd.wfa.wsc")
        #expect(try MIMERecord(carrier).content == credential)
        let again = NDEFMessage(records: [try select.record, carrier])
        #expect(again.encoded == bytes)
    }

    @Test(
        "A malformed alternative carrier is refused (vector 124)",
        arguments: [
            "D10203616301013000", "D1020461630101300100", "D10204616301023000",
            "D10205616301013001",
        ]
    )
    func malformedCarrier(bytes: String) {
        #expect(throws: NDEFError.self) { try AlternativeCarrierRecord(record(bytes)) }
    }

    // MARK: Bluetooth

    @Test("A Bluetooth record is written and read (vectors 114 and 115)")
    func bluetooth() throws {
        let address = try address("AABBCCDDEEFF")
        #expect(address.description == "FF:EE:DD:CC:BB:AA")
        #expect(BluetoothAddress("FF:EE:DD:CC:BB:AA") == address)
        let named = BluetoothRecord(address: address, data: [try .localName("NBT")])
        let bytes = "D2200D\(Self.pairing)0D00AABBCCDDEEFF04094E4254"
        #expect(NDEFMessage(records: [try named.record]).encoded == hex(bytes))
        #expect(try BluetoothRecord(record(bytes)) == named)
        #expect(named.data.localName == "NBT")

        let bare = BluetoothRecord(address: address)
        let bareBytes = "D22008\(Self.pairing)0800AABBCCDDEEFF"
        #expect(NDEFMessage(records: [try bare.record]).encoded == hex(bareBytes))
        #expect(try BluetoothRecord(record(bareBytes)) == bare)
    }

    @Test("A Bluetooth record with all that belongs to pairing (vector 116)")
    func bluetoothPairing() throws {
        let full = BluetoothRecord(
            address: try address("010203040506"),
            data: [
                try .localName("X", isComplete: false),
                try BluetoothData(.classOfDevice, hex("0C025A")),
                try BluetoothData(.completeUUIDs16, hex("1E11")),
                try BluetoothData(.pairingHash192, hex(Self.ones)),
                try BluetoothData(.pairingRandomizer192, hex(Self.twos)),
                try BluetoothData(.txPowerLevel, hex("F4")),
            ]
        )
        let bytes =
            "D2203B\(Self.pairing)3B00010203040506 020858 040D0C025A 03031E11 110E\(Self.ones)"
            + "110F\(Self.twos) 020AF4"
        #expect(NDEFMessage(records: [try full.record]).encoded == hex(bytes))
        let read = try BluetoothRecord(record(bytes))
        #expect(read == full)
        #expect(read.data.localName == "X")
        #expect(read.data.deviceClass == 0x5A020C)
    }

    @Test("A Bluetooth LE record, its appearance lowest byte first (vector 117)")
    func bluetoothLe() throws {
        let full = try BluetoothLeRecord(
            address: try address("AABBCCDDEEFF"),
            addressType: .random,
            role: .peripheralOnly,
            others: [
                try BluetoothData(.securityManagerTK, Data(count: 16)),
                try .appearance(0x03C2),
                try BluetoothData(.flags, hex("06")),
                try .localName("NBT"),
            ]
        )
        let bytes =
            "D2202A\(Self.lePairing)081BAABBCCDDEEFF01 021C00 1110\(Self.zeros) 0319C203 020106"
            + "04094E4254"
        #expect(NDEFMessage(records: [try full.record]).encoded == hex(bytes))
        #expect(try BluetoothLeRecord(record(bytes)) == full)
    }

    @Test("A Bluetooth LE record of a tag is read and written back in its own order (vector 123)")
    func bluetoothLeTag() throws {
        let bytes =
            "D2204E\(Self.lePairing)081BFFFFFFFFFFFF00 021C00 04094E4254 0319C203 1110\(Self.zeros)"
            + "1122\(Self.effs) 1123\(Self.effs) 020106"
        try #require(hex(bytes).count == 0x71)
        let read = try BluetoothLeRecord(record(bytes))
        #expect(read.address.littleEndian == hex("FFFFFFFFFFFF"))
        #expect(read.addressType == .public)
        #expect(read.role == .peripheralOnly)
        #expect(read.data.localName == "NBT")
        #expect(read.data.appearance == 0x03C2)
        #expect(read.data.first(.securityManagerTK) == hex(Self.zeros))
        #expect(read.data.first(.leConfirmation) == hex(Self.effs))
        #expect(read.data.first(.leRandom) == hex(Self.effs))
        #expect(read.data.first(.flags) == hex("06"))
        #expect(NDEFMessage(records: [try read.record]).encoded == hex(bytes))
    }

    @Test("A Bluetooth record without room for an address is refused (vector 125)")
    func shortBluetooth() throws {
        for payload in ["07 00AABBCCDDEE", "0700AABBCCDDEEFF", "0900AABBCCDDEEFF", ""] {
            let record = try NDEFRecord(
                typeNameFormat: .media,
                type: Data(BluetoothRecord.type.utf8),
                payload: hex(payload)
            )
            #expect(throws: NDEFError.self) { try BluetoothRecord(record) }
        }
        // The second half of the vector: EIR length 0 ends the significant part.
        let zero = try BluetoothRecord(record("D2200A\(Self.pairing)0A00AABBCCDDEEFF0000"))
        #expect(zero.data.isEmpty)
    }

    @Test(
        "A Bluetooth LE address of a wrong length is refused (vector 126, quirk D14)",
        arguments: ["071BAABBCCDDEEFF", "061BAABBCCDDEE", "091BAABBCCDDEEFF0000", "011B"]
    )
    func shortLeAddress(structure: String) throws {
        let record = try NDEFRecord(
            typeNameFormat: .media,
            type: Data(BluetoothLeRecord.type.utf8),
            payload: hex(structure + "021C00")
        )
        #expect(throws: NDEFError.self) { try BluetoothLeRecord(record) }
    }

    // MARK: Messages

    @Test(
        "What is no message, or no URI, is refused (vector 119)",
        arguments: [
            "5101035503 6161", "9101035503 6161", "D101035503616199", "D10103550361", "D1",
            "D9010301 55", "C10100000003550361", "D2010361626363646566",
        ]
    )
    func refused(bytes: String) {
        #expect(throws: NDEFError.self) { try URIRecord(record(bytes)) }
    }

    @Test(
        "What is read as http://aa (vectors 118, 120 and 121)",
        arguments: [
            "D1010355036161", "C1010000000355036161", "D90103015541036161",
        ]
    )
    func read(bytes: String) throws {
        #expect(try URIRecord(record(bytes)).uri == "http://aa")
    }
}
