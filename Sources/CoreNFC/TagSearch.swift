import Bytes
import Foundation
import NFCReader

/// One way of looking for tags: one chip command.
enum SearchStep: Sendable, Equatable {
    case typeA
    case typeB
    /// FeliCa tags of the system with this code.
    case feliCa(UInt16)
}

/// What a session looks for, and which of the tags it finds are for its client.
struct SearchPlan: Sendable, Equatable {
    /// One step a round, in turn.
    var steps: [SearchStep]
    /// The applications to select on ISO 14443-4 tags, in hexadecimal, in the order in which they are tried.
    var applications: [String]
    /// Whether an ISO 14443-4 tag without any of them is delivered too.
    var deliversUnlisted = false
    /// Whether other tags are delivered only when they are formatted for NDEF.
    var wantsNDEF = false
}

extension SearchPlan {
    /// A plan for tags with NDEF data: type 4 tags by their application, type 3 tags by their system, type 2 tags by their
    /// capability container.
    static let ndef = SearchPlan(
        steps: [.typeA, .typeB, .typeA, .feliCa(Type3Store.systemCode)],
        applications: ["D2760000850101"],
        wantsNDEF: true
    )

    /// A plan for these kinds of tags.
    ///
    /// Type A is what most tags are, so it is looked for most often: two rounds of three beside type B alone, every
    /// other round beside FeliCa.
    init(
        looksForISO14443: Bool,
        systems: [UInt16],
        applications: [String],
        deliversUnlisted: Bool
    ) {
        let feliCa = systems.map(SearchStep.feliCa)
        steps =
            switch (looksForISO14443, feliCa.isEmpty) {
            case (false, _): feliCa
            case (true, true): [.typeA, .typeA, .typeB]
            case (true, false): [.typeA, .typeB] + feliCa.flatMap { [.typeA, $0] }
            }
        self.applications = applications
        self.deliversUnlisted = deliversUnlisted
    }
}

/// A tag that was found, and what it is for the client (facts/corenfc.md, 2.8).
struct Discovery: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// An ISO 14443-4 tag on which this application has been selected; empty for none.
        case iso7816(selectedAID: String)
        case miFare(NFCMiFareFamily)
        case feliCa
    }

    let target: Target
    let kind: Kind
}

/// What one round has found.
struct SearchResult: Sendable, Equatable {
    var discoveries: [Discovery] = []
    /// The tag that the reader has left selected.
    var selected: Target?
    /// What that tag listens to.
    var wakefulness = Detection.Wakefulness.awake
}

extension SearchResult {
    /// An exchange with a tag has selected and woken it.
    fileprivate mutating func noteExchange(with target: Target) {
        selected = target
        if wakefulness == .asleep { wakefulness = .woken }
    }
}

/// Looks for tags, round by round.
struct TagSearch: Sendable {
    private let plan: SearchPlan
    private var round = 0
    /// Whether tags that do not answer polls may stand in the field: activated, and not delivered.
    private var needsNewField: Bool

    /// - Parameters:
    ///   - plan: what to look for.
    ///   - needsNewField: whether tags of an earlier look may be in the field.
    init(_ plan: SearchPlan, needsNewField: Bool) {
        self.plan = plan
        self.needsNewField = needsNewField
    }

    /// Does one round: one chip command in an empty field.
    ///
    /// Two more renew the field after a tag was found that is not for the client, since it would not answer polls
    /// again.
    mutating func nextRound(with reader: Reader) async throws(ReaderError) -> SearchResult {
        guard !plan.steps.isEmpty else { return SearchResult() }
        let step = plan.steps[round % plan.steps.count]
        round += 1
        if needsNewField { try await reader.cycleField() }
        // A look that fails may have found a tag and put it to sleep.
        needsNewField = true
        let targets = try await targets(step, reader)
        needsNewField = !targets.isEmpty
        var result = SearchResult(
            selected: targets.last,
            wakefulness: step == .typeA ? .asleep : .awake
        )
        for target in targets {
            guard let kind = try await classify(target, reader, &result) else { continue }
            result.discoveries.append(Discovery(target: target, kind: kind))
        }
        return result
    }

    private func targets(
        _ step: SearchStep,
        _ reader: Reader
    ) async throws(ReaderError) -> [Target] {
        switch step {
        case .typeA: try await reader.poll(.iso14443a, maximum: 2)
        case .typeB: try await reader.poll(.iso14443b)
        case .feliCa(let code): try await reader.poll(.felica, systemCode: code)
        }
    }

    /// What a tag is for the client; nil when it is not for it, or has gone meanwhile.
    private func classify(
        _ target: Target,
        _ reader: Reader,
        _ result: inout SearchResult
    ) async throws(ReaderError) -> Discovery.Kind? {
        if case .feliCa = target { return .feliCa }
        if target.isISODEP {
            do throws(ReaderError) {
                for application in plan.applications {
                    result.noteExchange(with: target)
                    if try await reader.selectApplication(application, on: target) {
                        return .iso7816(selectedAID: application)
                    }
                }
            } catch  where error.kind == .tag {
                return nil
            }
        }
        if case .typeA(let tag) = target, let family = tag.miFareFamily {
            guard plan.wantsNDEF else { return .miFare(family) }
            guard family == .ultralight, try await hasContainer(target, reader, &result) else {
                return nil
            }
            return .miFare(family)
        }
        return target.isISODEP && plan.deliversUnlisted ? .iso7816(selectedAID: "") : nil
    }
}

extension TagSearch {
    /// Whether a type 2 tag is formatted for NDEF: E1 in the first byte of page 3.
    private func hasContainer(
        _ target: Target,
        _ reader: Reader,
        _ result: inout SearchResult
    ) async throws(ReaderError) -> Bool {
        do throws(ReaderError) {
            let pages = try await reader.exchange(Data([0x30, 0x03]), with: target)
            result.noteExchange(with: target)
            return pages.first == 0xE1
        } catch  where error.kind == .tag {
            return false
        }
    }
}

extension Reader {
    /// Selects the application with this DF name, and says whether the tag has it (ISO 7816-4, SELECT by DF name).
    ///
    /// A tag that does not want a Le field (6700) gets the command without.
    func selectApplication(
        _ application: String,
        on target: Target
    ) async throws(ReaderError) -> Bool {
        guard let name = Data(hex: application), let length = UInt8(exactly: name.count) else {
            return false
        }
        let command = Data([0x00, 0xA4, 0x04, 0x00, length]) + name
        var answer = try exchange(command + [0x00], with: target)
        if answer.suffix(2) == Data([0x67, 0x00]) { answer = try exchange(command, with: target) }
        return answer.suffix(2) == Data([0x90, 0x00])
    }
}
