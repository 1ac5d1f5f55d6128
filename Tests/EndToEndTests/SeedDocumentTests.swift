import Foundation
import TestSupport
import Testing
import VirtualReader

/// Session code that was published for iPhones, taken from the text, built against this CoreNFC and run.
@Suite(
    .serialized,
    .enabled(if: SeedCode.isThere, "needs the documents in ../shared/seeds"),
    .enabled(if: ClientCompiler.path != nil, "needs swiftc in PATH")
)
struct SeedDocumentTests {
    /// VERIFY and READ BINARY of the virtual employee card (ISO 7816-4).
    private func employeeCardCode() throws -> SeedCode {
        try SeedCode("002").withoutUIKit()
            .filling("verify", with: hex("0020008104") + Data("1234".utf8))
            .filling("readBinary", with: hex("00b0810000"))
    }

    @Test("The employee card's code refuses two tags, and reads a card of type B")
    func employeeCard() async throws {
        let main = """
            let controller = ViewController()
            controller.scanStart(controller)
            """
        let program = try await ClientCompiler.build(try employeeCardCode().text, main: main)
        defer { program.remove() }
        let application = try EmployeeCardApplication(content: Data("NUMBER 4711".utf8))
        let card = try TypeBTag(application: application)
        let (ntag, other) = (try Type2Tag(), try Type2Tag(uid: .fixed(hex("04112233445566"))))
        try await withField([ntag, other]) { reader in
            let running = try program.start(on: reader, aid: EmployeeCardApplication.sampleAID)
            defer { running.kill() }
            let detected = "tagReaderSession(_:didDetect:) tag.count: "
            #expect(try await running.nextLine() == "tagReaderSessionDidBecomeActive(_:)")
            #expect(try await running.nextLine() == detected + "2")
            reader.remove(other)
            reader.swap(ntag, for: card)
            _ = try await running.line(containing: detected + "1")
            let expected = [
                // 9000 after VERIFY and after READ BINARY.
                "sw1=144 sw2=0", "sw1=144 sw2=0",
                "NUMBER 4711",
                "tagReaderSession(_:didInvalidateWithError:)",
            ]
            for line in expected { #expect(try await running.nextLine() == line) }
            #expect(try await running.nextLine().hasPrefix("code: "))
            #expect(try await running.nextLine() == "sessionを破棄しました")
        }
    }

    @Test("The UID scanner's code calls back with the UID")
    func uidScanner() async throws {
        // The callback is set by the author's script in another language.
        let main = """
            let scanner = NFCScanningControlBridge()
            scanner.onNFCFoundCallback = { print("Tag found: " + $0) }
            """
        let code = try SeedCode("004").withoutUIKit().text
        let program = try await ClientCompiler.build(code, main: main)
        defer { program.remove() }
        try await withField([try Type2Tag(uid: .fixed(hex("04112233445566")))]) { reader in
            let running = try program.start(on: reader)
            defer { running.kill() }
            let expected = ["CaptureNFC", "Session Begun!", "UID: 04112233445566", "7 bytes"]
            for line in expected { #expect(try await running.nextLine() == line) }
            // The end of the session and the callback are on two queues.
            let rest = Set([try await running.nextLine(), try await running.nextLine()])
            #expect(rest == ["Error with Launching Session", "Tag found: 04112233445566"])
        }
    }
}

/// The examples against the documents whose job they do.
@Suite(.enabled(if: SeedCode.isThere, "needs the documents in ../shared/seeds"))
struct ExampleCallsTests {
    /// What an example has beyond its document is listed: ends for cases that the document leaves open.
    @Test(
        "An example makes the calls of its document, in its order",
        arguments: [
            ("002", "EmployeeCard/EmployeeCardReader.swift", 27, []),
            ("004", "UIDScanner/UIDScanner.swift", 14, ["invalidate(errorMessage:"]),
        ] as [(String, String, Int, [String])]
    )
    func calls(document: String, file: String, count: Int, beyond: [String]) throws {
        let example = try String(
            contentsOf: Example.package.appending(path: "Examples/" + file),
            encoding: .utf8
        )
        let calls = try SessionCalls.list(try SeedCode(document).text)
        #expect(calls.count == count)
        let difference = try SessionCalls.list(example).difference(from: calls)
        #expect(difference.removals.isEmpty, "\(difference.removals)")
        let added = difference.insertions.map { change in
            if case .insert(_, let call, _) = change { call } else { "" }
        }
        #expect(added == beyond)
    }

    /// Document 000 has no code; it names types and methods.
    @Test(
        "The brand protection example is made of what its document names",
        arguments: [
            (
                "startNFCTagReaderSession(withAlertMessage:",
                "Examples/BrandProtection/ProductVerifier"
            ),
            ("NFCSessionManager", "Examples/BrandProtection/ProductVerifier"),
            ("BpUseCaseManager", "Examples/BrandProtection/ProductVerifier"),
            ("performBrandVerification()", "Examples/BrandProtection/ProductVerifier"),
            ("NFCTagReaderSessionDelegate", "Sources/NFCSession/NFCSessionManager"),
            (".begin()", "Sources/NFCSession/NFCSessionManager"),
            ("didDetect", "Sources/NFCSession/NFCSessionManager"),
            ("NfcChannel", "Sources/NFCSession/NFCSessionManager"),
            ("ApduChannel", "Sources/NFCSession/NFCSessionManager"),
            ("NbtCommandSet", "Sources/NFCSession/NFCSessionManager"),
            ("didInvalidateWithError", "Sources/NFCSession/NFCSessionManager"),
        ]
    )
    func names(name: String, file: String) throws {
        #expect(try SeedCode.document("000").contains(name))
        let source = try String(
            contentsOf: Example.package.appending(path: file + ".swift"),
            encoding: .utf8
        )
        let code = source.replacingOccurrences(
            of: "//[^\n]*",
            with: "",
            options: .regularExpression
        )
        #expect(code.contains(name))
    }
}
