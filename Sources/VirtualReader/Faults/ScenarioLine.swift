internal import Bytes

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// One line of a scenario while it is read.
struct ScenarioLine {
    /// What a line says.
    enum Content: Equatable {
        case step(Scenario.Step)
        case seed(UInt64)
    }

    private let number: Int
    private let words: [String]

    init(_ text: String, number: Int) {
        self.number = number
        words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            .prefix { !$0.hasPrefix("#") }
            .map { $0 }
    }

    /// What the line says; nil when it is empty or a comment.
    func parse() throws(ScenarioError) -> Content? {
        guard let first = words.first else { return nil }
        if first == "seed", words.count == 2, let seed = UInt64(words[1]) { return .seed(seed) }
        let parts = words.dropFirst().split(separator: "do", maxSplits: 1)
        guard first == "at", parts.count == 2 else {
            throw .notUnderstood(line: number, words.joined(separator: " "))
        }
        let (counted, moment) = try moment(Array(parts[0]))
        let text = parts[1].joined(separator: " ")
        let action = try action(Array(parts[1]), counted)
        try check(action, text, counted)
        return .step(Scenario.Step(line: number, text: text, moment: moment, action: action))
    }

    // MARK: - When

    /// What a moment counts.
    private enum Counted: Equatable {
        /// Nothing: it is a time.
        case nothing
        case commands
        case exchanges
        case frames(Fault.Effect)
    }

    /// What can be counted, besides the chip's commands by name.
    static let countedWords =
        ["command", "exchange"] + Fault.Phase.allCases.filter { $0 != .exchanging }.map(\.rawValue)
        + ["frame-to-chip", "frame-to-host", "frame-on-air"]

    private func moment(
        _ words: [String]
    ) throws(ScenarioError) -> (Counted, Scenario.Moment) {
        let text = words.joined(separator: " ")
        guard let first = words.first else { throw .unknownMoment(line: number, text) }
        if words == ["start"] { return (.nothing, Scenario.Moment(occasion: .immediately)) }
        if words.count == 1, let time = Duration(scenario: first) {
            return (.nothing, Scenario.Moment(occasion: .time(time)))
        }
        guard let occasion = occasion(Array(words.dropFirst())) else {
            throw .unknownMoment(line: number, text)
        }
        var moment = Scenario.Moment(occasion: occasion)
        switch first {
        case "command": return (.commands, moment)
        case "frame-to-chip": return (.frames(.spoiledFrameToChip), moment)
        case "frame-to-host": return (.frames(.spoiledFrameToHost), moment)
        case "frame-on-air": return (.frames(.spoiledRadioFrame), moment)
        case "exchange", Fault.Phase.exchanging.rawValue:
            moment.phase = .exchanging
            return (.exchanges, moment)
        default: break
        }
        if let phase = Fault.Phase(rawValue: first) {
            moment.phase = phase
            return (.commands, moment)
        }
        guard let code = ChipCommand.code(of: first) else {
            throw .unknownMoment(line: number, text)
        }
        moment.command = code
        return (code == 0x40 || code == 0x42 ? .exchanges : .commands, moment)
    }

    /// How often: nothing, `3`, `3+`, `every 3`, `5%`.
    private func occasion(_ words: [String]) -> Fault.Occasion? {
        switch (words.first, words.count) {
        case (nil, _): return .always
        case ("every"?, 2): return Self.count(words[1]).map { .every($0) }
        case (let word?, 1):
            if word.hasSuffix("+") { return Self.count(word.dropLast()).map { .from($0) } }
            guard word.hasSuffix("%") else { return Self.count(word).map { .nth($0) } }
            guard let share = Double(word.dropLast()), (0...100).contains(share) else { return nil }
            return .fraction(share / 100)
        default: return nil
        }
    }

    private static func count(_ word: some StringProtocol) -> Int? {
        Int(word).flatMap { $0 > 0 ? $0 : nil }
    }

    // MARK: - What

    /// All actions.
    static let actionWords = [
        "place", "remove", "swap", "unplug", "replug", "silence", "sleep", "brown-out", "baud",
        "swallow", "ack-only", "late-ack", "delay", "wrong-checksum", "truncate", "answer-of",
        "repeat-answer", "error-frame", "zero-ats", "status", "no-status", "tag-lost", "garble",
        "answer", "spoil",
    ]

    private func action(
        _ words: [String],
        _ counted: Counted
    ) throws(ScenarioError) -> Scenario.Action {
        let name = words.first ?? ""
        let values = Array(words.dropFirst())
        switch name {
        case "place": return .place(try value(values, of: name, "a tag") { $0 })
        case "remove": return .remove(try value(values, of: name, "a tag") { $0 })
        case "swap":
            guard values.count == 2 else {
                throw invalid(values, of: name, "the tag to take and the tag to place")
            }
            return .swap(values[0], values[1])
        case "spoil":
            if case .frames(let effect) = counted {
                return .effect(try alone(effect, values, name))
            }
            throw .wrongMoment(line: number, action: name, expected: Self.frameMoments)
        default: return .effect(try effect(name, values))
        }
    }

