import CoreNFC
import Foundation
import NFCReader
import NFCSession
import TestSupport
import VirtualReader

/// Runs sessions, kills each at another moment, and prints what is left of them: threads and descriptors before and
/// after, the slowest end in milliseconds, and how often the field stayed on.
func probeKills(_ sessions: Int) async throws {
    // The first sessions bring up what stays for the life of the process: queues, pools, libnfc's context.
    _ = try await killSessions(12)
    let before = Resources.now
    let outcome = try await killSessions(sessions)
    let after = await Resources.settled(at: before)
    print(
        """
        {"sessions":\(sessions),"slowestMilliseconds":\(outcome.slowest),"fieldsLeftOn":\(outcome.fieldsLeftOn),\
        \(Resources.json(before: before, after: after)),"lostInterrupts":\(Reader.lostInterrupts)}
        """
    )
}

struct Outcome {
    var slowest = 0
    var fieldsLeftOn = 0
}

func killSessions(_ count: Int) async throws -> Outcome {
    var outcome = Outcome()
    let reader = try VirtualReader(timing: .real)
    defer { reader.close() }
    // A card whose AUTHENTICATE, like every command, takes its time, so that kills hit exchanges too.
    let slow = InterceptedApplication(try Type4Application()) { _, _ in .delay(.milliseconds(400)) }
    reader.place(try ISODEPTag(uid: .fixed(Data([5, 1, 2, 3, 4, 5, 6])), application: slow))
    for number in 0..<count {
        let delay = Duration.milliseconds(number * 37 % 400)
        let end: ContinuousClock.Instant
        if number.isMultiple(of: 2) {
            end = try await killMonitor(reader, after: delay)
        } else {
            end = await killSession(reader, after: delay)
        }
        outcome.slowest = max(outcome.slowest, Int(end.duration(to: .now) / .milliseconds(1)))
        if try await staysOn(reader) { outcome.fieldsLeftOn += 1 }
    }
    return outcome
}

/// Whether the field is on for two seconds after the end.
///
/// A session that is ended while its reader is being opened is told
/// so after 250 ms, and on a machine that is busy otherwise the opening may take longer.
func staysOn(_ reader: VirtualReader) async throws -> Bool {
    for _ in 0..<100 where reader.isFieldOn { try await Task.sleep(for: .milliseconds(20)) }
    return reader.isFieldOn
}

/// Cancels the task of a monitor; the moment of the kill.
func killMonitor(_ reader: VirtualReader, after delay: Duration) async throws
    -> ContinuousClock.Instant
{
    let monitor = TagMonitor(TagMonitor.Configuration(reader: reader.connectionString))
    let task = Task { try await monitor.run { _ in } }
    try await Task.sleep(for: delay)
    let kill = ContinuousClock.now
    task.cancel()
    try await task.value
    return kill
}

/// Invalidates a session, which may be in the middle of an exchange; the moment of the kill.
func killSession(_ reader: VirtualReader, after delay: Duration) async -> ContinuousClock.Instant {
    var configuration = NFCSessionConfiguration()
    configuration.reader = reader.connectionString
    configuration.iso7816SelectIdentifiers = ["D2760000850101"]
    configuration.presenter = .none
    let client = Client()
    let session = NFCTagReaderSession(
        pollingOption: .iso14443,
        delegate: client,
        sessionConfiguration: configuration
    )
    session.begin()
    try? await Task.sleep(for: delay)
    let kill = ContinuousClock.now
    session.invalidate()
    for await _ in client.end { break }
    return kill
}

/// Reads the file of every tag it gets, and waits for the end.
final class Client: NSObject, NFCTagReaderSessionDelegate, Sendable {
    let end: AsyncStream<Void>
    private let input: AsyncStream<Void>.Continuation

    override init() {
        (end, input) = AsyncStream.makeStream()
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(
        _ session: NFCTagReaderSession,
        didInvalidateWithError error: any Error
    ) {
        input.yield()
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard case .iso7816(let tag)? = tags.first else { return }
        let select = NFCISO7816APDU(
            instructionClass: 0x00,
            instructionCode: 0xA4,
            p1Parameter: 0x00,
            p2Parameter: 0x0C,
            data: Data([0xE1, 0x04]),
            expectedResponseLength: -1
        )
        tag.sendCommand(apdu: select) { _, _, _, _ in }
    }
}
