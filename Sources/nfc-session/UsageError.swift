/// Why a command line cannot be understood.
///
/// The message says what the user should have written.
enum UsageError: Error, Equatable {
    case missingCommand
    case unknownCommand(String)
    case unknownOption(String)
    case missingValue(Option)
    case unexpectedValue(Option)
    case repeatedOption(Option)
    /// An option of every command that means nothing to this one.
    case unexpectedOption(Option)
    case missingOption(Option)
    case missingOperand(String)
    case unexpectedOperand(String)
    /// A value that is not what the option or operand called `name` takes; `expected` says what that is.
    case invalidValue(String, of: String, expected: String)
    /// Two options that exclude each other.
    case conflict(Option, Option)
}

extension UsageError: CustomStringConvertible {
    var description: String {
        switch self {
        case .missingCommand: "a command is missing"
        case .unknownCommand(let name): "there is no command '\(name)'"
        case .unknownOption(let word): "there is no option '\(word)'"
        case .missingValue(let option): "--\(option.name) needs a value: \(option.synopsis)"
        case .unexpectedValue(let option): "--\(option.name) takes no value"
        case .repeatedOption(let option): "--\(option.name) is given twice"
        case .unexpectedOption(let option): "--\(option.name) means nothing here"
        case .missingOption(let option): "\(option.synopsis) is missing"
        case .missingOperand(let synopsis): "\(synopsis) is missing"
        case .unexpectedOperand(let word): "'\(word)' is one word too many"
        case .invalidValue(let value, let name, let expected):
            "'\(value)' does not fit \(name): expected \(expected)"
        case .conflict(let one, let other): "--\(one.name) and --\(other.name) exclude each other"
        }
    }
}
