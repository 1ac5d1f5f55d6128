import APDU
import Bytes
import Foundation
import Synchronization
import TestSupport
import Testing

/// 61xx and 6Cxx of other tags (ISO 7816-4, 5.1 and 7.6.1).
@Suite struct FollowUpTests {
    private func send(
        _ command: String,
        _ script: [(command: String, answer: String)],
        followsUp: Bool = true,
        log: (@Sendable (ExchangeRecord) -> Void)? = nil
    ) async throws -> ResponseAPDU {
        let channel = ListChannel(script)
        let response = try await ApduChannel(channel: channel, followsUp: followsUp, log: log)
            .send(try CommandAPDU(encoded: hex(command)))
        #expect(channel.isUsedUp)
        return response
    }

    @Test("the rest of an answer is fetched after 61xx")
    func remaining() async throws {
        let response = try await send(
            "00B0000000",
            [
                ("00B0000000", "01026103"), ("00C0000003", "030461 00"), ("00C0000000", "059000"),
            ]
        )
        #expect(response.data == hex("0102030405"))
        #expect(response.statusWord == .ok)
    }

    @Test("a command is repeated once with the Le of 6Cxx")
    func exactLength() async throws {
        let response = try await send(
            "00B0000000",
            [("00B0000000", "6C02"), ("00B0000002", "AABB9000")]
        )
        #expect(response.data == hex("AABB"))
        let refused = try await send(
            "00B0000000",
            [("00B0000000", "6C02"), ("00B0000002", "6C02")]
        )
        #expect(refused.statusWord.exactLength == 2)
    }

    @Test("the logical channel of the command is kept, its other bits are not")
    func logicalChannel() async throws {
        for (command, follow) in [
            ("03B0000000", "03C0000001"), ("0FB0000000", "03C0000001"),
            ("45B0000000", "45C0000001"), ("80B0000000", "00C0000001"),
        ] {
            let response = try await send(command, [(command, "6101"), (follow, "EE9000")])
            #expect(response.data == hex("EE"))
        }
    }

    @Test("an error after 61xx is the answer's status word")
    func error() async throws {
        let response = try await send(
            "00B0000000",
            [("00B0000000", "016101"), ("00C0000001", "6F00")]
        )
        #expect(response.statusWord == .unknownError)
    }

    @Test("a tag that never comes to an end is left")
    func endless() async throws {
        await #expect(throws: APDUError.endlessAnswer(count: 1)) {
            _ = try await send("00B0000000", [("00B0000000", "016101"), ("00C0000001", "6101")])
        }
    }

    @Test("without being told to, nothing is followed up")
    func off() async throws {
        let response = try await send(
            "00B0000000",
            [("00B0000000", "016101")],
            followsUp: false
        )
        #expect(response.statusWord.remainingBytes == 1)
        #expect(response.data == hex("01"))
    }

    @Test("the rest of a secret answer stays out of the log")
    func log() async throws {
        let lines = Lines()
        _ = try await send(
            "0088000001AA00",
            [("0088000001AA00", "DEAD6102"), ("00C0000002", "BEEF9000")],
            log: { lines.append("\($0)") }
        )
        #expect(lines.all.count == 2)
        #expect(!lines.all.joined().contains("dead"))
        #expect(!lines.all.joined().contains("beef"))
    }

    @Test("vector 58: an appended response has all data and the newer status word")
    func append() throws {
        let first = try ResponseAPDU(encoded: hex("01029000"))
        let second = try ResponseAPDU(encoded: hex("03046A82"))
        let both = first.appending(second)
        #expect(both.data == hex("01020304"))
        #expect(both.statusWord == .notFound)
        #expect(try both.checkSW(.notFound) == both)
        #expect(throws: APDUError.unexpectedStatus(.notFound)) { try both.checkOK() }
    }
}

/// Answers from a list, each to its own command.
private final class ListChannel: Channel {
    struct Unexpected: Error {}

    let name = "list"
    let maximumCommandLength = 261
    let maximumAnswerLength = 258
    let isConnected = true
    private let rest: Mutex<[(command: String, answer: String)]>

    init(_ script: [(command: String, answer: String)]) { rest = Mutex(script) }

    var isUsedUp: Bool { rest.withLock { $0.isEmpty } }

    func connect() async throws -> Data { Data() }
    func disconnect() async {}

    func transmit(_ command: Data) async throws -> Data {
        let step = rest.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let step, hex(step.command) == command else {
            Issue.record("\(command.hex) was not expected")
            throw Unexpected()
        }
        return hex(step.answer)
    }
}

private final class Lines: Sendable {
    private let lines = Mutex([String]())
    var all: [String] { lines.withLock { $0 } }
    func append(_ line: String) { lines.withLock { $0.append(line) } }
}
