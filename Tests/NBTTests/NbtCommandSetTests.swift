import APDU
import Foundation
import NBT
import TestSupport
import Testing

@Suite struct NbtCommandSetTests {
    static let selectApplication = "00A4040007D276000085010100"

    @Test("selecting the application makes it known as selected")
    func selectApplication() async throws {
        try await withScript([(Self.selectApplication, "9000")]) { commandSet in
            #expect(await commandSet.selectedApplication == nil)
            try await commandSet.selectApplication()
            #expect(await commandSet.selectedApplication == hex("D2760000850101"))
            // Known now, so nothing is sent.
            try await commandSet.selectApplicationIfNeeded()
        }
    }

    @Test("an application that the session selected is not selected again")
    func alreadySelected() async throws {
        try await withScript([], selectedApplication: NbtConstants.aid) { commandSet in
            try await commandSet.selectApplicationIfNeeded()
        }
    }

    @Test("another application that the session selected does not count")
    func otherSelected() async throws {
        let script = [(Self.selectApplication, "9000")]
        try await withScript(script, selectedApplication: hex("0102030405")) { commandSet in
            try await commandSet.selectApplicationIfNeeded()
            #expect(await commandSet.selectedApplication == NbtConstants.aid)
        }
    }

    @Test("after a failed SELECT nothing counts as selected", arguments: ["6A82", "6700", "lost"])
    func failedSelect(answer: String) async throws {
        let script = [(Self.selectApplication, answer)]
        try await withScript(script, selectedApplication: NbtConstants.aid) { commandSet in
            await #expect(throws: (any Error).self) { try await commandSet.selectApplication() }
            #expect(await commandSet.selectedApplication == nil)
        }
    }

    @Test("a bad status word is an error with the command's name and what it means there")
    func status() async throws {
        try await withScript([("00A4000C02E105", "6A82")]) { commandSet in
            let error = NbtError.status(.selectFile, .notFound)
            await #expect(throws: error) { try await commandSet.selectFile(fileId: 0xE105) }
            #expect(
                "\(error)".hasPrefix("SELECT file answered 6A82: the tag has no such file. Give E1")
            )
        }
        let noKey = NbtError.status(.authenticateTag, .conditionsNotSatisfied)
        #expect("\(noKey)".contains("no private key"))
        let unknown = NbtError.status(.readBinary, StatusWord(rawValue: 0x6581))
        #expect("\(unknown)" == "READ BINARY answered 6581: execution error, memory failure.")
    }

    @Test("the channel's error passes through")
    func lost() async throws {
        try await withScript([("00B0000001", "lost")]) { commandSet in
            await #expect(throws: ScriptedChannel.Lost()) {
                try await commandSet.readBinary(offset: 0, expectedLen: 1)
            }
        }
    }

    @Test("a real chip's exchanges are followed (vector 133)")
    func realChip() async throws {
        try await withScript([
            (Self.selectApplication, "9000"), ("00A4000C02E1A1", "9000"),
            ("00D6000001EE", "9000"), ("00B0000001", "EE9000"),
        ]) { commandSet in
            try await commandSet.selectApplication()
            try await commandSet.selectFile(fileId: 0xE1A1)
            try await commandSet.updateBinary(offset: 0, data: hex("EE"))
            #expect(try await commandSet.readBinary(offset: 0, expectedLen: 1) == hex("EE"))
        }
    }

    @Test("fewer bytes than asked for are returned, more are refused")
    func readLength() async throws {
        try await withScript([("00B0000004", "01029000"), ("00B0000002", "0102039000")]) {
            commandSet in
            let short = try await commandSet.readBinary(offset: 0, expectedLen: 4)
            #expect(short == hex("0102"))
            await #expect(
                throws: NbtError.unexpectedLength(.readBinary, count: 3, expected: 0...2)
            ) {
                try await commandSet.readBinary(offset: 0, expectedLen: 2)
            }
        }
    }

    @Test("the signature comes back as the tag gives it")
    func authenticate() async throws {
        let script = [("0088000008010203040506070800", "3006020101020101 9000")]
        try await withScript(script) { commandSet in
            let signature = try await commandSet.authenticateTag(
                challenge: hex("0102030405060708")
            )
            #expect(signature == hex("3006020101020101"))
        }
    }

    @Test("password responses come back in the order of the passwords")
    func passwordResponses() async throws {
        try await withScript([
            ("00A4000C08E10452041122334400", "01029000"),
            ("00A4000C0EE1045204112233445404AABBCCDD00", "010203049000"),
            // The file asks for no password.
            ("00A4000C08E10452041122334400", "9000"),
        ]) { commandSet in
            let password = hex("11223344")
            let read = try await commandSet.selectFile(
                fileId: 0xE104,
                readPassword: password,
                writePassword: nil
            )
            #expect(read == hex("0102"))
            let both = try await commandSet.selectFile(
                fileId: 0xE104,
                readPassword: password,
                writePassword: hex("AABBCCDD")
            )
            #expect(both == hex("01020304"))
            let none = try await commandSet.selectFile(
                fileId: 0xE104,
                readPassword: password,
                writePassword: nil
            )
            #expect(none.isEmpty)
        }
    }

    @Test(
        "a response that no password has means a wrong or blocked password",
        arguments: [("0000", 0x0000), ("FFFF", 0xFFFF), ("01020000", 0x0000)]
            as [(String, UInt16)]
    )
    func rejected(answer: String, response: UInt16) async throws {
        try await withScript([
            ("00A4000C0EE1045204112233445404AABBCCDD00", answer + "9000")
        ]) { commandSet in
            await #expect(throws: NbtError.passwordRejected(response: response)) {
                try await commandSet.selectFile(
                    fileId: 0xE104,
                    readPassword: hex("11223344"),
                    writePassword: hex("AABBCCDD")
                )
            }
        }
    }

    @Test("an impossible number of response bytes is refused", arguments: ["01", "010203"])
    func responseLength(answer: String) async throws {
        let script = [("00A4000C08E10452041122334400", answer + "9000")]
        try await withScript(script) { commandSet in
            let error = NbtError.unexpectedLength(
                .selectFile,
                count: answer.count / 2,
                expected: 0...2
            )
            await #expect(throws: error) {
                try await commandSet.selectFile(
                    fileId: 0xE104,
                    readPassword: hex("11223344"),
                    writePassword: nil
                )
            }
        }
    }

    @Test("a cancelled task sends nothing more")
    func cancelled() async throws {
        try await withScript([]) { commandSet in
            let task = Task {
                // Cancelled from within, so that the test need not race against the exchange.
                withUnsafeCurrentTask { $0?.cancel() }
                try await commandSet.selectApplication()
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}
