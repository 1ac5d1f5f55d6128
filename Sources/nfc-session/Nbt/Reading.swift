import NBT

/// Something that was read from a tag, or why the tag did not tell it.
enum Reading<Value> {
    case known(Value)
    /// The text says why, as a sentence.
    case refused(String)

    /// Reads with `body`; what the tag refuses, or answers wrongly, is kept as such.
    ///
    /// - Throws: what is no fault of the tag's answer: it was lost, or the reader failed.
    init(_ body: () async throws -> Value) async throws {
        do {
            self = .known(try await body())
        } catch let error as NbtError {
            self = .refused("\(error)")
        }
    }

    /// What was read.
    var value: Value? { if case .known(let value) = self { value } else { nil } }

    /// Why there is nothing.
    var refusal: String? { if case .refused(let text) = self { text } else { nil } }

    /// What was read as JSON, or an object that says why not.
    func json(_ body: (Value) -> JSON) -> JSON {
        switch self {
        case .known(let value): body(value)
        case .refused(let text): .object(["refused": .string(text)])
        }
    }

    /// What was read as text, or why not.
    func text(_ body: (Value) -> String) -> String {
        switch self {
        case .known(let value): body(value)
        case .refused(let text): "refused: \(text)"
        }
    }
}

extension Reading: Sendable where Value: Sendable {}
