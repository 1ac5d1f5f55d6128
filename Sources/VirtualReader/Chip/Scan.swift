/// A search for tags that may take several tries (InListPassiveTarget, InAutoPoll).
struct Scan {
    /// The command that asked: 4A or 60.
    let command: UInt8
    /// What is looked for, one after the other; at least one.
    let types: [TargetType]
    /// How many targets to look for, 1 or 2.
    let maximum: Int
    /// What to send with the request: a UID, the FeliCa polling payload, or an AFI.
    var detail = TargetDetail.none
    /// The number of tries; nil for no end.
    let tries: Int?
    /// The time from one try to the next.
    let interval: Duration
    /// When the first try was due.
    let start: ContinuousClock.Instant

    /// Tries made so far.
    var triesMade = 0
    /// Tries in a row after which nothing was found and nothing had changed.
    var quietTries = 0
    /// When to try next; nil to wait until tags come or go.
    var nextTry: ContinuousClock.Instant?

    /// What the next try looks for.
    var nextType: TargetType { types[triesMade % types.count] }

    /// Whether all tries have been made.
    var isOver: Bool { tries.map { triesMade >= $0 } ?? false }

    /// Whether another round of tries cannot find anything, as long as no tag comes or goes.
    var isFutile: Bool { quietTries >= types.count }

    /// Tags have come or gone: another try is worth it, in step with the earlier ones.
    mutating func tagsChanged(at now: ContinuousClock.Instant, timing: Timing) {
        guard nextTry == nil else { return }
        quietTries = 0
        guard timing == .real, interval > .zero else {
            nextTry = now
            return
        }
        triesMade = max(triesMade, Int(((now - start) / interval).rounded(.up)))
        nextTry = start + interval * triesMade
    }
}

/// What a request carries beside its kind.
enum TargetDetail: Equatable {
    case none
    /// Only the type A tag with this UID.
    case uid([UInt8])
    /// System code, request code and number of time slots less one.
    case polling([UInt8])
    /// The application family of type B cards.
    case family(UInt8)
}
