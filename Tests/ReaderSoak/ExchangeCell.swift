import CoreNFC
import Foundation
import NFCReader
import VirtualReader

/// A fault that strikes the exchange of a session with its tag.
struct ExchangeCell {
    private let fault: MatrixFault

    init(_ fault: MatrixFault) {
        self.fault = fault
    }

    func run() async throws -> FaultMatrix.Outcome {
        let desk = try Desk()
        desk.reader.place(
            try ISODEPTag(
                uid: .fixed(Data([0x04, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06])),
                application: Type4Application()
            )
        )
        let client = SessionClient()
        let session = client.makeSession(on: desk.connectionString)
        session.begin()
        defer { session.invalidate() }
        guard await client.wait(for: [.detected], within: .seconds(10)) == .detected else {
            return .bad("no tag at first")
        }
        fault.strike(desk.reader)
        let start = ContinuousClock.now
        client.send()
        let wanted = [SessionClient.Event.answered, .refused]
        let event = await client.wait(for: wanted, within: FaultMatrix.limit)
        let time = start.duration(to: .now)
        guard let event else { return .bad("STUCK") }
        fault.mend(desk.reader)
        // The session must find the tag again, with whatever recovery that takes.
        let mended = ContinuousClock.now
        session.restartPolling()
        let again = await client.wait(for: [.detected], within: .seconds(10))
        let back = mended.duration(to: .now)
        session.invalidate()
        let end = await client.wait(for: [.ended], within: .seconds(10))
        guard again != nil else { return .bad("\(event) \(time.milliseconds), NOT BACK") }
        guard end != nil else { return .bad("NOT ENDED") }
        return FaultMatrix.Outcome(
            text: event == .answered
                ? "\(time.milliseconds)" : "error \(time.milliseconds)+\(back.milliseconds)",
            answer: time
        )
    }
}

/// The client of a session that keeps its reader.
private final class SessionClient: NSObject, NFCTagReaderSessionDelegate, @unchecked Sendable {
    // Unchecked because of `tag`, which is written on the session's queue before the event that `run` waits for.
    enum Event: Sendable {
        case detected, answered, refused, ended
    }

    private let events: AsyncStream<Event>
    private let input: AsyncStream<Event>.Continuation
    private var tag: NFCTag?

    override init() {
        (events, input) = AsyncStream.makeStream()
    }

    func makeSession(on reader: String) -> NFCTagReaderSession {
        var configuration = NFCSessionConfiguration()
        configuration.reader = reader
        configuration.allowsUnlistedApplications = true
        configuration.allowsOtherSessions = true
        configuration.sessionTimeLimit = nil
        configuration.tagTimeLimit = nil
        configuration.presenter = .none
        configuration.recovery = RecoveryPolicy()
        return NFCTagReaderSession(
            pollingOption: .iso14443,
            delegate: self,
            sessionConfiguration: configuration
        )
    }

    /// Selects the NDEF application of the tag.
    func send() {
        guard case .iso7816(let tag)? = tag else { return }
        let select = NFCISO7816APDU(
            instructionClass: 0x00,
            instructionCode: 0xA4,
            p1Parameter: 0x04,
            p2Parameter: 0x00,
            data: Data([0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]),
            expectedResponseLength: 256
        )
        tag.sendCommand(apdu: select) { [input] _, _, _, error in
            input.yield(error == nil ? .answered : .refused)
        }
    }

    func wait(for wanted: [Event], within limit: Duration) async -> Event? {
        let input = input
        let timer = Task {
            try await Task.sleep(for: limit)
            input.finish()
        }
        defer { timer.cancel() }
        for await event in events where wanted.contains(event) { return event }
        return nil
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(
        _ session: NFCTagReaderSession,
        didInvalidateWithError error: any Error
    ) {
        input.yield(.ended)
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let found = tags.first else { return }
        tag = found
        session.connect(to: found) { [input] error in
            guard error == nil else { return session.restartPolling() }
            input.yield(.detected)
        }
    }
}
