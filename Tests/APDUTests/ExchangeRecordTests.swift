import APDU
import Foundation
import TestSupport
import Testing

/// What a log may show of a command: facts/nbt.md, 3.5 row 11.
@Suite struct ExchangeRecordTests {
    static let password = "11223344"

    @Test(
        "passwords and keys never reach the log",
        arguments: [
            "00A4000C08E10452041122334400",  // SELECT with read password
            "00A4000C08E10454041122334400",  // SELECT with write password
            "00A4000C0EE10452041122334454041122334400",  // SELECT with both
            "00E10000091F1122334401020003",  // CREATE PASSWORD
            "00E4001F0411223344",  // DELETE PASSWORD
            "002400410411223344",  // CHANGE PASSWORD
            "0024001F0411223344",  // UNBLOCK PASSWORD
            "00E2000007A0020411223344",  // PERSONALIZE DATA
            "20200000071122334400FFFF",  // SET CONFIGURATION
            "002000810411223344",  // VERIFY
            "002C00810411223344",  // RESET RETRY COUNTER
        ]
    )
    func secretCommands(text: String) throws {
        let record = ExchangeRecord(
            try CommandAPDU(encoded: hex(text)),
            ResponseAPDU(statusWord: .ok),
            duration: .zero
        )
        #expect(!record.description.contains(Self.password))
        #expect(record.command.contains("bytes hidden"))
        #expect(record.command.hasPrefix(text.prefix(8).lowercased()))
        #expect(record.response == "9000")
    }

    @Test(
        "signatures and password responses never reach the log",
        arguments: ["0088000004DEADBEEF00", "00A4000C08E10452041122334400"]
    )
    func secretAnswers(text: String) throws {
        let response = ResponseAPDU(data: hex("3044AA55"), statusWord: .ok)
        let record = ExchangeRecord(
            try CommandAPDU(encoded: hex(text)),
            response,
            duration: .zero
        )
        #expect(record.response == "(4 bytes hidden) 9000")
    }

    @Test(
        "what is no secret is shown whole",
        arguments: [
            ("00A4040007D276000085010100", "00a40400 d2760000850101 Le=256"),
            ("00A4000C02E104", "00a4000c e104"),
            ("00B003001B", "00b00300 Le=27"),
            ("00D6000001EE", "00d60000 ee"),
            ("00E40001", "00e40001"),
            ("00A4000C08E10452041122334400", "00a4000c e104 (6 bytes hidden) Le=256"),
        ]
    )
    func shown(text: String, command: String) throws {
        let record = ExchangeRecord(
            try CommandAPDU(encoded: hex(text)),
            nil,
            duration: .zero
        )
        #expect(record.command == command)
    }

    @Test("an exchange reads as one line")
    func line() throws {
        let command = try CommandAPDU(encoded: hex("00B0000001"))
        let response = ResponseAPDU(data: hex("EE"), statusWord: .ok)
        let good = ExchangeRecord(command, response, duration: .microseconds(12_345))
        #expect("\(good)" == "00b00000 Le=1 -> ee 9000 (12.3 ms)")
        let lost = ExchangeRecord(command, nil, duration: .milliseconds(999.96))
        #expect("\(lost)" == "00b00000 Le=1 -> no answer (1000.0 ms)")
    }
}
