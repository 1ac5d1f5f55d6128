import Foundation
import NDEF
import TestSupport

/// Random messages of all kinds of records that the module knows.
enum MessageGenerator {
    /// One to four records.
    static func records(_ generator: inout SeededGenerator) throws -> [NDEFRecord] {
        var records: [NDEFRecord] = []
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            records.append(try record(&generator))
        }
        return records
    }

    private static func record(_ generator: inout SeededGenerator) throws -> NDEFRecord {
        switch Int.random(in: 0..<13, using: &generator) {
        case 0: return try NDEFRecord(typeNameFormat: .empty)
        case 1: return try plain(.unknown, "", &generator)
        case 2: return try plain(.wellKnown, "Zz", &generator)
        case 3: return try plain(.media, "image/svg+xml", &generator)
        case 4: return try plain(.absoluteURI, "http://example.com/x", &generator)
        case 5: return try plain(.external, "example.com:Thing", &generator)
        case 6: return try URIRecord(uri: uri(&generator)).record
        case 7: return try TextRecord(text: text(&generator), language: "fr-CA").record
        case 8: return try poster(&generator).record
        case 9:
            let name = try BluetoothData.localName(text(&generator))
            return try BluetoothRecord(address: address(&generator), data: [name]).record
        case 10:
            return try BluetoothLeRecord(
                address: address(&generator),
                addressType: .random(&generator),
                role: .random(&generator),
                others: [.appearance(.random(in: 0...0xFFFF, using: &generator))]
            ).record
        case 11:
            let error = try HandoverErrorRecord(errorReason: 3, errorData: Data([7]))
            return try HandoverSelectRecord(
                version: .v1_3,
                alternativeCarriers: carriers(&generator),
                error: Bool.random(using: &generator) ? error : nil
            ).record
        default:
            return try HandoverRequestRecord(
                collisionResolution: .random(in: 0...0xFFFF, using: &generator),
                alternativeCarriers: carriers(&generator)
            ).record
        }
    }

    private static func plain(
        _ format: NDEFRecord.TypeNameFormat,
        _ type: String,
        _ generator: inout SeededGenerator
    ) throws -> NDEFRecord {
        let identifier = bytes(Bool.random(using: &generator) ? 0 : 5, &generator)
        let size = [0, 1, 8, 255, 256, 600].randomElement(using: &generator) ?? 0
        return try NDEFRecord(
            typeNameFormat: format,
            type: Data(type.utf8),
            identifier: identifier,
            payload: bytes(size, &generator)
        )
    }

    private static func poster(_ generator: inout SeededGenerator) throws -> SmartPosterRecord {
        let icon = try NDEFRecord(
            typeNameFormat: .media,
            type: Data("image/png".utf8),
            payload: bytes(Int.random(in: 0...300, using: &generator), &generator)
        )
        return try SmartPosterRecord(
            uri: URIRecord(uri: uri(&generator)),
            titles: [
                TextRecord(text: text(&generator), language: "en"),
                TextRecord(text: text(&generator), language: "de"),
            ],
            action: .random(&generator),
            size: Bool.random(using: &generator)
                ? .random(in: 0...UInt32.max, using: &generator) : nil,
            mimeType: Bool.random(using: &generator) ? "text/html" : nil,
            icons: Bool.random(using: &generator) ? [icon] : []
        )
    }

    private static func carriers(
        _ generator: inout SeededGenerator
    ) throws -> [AlternativeCarrierRecord] {
        try (0..<Int.random(in: 1...3, using: &generator)).map { index in
            try AlternativeCarrierRecord(
                powerState: .random(&generator),
                carrierDataReference: Data("c\(index)".utf8),
                auxiliaryDataReferences: (0..<index).map { Data("aux\($0)".utf8) }
            )
        }
    }

    private static func address(_ generator: inout SeededGenerator) throws -> BluetoothAddress {
        struct NoAddress: Error {}
        guard let address = BluetoothAddress(littleEndian: bytes(6, &generator)) else {
            throw NoAddress()
        }
        return address
    }

    private static func uri(_ generator: inout SeededGenerator) -> String {
        let prefixes = [
            "http://www.", "https://", "tel:", "urn:epc:id:", "urn:epc:", "x:", "HTTP://",
        ]
        return (prefixes.randomElement(using: &generator) ?? "") + text(&generator)
    }

    private static func text(_ generator: inout SeededGenerator) -> String {
        let letters = Array("abc déß鍵 /:?=&.😀")
        return String(
            (0..<Int.random(in: 1...20, using: &generator)).compactMap { _ in
                letters.randomElement(using: &generator)
            }
        )
    }

    private static func bytes(_ count: Int, _ generator: inout SeededGenerator) -> Data {
        Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}

extension CaseIterable {
    /// One of the cases.
    fileprivate static func random(_ generator: inout SeededGenerator) -> Self {
        guard let some = allCases.randomElement(using: &generator) else {
            preconditionFailure("no cases")
        }
        return some
    }
}
