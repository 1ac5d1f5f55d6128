import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A smart poster, the well-known type "Sp": a URI with what a reader needs to present it (RTD Smart Poster 1.1).
///
/// The payload is a message of its own, with records in any order.
public struct SmartPosterRecord: Sendable, Hashable {
    /// The record type.
    public static let type = "Sp"

    /// What a reader should do with the URI.
    public enum Action: UInt8, Sendable, CaseIterable {
        /// Follow it: open the page, call the number, send the message.
        case `do` = 0
        /// Keep it for later.
        case save = 1
        /// Open it for editing.
        case open = 2
    }

    /// The URI.
    public let uri: URIRecord
    /// Titles, each in another language.
    public let titles: [TextRecord]
    /// What to do with the URI; nil leaves it to the reader.
    public let action: Action?
    /// The size in bytes of what the URI names.
    public let size: UInt32?
    /// The MIME type of what the URI names, as "text/html".
    public let mimeType: String?
    /// Pictures or films to show with it: media records of type image/… or video/….
    public let icons: [NDEFRecord]
    /// What else is in the record; a reader passes over it.
    public let others: [NDEFRecord]

    /// Makes a smart poster.
    ///
    /// - Throws: `malformedPayload` for two titles in one language, an icon that is neither image nor video, or a record
    ///   among `others` that has a place of its own.
    public init(
        uri: URIRecord,
        titles: [TextRecord] = [],
        action: Action? = nil,
        size: UInt32? = nil,
        mimeType: String? = nil,
        icons: [NDEFRecord] = [],
        others: [NDEFRecord] = []
    ) throws(NDEFError) {
        guard Set(titles.map { $0.language.lowercased() }).count == titles.count else {
            throw Self.malformed("two titles are in the same language")
        }
        guard icons.allSatisfy({ Part($0) == .icon }) else {
            throw Self.malformed("an icon is neither an image nor a video")
        }
        guard others.allSatisfy({ Part($0) == .other }) else {
            throw Self.malformed("a part is in the wrong place")
        }
        self.uri = uri
        self.titles = titles
        self.action = action
        self.size = size
        self.mimeType = mimeType
        self.icons = icons
        self.others = others
    }

    /// Decodes a record.
    ///
    /// - Throws: `unexpectedType`, or `malformedPayload` for a payload that is no message, has not exactly one URI, has
    ///   another part twice, or a part that is malformed.
    public init(_ record: NDEFRecord) throws(NDEFError) {
        guard record.isWellKnown(Self.type) else { throw .unexpectedType(expected: Self.type) }
        let records = try NDEFMessage.nested(record.payload, in: Self.type).records
        let parts = Dictionary(grouping: records) { Part($0) }
        func only(_ part: Part, _ name: String) throws(NDEFError) -> NDEFRecord? {
            let records = parts[part] ?? []
            guard records.count <= 1 else { throw Self.malformed("it has more than one \(name)") }
            return records.first
        }
        guard let uri = try only(.uri, "URI") else { throw Self.malformed("it has no URI") }
        var titles: [TextRecord] = []
        for title in parts[.title] ?? [] { titles.append(try TextRecord(title)) }
        try self.init(
            uri: try URIRecord(uri),
            titles: titles,
            action: try only(.action, "action").map(Self.action),
            size: try only(.size, "size").map(Self.size),
            mimeType: try only(.type, "type").map(Self.mimeType),
            icons: parts[.icon] ?? [],
            others: parts[.other] ?? []
        )
    }

    /// The record: URI, titles, action, size, type, icons, and what else there is.
    public var record: NDEFRecord {
        get throws(NDEFError) {
            var records = [try uri.record]
            for title in titles { records.append(try title.record) }
            if let action { records.append(try Self.part("act", Data([action.rawValue]))) }
            if let size {
                let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: size >> $0) }
                records.append(try Self.part("s", Data(bytes)))
            }
            if let mimeType { records.append(try Self.part("t", Data(mimeType.utf8))) }
            return try NDEFRecord(
                typeNameFormat: .wellKnown,
                type: Data(Self.type.utf8),
                payload: NDEFMessage(records: records + icons + others).encoded
            )
        }
    }

    /// What a record inside a smart poster is for.
    private enum Part {
        case uri, title, action, size, type, icon, other

        init(_ record: NDEFRecord) {
            let isPicture = ["image/", "video/"].contains {
                record.type.map(lowercasedASCII).starts(with: $0.utf8)
            }
            self =
                switch record.typeNameFormat {
                case .wellKnown where record.type == Data("U".utf8): .uri
                case .wellKnown where record.type == Data("T".utf8): .title
                case .wellKnown where record.type == Data("act".utf8): .action
                case .wellKnown where record.type == Data("s".utf8): .size
                case .wellKnown where record.type == Data("t".utf8): .type
                case .media where isPicture: .icon
                default: .other
                }
        }
    }

    private static func part(_ type: String, _ payload: Data) throws(NDEFError) -> NDEFRecord {
        try NDEFRecord(typeNameFormat: .wellKnown, type: Data(type.utf8), payload: payload)
    }

    private static func action(_ record: NDEFRecord) throws(NDEFError) -> Action {
        guard record.payload.count == 1,
            let action = record.payload.first.flatMap(Action.init(rawValue:))
        else { throw malformed("the action is not 00, 01 or 02") }
        return action
    }

    private static func size(_ record: NDEFRecord) throws(NDEFError) -> UInt32 {
        var reader = ByteReader(record.payload)
        guard let size = try? reader.uint32(), reader.isAtEnd else {
            throw malformed("the size does not have four bytes")
        }
        return size
    }

    private static func mimeType(_ record: NDEFRecord) throws(NDEFError) -> String {
        guard let type = String(validating: record.payload, as: UTF8.self) else {
            throw malformed("the type is not UTF-8")
        }
        return type
    }

    private static func malformed(_ problem: String) -> NDEFError {
        .malformedPayload(type: type, problem: problem)
    }
}
