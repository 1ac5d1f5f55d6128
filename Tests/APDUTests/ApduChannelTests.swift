import APDU
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct ApduChannelTests {
    @Test("a command goes out as its bytes and the answer comes back as a response")
    func exchange() async throws {
        let fixed = FixedChannel(answer: hex("01029000"))
        let command = try CommandAPDU(cla: 0, ins: 0xB0, p1: 0, p2: 0, expectedLength: 256)
        let response = try await ApduChannel(channel: fixed).send(command)
        #expect(response.data == hex("0102"))
        #expect(response.statusWord == .ok)
        #expect(fixed.sent == [hex("00B0000000")])
    }

    @Test("a status word other than 9000 is returned, not thrown")
    func status() async throws {
        let channel = ApduChannel(channel: FixedChannel(answer: hex("6A82")))
        let command = try CommandAPDU(cla: 0, ins: 0xA4, p1: 4, p2: 0)
        #expect(try await channel.send(command).statusWord == .notFound)
    }

    @Test("an answer without status word is an error", arguments: ["", "90"])
    func shortAnswer(text: String) async throws {
        let channel = ApduChannel(channel: FixedChannel(answer: hex(text)))
        let command = try CommandAPDU(cla: 0, ins: 0xA4, p1: 4, p2: 0)
        await #expect(throws: APDUError.responseTooShort(count: text.count / 2)) {
            try await channel.send(command)
        }
    }

    @Test("a command longer than the channel carries is not sent")
    func tooLong() async throws {
        let fixed = FixedChannel(answer: hex("9000"), maximumCommandLength: 10)
        let channel = ApduChannel(channel: fixed)
        let fits = try CommandAPDU(cla: 0, ins: 0xD6, p1: 0, p2: 0, data: Data(count: 5))
        let tooLong = try CommandAPDU(cla: 0, ins: 0xD6, p1: 0, p2: 0, data: Data(count: 6))
        _ = try await channel.send(fits)
        await #expect(throws: APDUError.commandTooLong(count: 11, limit: 10)) {
            try await channel.send(tooLong)
        }
        #expect(fixed.sent == [fits.encoded])
    }

    @Test("the channel's error passes through and the exchange is logged without answer")
    func transportError() async throws {
        let log = Log()
        let channel = ApduChannel(channel: FixedChannel(answer: nil), log: log.append)
        let command = try CommandAPDU(cla: 0, ins: 0xB0, p1: 0, p2: 0, expectedLength: 1)
        await #expect(throws: FixedChannel.Lost()) { try await channel.send(command) }
        #expect(log.records.map(\.response) == [nil])
        #expect(log.records.map(\.command) == ["00b00000 Le=1"])
    }

    @Test("an exchange is logged with its time")
    func logged() async throws {
        let log = Log()
        let slow = FixedChannel(answer: hex("EE9000"), delay: .milliseconds(20))
        let command = try CommandAPDU(cla: 0, ins: 0xB0, p1: 0, p2: 0, expectedLength: 256)
        _ = try await ApduChannel(channel: slow, log: log.append).send(command)
        let record = try #require(log.records.first)
        #expect(record.command == "00b00000 Le=256")
        #expect(record.response == "ee 9000")
        #expect(record.duration >= .milliseconds(20))
    }

    @Test("connecting, asking and disconnecting are the channel's")
    func connection() async throws {
        let fixed = FixedChannel(answer: nil)
        let channel = ApduChannel(channel: fixed)
        #expect(try await channel.connect() == hex("0578807102"))
        #expect(await channel.isConnected)
        await channel.disconnect()
        #expect(await !channel.isConnected)
    }
}

/// A channel that gives one answer to everything, or fails.
private final class FixedChannel: Channel {
    struct Lost: TransportError, Equatable {
        var fault: TransportFault { .tagLost }
    }

    let name = "fixed"
    let maximumCommandLength: Int
    let maximumAnswerLength = 258
    private let answer: Data?
    private let delay: Duration
    private let state = Mutex((sent: [Data](), isConnected: false))

    init(answer: Data?, delay: Duration = .zero, maximumCommandLength: Int = 261) {
        self.answer = answer
        self.delay = delay
        self.maximumCommandLength = maximumCommandLength
    }

    var sent: [Data] { state.withLock { $0.sent } }
    var isConnected: Bool { state.withLock { $0.isConnected } }

    func connect() async throws -> Data {
        state.withLock { $0.isConnected = true }
        return hex("0578807102")
    }

    func disconnect() async { state.withLock { $0.isConnected = false } }

    func transmit(_ command: Data) async throws -> Data {
        state.withLock { $0.sent.append(command) }
        // The time itself is under test.
        if delay > .zero { try await Task.sleep(for: delay) }
        guard let answer else { throw Lost() }
        return answer
    }
}

private final class Log: Sendable {
    private let stored = Mutex([ExchangeRecord]())

    var records: [ExchangeRecord] { stored.withLock { $0 } }

    @Sendable func append(_ record: ExchangeRecord) { stored.withLock { $0.append(record) } }
}
