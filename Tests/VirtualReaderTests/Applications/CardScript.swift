import Bytes
import TestSupport
import Testing
import VirtualReader

/// One command and its whole answer, in hex with blanks where they help the reader.
struct Step: Sendable {
    let command: String
    let answer: String

    init(_ command: String, _ answer: String) {
        self.command = command
        self.answer = answer
    }
}

/// A card's history and what it must answer next.
struct CardCase: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]

    init(_ name: String, _ steps: [Step]) {
        self.name = name
        self.steps = steps
    }

    var testDescription: String { name }
}

/// Sends the commands in order and compares each answer.
func expect(
    _ card: some CardApplication,
    answers steps: [Step],
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for (index, step) in steps.enumerated() {
        #expect(
            card.respond(to: hex(step.command)).hex == hex(step.answer).hex,
            "step \(index + 1): \(step.command)",
            sourceLocation: sourceLocation
        )
    }
}
