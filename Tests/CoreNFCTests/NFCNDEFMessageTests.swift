import Bytes
import CoreNFC
import TestSupport
import Testing

@Suite struct NFCNDEFMessageTests {
    private func payload(
        _ format: NFCTypeNameFormat,
        _ type: String,
        id: String = "",
        _ payload: String,
        chunkSize: Int = 0
    ) -> NFCNDEFPayload {
        NFCNDEFPayload(
            format: format,
            type: Data(type.utf8),
            identifier: Data(id.utf8),
            payload: hex(payload),
            chunkSize: chunkSize
        )
    }

    // MARK: Bytes, by NDEF 1.0, 3.2

    @Test("A short record has one length byte; the flags say where the message begins and ends")
    func shortRecord() {
        let message = NFCNDEFMessage(records: [payload(.nfcWellKnown, "U", "016e66632e636f6d")])
        // RTD URI 1.0, A.1: http://www.nfc.com
        #expect(message.encoded == hex("d1010855016e66632e636f6d"))
        #expect(message.length == 12)
    }

    @Test("Two records with an identifier and of another type")
    func twoRecords() {
        let message = NFCNDEFMessage(records: [
            payload(.media, "a/b", id: "i", "00ff"), payload(.nfcExternal, "x:y", ""),
        ])
        #expect(message.encoded == hex("9a030201 612f62 69 00ff 540300 783a79"))
    }

    @Test("A payload of 256 bytes has four length bytes")
    func longRecord() {
        let message = NFCNDEFMessage(records: [
            payload(.unknown, "", String(repeating: "ab", count: 256))
        ])
        #expect(message.encoded?.prefix(6) == hex("c50000000100"))
        #expect(message.length == 6 + 256)
    }

    @Test("Chunks: the first has type and identifier, the others are unchanged, the last ends")
    func chunks() throws {
        let message = NFCNDEFMessage(records: [
            payload(.media, "t", id: "i", "0102030405", chunkSize: 2)
        ])
        let bytes = hex("ba010201 74 69 0102" + "360002 0304" + "560001 05")
        #expect(message.encoded == bytes)
        let read = try #require(NFCNDEFMessage(data: bytes))
        #expect(read.records.map(\.payload) == [hex("0102030405")])
        #expect(read.records.first?.identifier == Data("i".utf8))
    }

    @Test("A message without records is one empty record")
    func emptyMessage() {
        #expect(NFCNDEFMessage(records: []).encoded == hex("d00000"))
        #expect(NFCNDEFMessage(records: []).length == 3)
    }

    @Test("A type of 256 bytes cannot be encoded")
    func tooLong() {
        let record = NFCNDEFPayload(
            format: .media,
            type: Data(count: 256),
            identifier: Data(),
            payload: Data()
        )
        #expect(NFCNDEFMessage(records: [record]).encoded == nil)
        #expect(NFCNDEFMessage(records: [record]).length == 0)
    }

    @Test(
        "Bytes that are not exactly one message give nil",
        arguments: [
            "", "d1010855016e66632e636f", "d1010855016e66632e636f6d00", "51010155", "9101005500",
        ]
    )
    func rejects(bytes: String) {
        #expect(NFCNDEFMessage(data: hex(bytes)) == nil)
    }

    @Test("What is read is written back")
    func roundTrip() throws {
        let bytes = hex("9a030201 612f62 69 00ff 540300 783a79")
        let message = try #require(NFCNDEFMessage(data: bytes))
        #expect(message.records.map(\.typeNameFormat) == [.media, .nfcExternal])
        #expect(message.encoded == bytes)
    }

    @Test("Records and fields can be changed")
    func changes() {
        let record = payload(.nfcWellKnown, "U", "00")
        let message = NFCNDEFMessage(records: [])
        record.payload = hex("016e66632e636f6d")
        message.records = [record]
        #expect(message.encoded == hex("d1010855016e66632e636f6d"))
    }

    @Test("Messages survive an archive")
    func archive() throws {
        let message = NFCNDEFMessage(records: [payload(.media, "t", id: "i", "0102", chunkSize: 1)])
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: message,
            requiringSecureCoding: true
        )
        let read = try NSKeyedUnarchiver.unarchivedObject(ofClass: NFCNDEFMessage.self, from: data)
        #expect(read?.encoded == message.encoded)
    }

    // MARK: Well-known types

    /// Prefix codes of RTD URI 1.0, 3.2.2: 01 http://www., 04 https://, 05 tel:, 06 mailto:, 00 none.
    @Test(
        "URI records abbreviate the prefix, and give the URL back",
        arguments: [
            ("http://www.nfc.com", "016e66632e636f6d"), ("https://a.b", "04612e62"),
            ("tel:123", "05313233"), ("mailto:a@b", "06614062"), ("x:y", "00783a79"),
        ]
    )
    func uri(uri: String, payload: String) throws {
        let record = try #require(NFCNDEFPayload.wellKnownTypeURIPayload(string: uri))
        #expect(record.typeNameFormat == .nfcWellKnown)
        #expect(record.type == Data("U".utf8))
        #expect(record.payload == hex(payload))
        #expect(record.wellKnownTypeURIPayload()?.absoluteString == uri)
        let url = try #require(URL(string: uri))
        #expect(NFCNDEFPayload.wellKnownTypeURIPayload(url: url)?.payload == hex(payload))
    }

    @Test("An empty URI makes no record; another record has no URL")
    func noURI() {
        #expect(NFCNDEFPayload.wellKnownTypeURIPayload(string: "") == nil)
        #expect(payload(.nfcWellKnown, "T", "02656e41").wellKnownTypeURIPayload() == nil)
    }

    /// RTD Text 1.0, 3.2: status byte (length of the language code), language code, text in UTF-8.
    @Test(
        "Text records hold the language of the locale and the text",
        arguments: [("en_US", "A", "02656e41", "en"), ("ja", "鍵", "026a61e98db5", "ja")]
    )
    func text(locale: String, text: String, payload: String, language: String) throws {
        let record = try #require(
            NFCNDEFPayload.wellKnownTypeTextPayload(
                string: text,
                locale: Locale(identifier: locale)
            )
        )
        #expect(record.type == Data("T".utf8))
        #expect(record.payload == hex(payload))
        let (read, readLocale) = record.wellKnownTypeTextPayload()
        #expect(read == text)
        #expect(readLocale == Locale(identifier: language))
    }

    @Test("Another record has neither text nor locale")
    func noText() {
        let (text, locale) = payload(.nfcWellKnown, "U", "00").wellKnownTypeTextPayload()
        #expect(text == nil)
        #expect(locale == nil)
    }
}
