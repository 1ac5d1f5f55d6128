#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the personalisation app writes to a tag for brand protection (facts/nbt.md, 2.10 and 3.1).
public struct BrandProtectionMessage: Sendable {
    /// The record type of the certificate; both are in use.
    public enum TypeString: String, Sendable, CaseIterable {
        /// What the apps write and read.
        case long = "infineon technologies:infineon.com:nfc-bridge-tag.x509"
        /// What the library's record class knows.
        case short = "infineon.com:nfc-bridge-tag.x509"
    }

    /// The app's URL with 44 characters that a one-time token may replace.
    public static let sampleURL =
        "http://optiga-nbt-cott-service.infineon.com?cott="
        + String(repeating: "PLACEHOLDER", count: 4)

    /// The NDEF message.
    public let bytes: Data

    /// A message with an optional URL record and one record a certificate.
    ///
    /// - Parameters:
    ///   - certificates: DER; a genuine tag has exactly one.
    ///   - typeString: the record type of the certificates.
    ///   - url: the URL of the first record; nil for none.
    ///   - recordID: the certificate record's ID, at most 255 bytes; the apps write one byte 00.
    public init(
        certificates: [Data],
        typeString: TypeString = .long,
        url: String? = sampleURL,
        recordID: Data = Data([0x00])
    ) {
        var records: [Record] = []
        if let url { records.append(Record(url: url)) }
        records += certificates.map { certificate in
            Record(
                typeNameFormat: 4,
                type: Data(typeString.rawValue.utf8),
                id: recordID.prefix(255),
                payload: certificate
            )
        }
        bytes = records.enumerated().reduce(into: Data()) { bytes, item in
            bytes += item.element.bytes(
                isFirst: item.offset == 0,
                isLast: item.offset == records.count - 1
            )
        }
    }

    /// NLEN and the message, as the NDEF file begins.
    ///
    /// - Throws: `CardError.doesNotFit` when the message is longer than NLEN can say (65,534 bytes).
    public func file() throws(CardError) -> Data {
        guard bytes.count < 0xFFFF else { throw .doesNotFit(bytes: bytes.count, limit: 0xFFFE) }
        return Data([UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]) + bytes
    }

    /// One NDEF record, as the virtual tag writes it (facts/nbt.md, 6.1): not with the module NDEF, which is
    /// tested against these bytes.
    private struct Record {
        let typeNameFormat: UInt8
        let type: Data
        let id: Data
        let payload: Data

        init(typeNameFormat: UInt8, type: Data, id: Data, payload: Data) {
            self.typeNameFormat = typeNameFormat
            self.type = type
            self.id = id
            self.payload = payload
        }

        /// A URI record with the longest of the abbreviations for web addresses (facts/nbt.md, 6.2).
        init(url: String) {
            let prefixes: [(code: UInt8, text: String)] = [
                (1, "http://www."), (2, "https://www."), (3, "http://"), (4, "https://"),
            ]
            let prefix = prefixes.first { url.hasPrefix($0.text) } ?? (0, "")
            self.init(
                typeNameFormat: 1,
                type: Data("U".utf8),
                id: Data(),
                payload: Data([prefix.code]) + Data(url.utf8.dropFirst(prefix.text.utf8.count))
            )
        }

        func bytes(isFirst: Bool, isLast: Bool) -> Data {
            let isShort = payload.count <= 255
            let length = UInt32(clamping: payload.count)
            let header =
                typeNameFormat | (isFirst ? 0x80 : 0) | (isLast ? 0x40 : 0) | (isShort ? 0x10 : 0)
                | (id.isEmpty ? 0 : 0x08)
            let lengthBytes = (isShort ? [0] : [24, 16, 8, 0])
                .map { UInt8(truncatingIfNeeded: length >> UInt32($0)) }
            return Data([header, UInt8(clamping: type.count)] + lengthBytes)
                + (id.isEmpty ? Data() : Data([UInt8(clamping: id.count)])) + type + id + payload
        }
    }
}

extension NBTApplication {
    /// A tag as the iOS personalisation app leaves it for brand protection (facts/nbt.md, 1.4, 1.5 and 2.10).
    ///
    /// - Parameters:
    ///   - identity: the certificate on the tag and the key it signs with.
    ///   - uid: the chip's UID, 7 bytes.
    ///   - typeString: the record type of the certificate.
    ///   - url: the URL record's address; nil for no such record.
    ///   - settings: the answers to the sheet's open questions.
    /// - Returns: the card application of such a tag.
    /// - Throws: `CardError.doesNotFit` when certificate and URL are too long for the NDEF file.
    public static func brandProtection(
        _ identity: DeviceIdentity,
        uid: Data = sampleUID,
        typeString: BrandProtectionMessage.TypeString = .long,
        url: String? = BrandProtectionMessage.sampleURL,
        settings: Settings = Settings()
    ) throws(CardError) -> NBTApplication {
        let message = BrandProtectionMessage(
            certificates: [identity.certificate],
            typeString: typeString,
            url: url
        )
        let tag = try NBTApplication(
            uid: uid,
            ndefFile: try message.file(),
            key: identity.key,
            policies: .brandProtection,
            settings: settings
        )
        try tag.overwrite(
            .capabilityContainer,
            with: NBTDevice.proprietaryControl(access: 0xFF),
            at: 0x0F
        )
        return tag
    }
}
