import Bytes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The words for one virtual tag: `nbt:expired,uid=058c3fd9d4b200`.
///
/// A kind takes the options it knows; what is left at the end was written by mistake.
struct TagDescription {
    /// The whole text, for messages.
    let text: String
    /// The word before the colon.
    let kind: String
    private var options: [(name: String, value: String?)]

    init(_ text: String) {
        self.text = text
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        kind = parts.first.map { $0.lowercased() } ?? ""
        options = parts.dropFirst().flatMap { $0.split(separator: ",") }.map { word in
            let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (
                pair.first.map { $0.lowercased() } ?? "", pair.dropFirst().first.map(String.init)
            )
        }
    }

    /// Whether the word stands among the options.
    mutating func takeFlag(_ name: String) throws(TagCatalogError) -> Bool {
        guard let option = take(name) else { return false }
        guard option.value == nil else {
            throw .invalidValue(option: name, of: text, expected: "no value")
        }
        return true
    }

    /// The value after `name=`, or nil when the option is not there.
    mutating func takeValue(
        _ name: String,
        expected: String
    ) throws(TagCatalogError) -> String? {
        guard let option = take(name) else { return nil }
        guard let value = option.value, !value.isEmpty else {
            throw .invalidValue(option: name, of: text, expected: expected)
        }
        return value
    }

    /// The bytes after `name=`, in hexadecimal, or nil when the option is not there.
    mutating func takeBytes(_ name: String) throws(TagCatalogError) -> Data? {
        let expected = "bytes in hexadecimal"
        guard let value = try takeValue(name, expected: expected) else { return nil }
        guard let bytes = Data(hex: value), !bytes.isEmpty else {
            throw .invalidValue(option: name, of: text, expected: expected)
        }
        return bytes
    }

    /// The UID after `uid=`: bytes in hexadecimal, or `random`.
    mutating func takeUID() throws(TagCatalogError) -> TagUID? {
        let expected = "bytes in hexadecimal, or random"
        guard let value = try takeValue("uid", expected: expected) else { return nil }
        if value == "random" { return .random }
        guard let bytes = Data(hex: value) else {
            throw .invalidValue(option: "uid", of: text, expected: expected)
        }
        return .fixed(bytes)
    }

    /// Refuses what no kind has taken.
    func checkNothingLeft() throws(TagCatalogError) {
        if let option = options.first { throw .unknownOption(option.name, of: text) }
    }

    private mutating func take(_ name: String) -> (name: String, value: String?)? {
        guard let index = options.firstIndex(where: { $0.name == name }) else { return nil }
        return options.remove(at: index)
    }
}