    private func effect(
        _ name: String,
        _ values: [String]
    ) throws(ScenarioError) -> Fault.Effect {
        let time = "a time such as 300ms or 2s"
        switch name {
        case "unplug": return try alone(.hangUp, values, name)
        case "replug": return try replug(values)
        case "silence":
            if values.isEmpty { return .silence() }
            return .silence(try value(values, of: name, time, Duration.init(scenario:)))
        case "sleep": return try alone(.sleep, values, name)
        case "brown-out": return try alone(.brownOut, values, name)
        case "baud":
            let rates = HostLink.baudRates
            let expected = "one of " + rates.map(\.description).joined(separator: ", ")
            return .baudRate(
                try value(values, of: name, expected) { word in
                    Int(word).flatMap { rates.contains($0) ? $0 : nil }
                }
            )
        case "swallow": return try alone(.swallow, values, name)
        case "ack-only": return try alone(.acknowledgeOnly, values, name)
        case "late-ack":
            return .lateAcknowledge(try value(values, of: name, time, Duration.init(scenario:)))
        case "delay": return .delay(try value(values, of: name, time, Duration.init(scenario:)))
        case "wrong-checksum": return try alone(.wrongChecksum, values, name)
        case "truncate":
            return .truncate(
                try value(values, of: name, "a number of bytes") { word in
                    Int(word).flatMap { $0 >= 0 ? $0 : nil }
                }
            )
        case "answer-of":
            let expected = "a command such as GetFirmwareVersion or 0x02"
            return .answerCode(try value(values, of: name, expected, ChipCommand.code) &+ 1)
        case "repeat-answer": return try alone(.previousAnswer, values, name)
        case "error-frame": return try alone(.errorFrame, values, name)
        case "zero-ats": return try alone(.zeroATSLength, values, name)
        case "status":
            return .status(
                try value(values, of: name, "a byte of two hexadecimal digits") { word in
                    word.count == 2 ? UInt8(word, radix: 16) : nil
                }
            )
        case "no-status": return try alone(.noStatus, values, name)
        case "tag-lost": return try alone(.tagLost, values, name)
        case "garble": return try alone(.garbledResponse, values, name)
        case "answer":
            return .response(
                try value(values, of: name, "bytes in hexadecimal") { Data(hex: $0) }
            )
        default: throw .unknownAction(line: number, name)
        }
    }

    /// `replug after TIME`, `replug after TIME at PATH`.
    private func replug(_ values: [String]) throws(ScenarioError) -> Fault.Effect {
        guard values.count == 2 || values.count == 4, values[0] == "after",
            let pause = Duration(scenario: values[1]), values.count == 2 || values[2] == "at"
        else { throw invalid(values, of: "replug", "'after TIME' or 'after TIME at PATH'") }
        return .replug(after: pause, at: values.count == 4 ? values[3] : nil)
    }

    private func alone(
        _ effect: Fault.Effect,
        _ values: [String],
        _ name: String
    ) throws(ScenarioError) -> Fault.Effect {
        guard values.isEmpty else { throw invalid(values, of: name, "nothing more") }
        return effect
    }

    private func value<Value>(
        _ values: [String],
        of name: String,
        _ expected: String,
        _ parse: (String) -> Value?
    ) throws(ScenarioError) -> Value {
        guard values.count == 1, let value = parse(values[0]) else {
            throw invalid(values, of: name, expected)
        }
        return value
    }

    private func invalid(_ values: [String], of name: String, _ expected: String) -> ScenarioError {
        .invalidValue(
            line: number,
            values.joined(separator: " "),
            of: name,
            expected: expected
        )
    }

    // MARK: - Both

    private static let frameMoments = "at frame-to-chip, frame-to-host or frame-on-air"

    private func check(
        _ action: Scenario.Action,
        _ text: String,
        _ counted: Counted
    ) throws(ScenarioError) {
        let event: FaultScript.Event =
            if case .effect(let effect) = action { effect.event } else { .command }
        let expected: String
        switch (event, counted) {
        case (.exchange, .nothing), (.exchange, .exchanges), (.command, .nothing),
            (.command, .commands), (.command, .exchanges):
            return
        case (.exchange, _):
            expected = "at a time, or at exchange, InDataExchange or InCommunicateThru"
        case (.command, _): expected = "at a time, or at a command or state"
        case (_, .frames): return
        default: expected = Self.frameMoments
        }
        throw .wrongMoment(line: number, action: text, expected: expected)
    }
}

extension Duration {
    /// A time as scenarios write it: `300ms`, `1.5s`, `2min`, `1h`.
    init?(scenario word: String) {
        let units: [(String, Double)] = [
            ("ms", 1), ("min", 60_000), ("s", 1_000), ("h", 3_600_000),
        ]
        guard let (unit, milliseconds) = units.first(where: { word.hasSuffix($0.0) }),
            let number = Double(word.dropLast(unit.count)), number >= 0,
            number * milliseconds <= 1e12
        else { return nil }
        self = .milliseconds(Int64((number * milliseconds).rounded()))
    }
}
