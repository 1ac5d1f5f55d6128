/// Why a text is no scenario.
public enum ScenarioError: Error, Equatable {
    /// A line is neither `at WHEN do WHAT` nor `seed NUMBER`, nor empty or a comment.
    case notUnderstood(line: Int, String)
    /// There is no such moment: docs/simulation.md lists them.
    case unknownMoment(line: Int, String)
    /// There is no such action: docs/simulation.md lists them.
    case unknownAction(line: Int, String)
    /// A word that follows an action is not what it takes; `expected` says what that is.
    case invalidValue(line: Int, String, of: String, expected: String)
    /// The action cannot happen at this moment; `expected` says at which it can.
    case wrongMoment(line: Int, action: String, expected: String)
    /// The tag is not among those the scenario is played with.
    case missingTag(line: Int, String)
}

extension ScenarioError: CustomStringConvertible {
    /// One sentence for people.
    public var description: String {
        switch self {
        case .notUnderstood(let line, let text):
            "line \(line): '\(text)' is neither 'at WHEN do WHAT' nor 'seed NUMBER'"
        case .unknownMoment(let line, let text):
            "line \(line): 'at \(text)' is no moment: write start, a time such as 2s, or what is counted"
                + " (\(ScenarioLine.countedWords.joined(separator: ", "))) and N, N+, every N or P%"
        case .unknownAction(let line, let word):
            "line \(line): '\(word)' is nothing that can happen: use one of "
                + ScenarioLine.actionWords.joined(separator: ", ")
        case .invalidValue(let line, let value, let action, let expected):
            value.isEmpty
                ? "line \(line): '\(action)' takes \(expected)"
                : "line \(line): '\(action)' takes \(expected), not '\(value)'"
        case .wrongMoment(let line, let action, let expected):
            "line \(line): '\(action)' can only happen \(expected)"
        case .missingTag(let line, let name):
            "line \(line): the tag '\(name)' is not among those given"
        }
    }
}
