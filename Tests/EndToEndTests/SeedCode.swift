import Foundation
import TestSupport
import Testing

/// The Swift code of a document of `../shared/seeds`: session code of an iPhone app, as its author published it.
struct SeedCode {
    let text: String

    /// Whether the documents are there; they are no part of this package.
    static let isThere = FileManager.default.fileExists(atPath: folder.path)

    private static let folder = Example.package.appending(path: "../shared/seeds")

    /// The code of the document whose file name begins with `number`.
    init(_ number: String) throws {
        text = Self.code(in: try Self.document(number).components(separatedBy: "\n"))
        try #require(!text.isEmpty, "no Swift code in document \(number)")
    }

    /// The whole text of the document whose file name begins with `number`.
    static func document(_ number: String) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let name = try #require(names.first { $0.hasPrefix(number + "_") })
        return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private init(text: String) { self.text = text }

    /// From the first import to the end of the last declaration that follows without other text between.
    private static func code(in lines: [String]) -> String {
        let starts = ["import ", "class ", "public class ", "extension ", "@objc"]
        var code: [String] = []
        var depth = 0
        for line in lines.drop(while: { !$0.hasPrefix("import ") }) {
            let isCode = depth > 0 || line.isEmpty || starts.contains { line.hasPrefix($0) }
            guard isCode else { break }
            code.append(line)
            depth += line.filter { $0 == "{" }.count - line.filter { $0 == "}" }.count
        }
        return code.joined(separator: "\n")
    }

    /// The code without the lines that are about the screen (UIKit) and Objective-C, for neither of which there is a
    /// counterpart on Linux; the rest is as it was.
    func withoutUIKit() -> SeedCode {
        let alert = "[ \t]*let alertController = UIAlertController\\([\\s\\S]*?completion: nil\\)\n"
        let didLoad = "[ \t]*override func viewDidLoad\\(\\) \\{[\\s\\S]*?\\}\n"
        return replacing("import UIKit\n", with: "")
            .replacing(alert, with: "")
            .replacing(didLoad, with: "")
            .replacing("@IBAction ", with: "")
            .replacing("@objc\\(\\w+\\)\n", with: "")
            .replacing("@objc ", with: "")
            // The superclass is a screen's; an NSObject is what the delegate protocol asks for.
            .replacing(": UIViewController \\{", with: ": NSObject {")
    }

    /// The code with the bytes of a constant filled in, as its author asks the reader to do.
    func filling(_ constant: String, with bytes: Data) -> SeedCode {
        let list = bytes.map { String($0) }.joined(separator: ", ")
        return replacing(
            "let \(constant): \\[UInt8\\] = \\[[^\\]]*\\]",
            with: "let \(constant): [UInt8] = [\(list)]"
        )
    }

    private func replacing(_ pattern: String, with text: String) -> SeedCode {
        SeedCode(
            text: self.text.replacingOccurrences(
                of: pattern,
                with: text,
                options: .regularExpression
            )
        )
    }
}

/// The calls that session code makes, in the order in which they stand in its text.
enum SessionCalls {
    private static let names =
        "readingAvailable|NFCTagReaderSession\\(|alertMessage =|begin\\(\\)|restartPolling\\(\\)"
        + "|invalidate\\(\\)|invalidate\\(errorMessage:|connect\\(to:|NFCISO7816APDU|sendCommand\\("
        + "|\\.iso7816|\\.miFare|asyncAfter|tags\\.first|onNFCFoundCallback\\?\\("
        + "|tagReaderSessionDidBecomeActive|didInvalidateWithError|didDetect"

    /// The calls in `code`, comments left out.
    static func list(_ code: String) throws -> [String] {
        let code = code.replacingOccurrences(
            of: "//[^\n]*",
            with: "",
            options: .regularExpression
        )
        let expression = try NSRegularExpression(pattern: names)
        let range = NSRange(code.startIndex..., in: code)
        return expression.matches(in: code, range: range).compactMap { match in
            Range(match.range, in: code).map { String(code[$0]) }
        }
    }
}
