import BrandProtection
import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The result of one verification, as `verify` prints it where no screen is drawn.
struct VerificationLine {
    let result: BrandVerification
    /// Whether the anchor is the virtual reader's own CA, trusted because no other was named.
    let isVirtualAnchor: Bool

    /// The result as one JSON object.
    ///
    /// `testAnchor` is true when anybody can make such a tag: with the sample CA's published keys, or
    /// with a virtual reader.
    var json: JSON {
        .object([
            "verdict": .string(result.verdict.rawValue),
            "reason": .optional(result.reason?.rawValue),
            "uid": .string(result.uid.hex),
            "subject": .optional(result.subject),
            "serial": .optional(result.serial),
            "notAfter": .optional(result.notAfter?.formatted(.iso8601)),
            "anchor": .optional(result.anchor),
            "milliseconds": .number(result.milliseconds),
            "testAnchor": .bool(result.hasTestAnchor(isVirtual: isVirtualAnchor)),
            "detail": .optional(result.detail),
            "notices": .array(result.notices.map(JSON.string)),
        ])
    }

    /// The line for people: verdict, UID, and who vouches for the tag or why nobody does.
    var text: String {
        let verdict = result.verdict.rawValue + (result.reason.map { " (\($0.rawValue))" } ?? "")
        let anchor = result.anchorText(isVirtual: isVirtualAnchor)
        let why = result.reason?.explanation ?? anchor ?? ""
        return [verdict, result.uid.hex, why].joined(separator: "  ")
    }

    /// What else a person should know; it goes to standard error.
    var notices: [String] { (result.detail.map { [$0] } ?? []) + result.notices }
}

extension BrandVerification {
    /// Whether anybody can make a tag that this anchor vouches for; `isVirtual` says that the anchor is
    /// the virtual reader's own CA.
    func hasTestAnchor(isVirtual: Bool) -> Bool {
        isSampleAnchor || (isVirtual && anchor != nil)
    }

    /// The anchor's name, marked where it is one for tests; nil when no anchor vouched for the tag.
    func anchorText(isVirtual: Bool) -> String? {
        anchor.map { hasTestAnchor(isVirtual: isVirtual) ? "\($0) (test anchor)" : $0 }
    }
}

extension Exit {
    /// The status for a verdict: what could not be read is never called a fake.
    init(_ result: BrandVerification) {
        self =
            switch (result.verdict, result.reason) {
            case (.genuine, _): .done
            case (.notGenuine, _): .negative
            case (.unreadable, .readerFailed): .reader
            case (.unreadable, _): .tag
            }
    }
}
