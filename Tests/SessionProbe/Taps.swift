import CoreNFC
import Foundation
import NFCReader
import Synchronization
import TestSupport
import VirtualReader

/// Taps tags on one session's reader, reads a little of each, takes it away and goes on, and prints memory, threads and
/// descriptors after the first taps and at the end.
func probeTaps(_ taps: Int) async throws {
    let reader = try VirtualReader()
    defer { reader.close() }
    var configuration = NFCSessionConfiguration()
    configuration.reader = reader.connectionString
    configuration.iso7816SelectIdentifiers = ["D2760000850101"]
    configuration.sessionTimeLimit = nil
    configuration.pollPeriod = .milliseconds(1)
    configuration.presenter = .none
    let tapper = Tapper()
    let session = NFCTagReaderSession(
        pollingOption: .iso14443,
        delegate: tapper,
        sessionConfiguration: configuration
    )
    session.begin()
    // The first taps bring up what stays, and fill the allocator's pools.
    let warmUp = 200
    let tags = try tags()
    var (before, start) = (Resources.now, ContinuousClock.now)
    var failures = 0
    for number in 0..<warmUp + taps {
        if number == warmUp { (before, start) = (Resources.now, ContinuousClock.now) }
        let tag = tags[number % tags.count]
        reader.place(tag)
        guard let isAnswered = await tapper.nextReading() else {
            throw SessionEnded(tap: number, error: tapper.error)
        }
        if !isAnswered { failures += 1 }
        reader.remove(tag)
        session.restartPolling()
    }
    let time = ContinuousClock.now - start
    let after = await Resources.settled(at: before)
    session.invalidate()
    await tapper.end()
    print(
        """
        {"taps":\(taps),"failures":\(failures),"millisecondsPerTap":\(time / taps / .milliseconds(1)),\
        \(Resources.json(before: before, after: after)),"lostInterrupts":\(Reader.lostInterrupts)}
        """
    )
}

/// The session ended before the last tap.
private struct SessionEnded: Error {
    let tap: Int
    let error: (any Error)?
}

/// Tags of every kind that this session reports.
private func tags() throws -> [any VirtualTag] {
    [
        try ISODEPTag(application: try Type4Application()),
        try TypeBTag(application: try Type4Application()),
        try Type2Tag(),
        try ISODEPTag(uid: .random, application: try Type4Application()),
        try MifareClassicTag(),
    ]
}

/// Sends every tag a command and tells whether it was answered.
private final class Tapper: NSObject, NFCTagReaderSessionDelegate, Sendable {
    private let readings: AsyncStream<Bool>
    private let input: AsyncStream<Bool>.Continuation
    private let ending = Mutex<(any Error)?>(nil)

    /// Why the session has ended.
    var error: (any Error)? { ending.withLock { $0 } }

    override init() {
        (readings, input) = AsyncStream.makeStream()
    }

    /// Whether the next tag that comes answers its command; nil when the session has ended.
    func nextReading() async -> Bool? {
        for await isAnswered in readings { return isAnswered }
        return nil
    }

    /// Waits for the session's end.
    func end() async {
        for await _ in readings {}
    }

    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(
        _ session: NFCTagReaderSession,
        didInvalidateWithError error: any Error
    ) {
        ending.withLock { $0 = error }
        input.finish()
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        let input = input
        switch tags.first {
        case .iso7816(let tag):
            guard
                let select = NFCISO7816APDU(data: Data([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04]))
            else { return }
            tag.sendCommand(apdu: select) { _, sw1, _, error in
                input.yield(error == nil && sw1 == 0x90)
            }
        case .miFare(let tag):
            // A page of a type 2 tag; a Classic is authenticated with its last four bytes of UID.
            let command =
                tag.mifareFamily == .ultralight
                ? Data([0x30, 0x04])
                : Data([0x60, 0x04] + [UInt8](repeating: 0xFF, count: 6)) + tag.identifier.suffix(4)
            tag.sendMiFareCommand(commandPacket: command) { _, error in input.yield(error == nil) }
        default: input.yield(false)
        }
    }
}
