import Bytes
import Glibc

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A password or key that a command may need, with the ways to give it.
///
/// The command line is none of them: every user of the computer can read it.
struct Secret: Sendable {
    /// What it is called in messages.
    let name: String
    /// The option that names its file.
    let option: Option
    /// The environment variable that may hold it.
    let variable: String
    /// How many bytes it has.
    let length: Int
    /// Whether the tag is to learn it, so that nothing else would show a slip of the finger: it is asked for twice.
    var isNew = false

    /// Reads it, before the reader is touched: from its file, else from the environment; nil where it was not given.
    func optional(_ arguments: Arguments, _ output: Output) async throws -> Data? {
        if let path = arguments.value(of: option) {
            return path == "-" ? try await standardInput() : try file(path, output)
        }
        let text = ProcessInfo.processInfo.environment[variable, default: ""]
        return text.isEmpty ? nil : try parse(text, from: variable)
    }

    /// Reads it, and asks for it where it was not given.
    func required(_ arguments: Arguments, _ output: Output) async throws -> Data {
        if let secret = try await optional(arguments, output) { return secret }
        guard StandardInput.isTerminal else {
            throw Failure.secret(
                "the \(name) is missing: give it with \(option.synopsis) or in \(variable)"
            )
        }
        return try await prompt()
    }

    private func standardInput() async throws -> Data {
        guard !StandardInput.isTerminal else { return try await prompt() }
        guard let line = try await StandardInput.line() else {
            throw Failure.secret("the \(name) is missing on standard input")
        }
        return try parse(line, from: "standard input")
    }

    private func prompt() async throws -> Data {
        let question = "The \(name), \(length * 2) hexadecimal digits: "
        let line = try await StandardInput.line(asking: question, isHidden: true)
        let secret = try parse(line ?? "", from: "the terminal")
        guard isNew else { return secret }
        let again = try await StandardInput.line(asking: "Once more: ", isHidden: true)
        guard try parse(again ?? "", from: "the terminal") == secret else {
            throw Failure.secret("the \(name) was typed in two ways")
        }
        return secret
    }

    private func file(_ path: String, _ output: Output) throws -> Data {
        let content = try Data(file: path)
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & (S_IRGRP | S_IROTH) != 0
        {
            output.notice("others can read \(path): chmod 600 \(path)")
        }
        let line = content.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return try parse(String(decoding: line, as: UTF8.self), from: path)
    }

    /// What was given is never repeated in a message: it may be the right one with a slip.
    private func parse(_ text: String, from source: String) throws(Failure) -> Data {
        guard let secret = Data(hex: text), secret.count == length else {
            throw .secret("the \(name) from \(source) is not \(length * 2) hexadecimal digits")
        }
        return secret
    }
}
