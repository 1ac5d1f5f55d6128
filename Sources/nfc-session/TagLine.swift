import Bytes
import NFCReader
import NFCSession

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A tag that came, rests or left, as `scan` prints it.
struct TagLine {
    let report: UIDReport
    let format: UIDFormat
    /// Whether lines about a tag that was there before say for how long.
    var saysHowLong = false

    private var uid: String { format(report.uid) }

    /// The report as one JSON object.
    ///
    /// Every line has the first ten keys; what type B and FeliCa tags say besides comes after them, and last how long
    /// the tag was there, where that is asked for.
    var json: JSON {
        var members: [(String, JSON)] = [
            ("event", .string(report.event.rawValue)),
            ("time", .string(report.time.formatted(.iso8601Milliseconds))),
            ("reader", .string(report.reader)),
            ("technology", .string(report.target.technology.rawValue)),
            ("uid", .string(uid)),
            ("random", .bool(report.isRandom)),
            ("atqa", .optional(typeA?.atqa.hex)),
            ("sak", .optional(typeA?.sak.hex)),
            ("ats", .optional(typeA?.ats?.hex)),
            ("type", .string(report.type)),
        ]
        switch report.target {
        case .typeA: break
        case .typeB(let tag):
            members += [
                ("applicationData", .string(tag.applicationData.hex)),
                ("protocolInfo", .string(tag.protocolInfo.hex)),
            ]
        case .feliCa(let tag):
            members += [
                ("pmm", .string(tag.pmm.hex)),
                ("systemCode", .optional(tag.systemCode?.hex)),
            ]
        }
        if let milliseconds { members.append(("milliseconds", .number(milliseconds))) }
        return .object(JSON.Members(members))
    }

    /// The line for people: event, identifier, type, and what the tag said of itself.
    var text: String {
        let identity = report.isRandom ? [uid, "(random)"] : [uid]
        let words = [report.event.rawValue.padded(to: 8)] + identity + [report.type]
        let rest = report.event == .detected ? details : milliseconds.map { ["\($0) ms"] } ?? []
        return (words + rest).joined(separator: "  ")
    }

    private var milliseconds: Int? {
        guard saysHowLong, report.event != .detected else { return nil }
        return Int(report.held / .milliseconds(1))
    }

    private var typeA: TypeATarget? {
        if case .typeA(let tag) = report.target { tag } else { nil }
    }

    private var details: [String] {
        switch report.target {
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
