import Bytes
import NFCReader

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A tag that came or left, as `scan` prints it.
struct TagLine {
    /// `detected` or `removed`.
    let event: String
    let time: Date
    /// The reader's connection string.
    let reader: String
    let target: Target
    /// Whether the identifier is drawn anew at every activation.
    let isRandom: Bool
    /// The product, as far as it can be told: "NTAG213".
    let type: String
    let format: UIDFormat

    private var uid: String { format(target.identifier) }

    /// The tag as one JSON object.
    ///
    /// Every line has the first ten keys; what type B and FeliCa tags say besides comes after them.
    var json: JSON {
        var members: [(String, JSON)] = [
            ("event", .string(event)),
            ("time", .string(time.formatted(.iso8601Milliseconds))),
            ("reader", .string(reader)),
            ("technology", .string(target.technology.rawValue)),
            ("uid", .string(uid)),
            ("random", .bool(isRandom)),
            ("atqa", .optional(typeA?.atqa.hex)),
            ("sak", .optional(typeA?.sak.hex)),
            ("ats", .optional(typeA?.ats?.hex)),
            ("type", .string(type)),
        ]
        switch target {
        case .typeA: break
        case .typeB(let tag):
            members += [
                ("applicationData", .string(tag.applicationData.hex)),
                ("protocolInfo", .string(tag.protocolInfo.hex)),
            ]
        case .feliCa(let tag):
            members += [
                ("pmm", .string(tag.pmm.hex)), ("systemCode", .optional(tag.systemCode?.hex)),
            ]
        }
        return .object(JSON.Members(members))
    }

    /// The line for people: event, identifier, type, and what the tag said of itself.
    var text: String {
        let state = isRandom ? [uid, "(random)", type] : [uid, type]
        return ([event.padded(to: 8)] + state + details).joined(separator: "  ")
    }

    private var typeA: TypeATarget? {
        if case .typeA(let tag) = target { tag } else { nil }
    }

    private var details: [String] {
        switch target {
        case .typeA(let tag):
            ["ATQA \(tag.atqa.hex)", "SAK \(tag.sak.hex)"]
                + (tag.ats.map { ["ATS \($0.hex)"] } ?? [])
        case .typeB(let tag):
            [
                "application data \(tag.applicationData.hex)",
                "protocol info \(tag.protocolInfo.hex)",
            ]
        case .feliCa(let tag):
            ["PMm \(tag.pmm.hex)"] + (tag.systemCode.map { ["system code \($0.hex)"] } ?? [])
        }
    }
}

extension FormatStyle where Self == Date.ISO8601FormatStyle {
    /// UTC with milliseconds: `2026-11-30T12:00:00.123Z`.
    static var iso8601Milliseconds: Self { Self(includingFractionalSeconds: true) }
}

extension String {
    /// The text with blanks up to this width.
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, width - count))
    }
}
