import Bytes
import CoreNFC
import Foundation
import NFCReader
import NFCSession
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// What monitors and sessions tell when their reader goes and comes, over the real libnfc.
@Suite(.serialized) struct KeptReaderTests {
    /// A virtual reader whose port keeps its name when it is plugged in again.
    private final class Desk {
        let reader: VirtualReader
        let connectionString: String
        private let folder: URL

        init() throws {
            reader = try VirtualReader()
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                UUID().uuidString
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let link = folder.appendingPathComponent("reader").path
            try reader.link(at: link)
            connectionString = "pn532_uart:" + link
        }

        func replug(meanwhile change: () -> Void = {}) throws {
            reader.hangUp()
            change()
            try reader.reconnect()
        }

        deinit {
            reader.close()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    private func configuration(_ desk: Desk) -> TagMonitor.Configuration {
        TagMonitor.Configuration(reader: desk.connectionString, period: .milliseconds(5))
    }

    @Test func aTagThatRestsThroughAReplugIsNotReportedAgain() async throws {
        let desk = try Desk()
        let (resting, next) = (
            try Type2Tag(kind: .ntag213, uid: .fixed(hex("04a1b2c3d4e580"))),
            try MifareClassicTag(kind: .classic1K, uid: .fixed(hex("deadbeef")))
        )
        desk.reader.place(resting)
        var reports: [String] = []
        for try await report in TagMonitor(configuration(desk)).reports() {
            reports.append("\(report.event.rawValue) \(report.uid.hex)")
            if reports.count == 1 {
                try desk.replug()
                desk.reader.place(next)
            }
            if reports.count == 2 { break }
        }
        #expect(reports == ["detected 04a1b2c3d4e580", "detected deadbeef"])
    }

    @Test func aTagThatIsTakenAwayWhileTheReaderIsGoneIsReportedRemoved() async throws {
        let desk = try Desk()
        let tag = try ISODEPTag(
            uid: .fixed(hex("04010203040506")),
            application: Type4Application()
        )
        desk.reader.place(tag)
        var reports: [UIDReport.Event] = []
        for try await report in TagMonitor(configuration(desk)).reports() {
            reports.append(report.event)
            if reports.count == 2 { break }
            try desk.replug { desk.reader.remove(tag) }
        }
        #expect(reports == [.detected, .removed])
    }

    @Test func theDelegateIsToldOfTheLossAndOfTheReturn() async throws {
        let desk = try Desk()
        let monitor = TagMonitor(configuration(desk))
        let listener = Listener()
        monitor.delegate = listener
        desk.reader.place(try Type2Tag(kind: .ntag213))
        monitor.start()
        var story: [String] = []
        for await word in listener.words {
            story.append(word)
            if word == "detected" { try desk.replug() }
            if word == "back" { monitor.stop() }
        }
        #expect(story.first == "detected")
        #expect(story.dropFirst().first == "lost")
        #expect(story.contains("reopen"))
        #expect(story.last == "back")
        let health = monitor.health
        #expect(health.losses == 1)
        #expect(health.longestLoss > .zero)
        #expect(health.state == .closed)
        #expect(health.failures[-1, default: 0] > 0)
    }

    @Test func aSessionForUnattendedUseGoesOnAfterAReplug() async throws {
        let desk = try Desk()
        var configuration = NFCSessionConfiguration()
        configuration.reader = desk.connectionString
        configuration.allowsUnlistedApplications = true
        configuration.allowsOtherSessions = true
        configuration.sessionTimeLimit = nil
        configuration.presenter = .none
        configuration.pollPeriod = .milliseconds(5)
        configuration.recovery = RecoveryPolicy()
        let manager = NFCSessionManager(configuration: configuration)
        let listener = Listener()
        manager.delegate = listener
        manager.startNFCTagReaderSession(withAlertMessage: "")
        // The reader is open once it polls; one that goes while it is opened would be opened by a second try.
        while desk.reader.statistics.commands[0x4A, default: 0] < 2 {
            try await Task.sleep(for: .milliseconds(2))
        }
        try desk.replug()
        var story: [String] = []
        for await word in listener.words {
            story.append(word)
            if word == "back" { desk.reader.place(try Type2Tag(kind: .ntag213)) }
            if word == "tag" { manager.invalidate() }
        }
        #expect(story.first == "lost")
        #expect(story.suffix(3) == ["back", "tag", "ended"])
    }

    /// Streams what it is told as words, until the end.
    private final class Listener: TagMonitorDelegate, NFCSessionDelegate {
        let words: AsyncStream<String>
        private let input: AsyncStream<String>.Continuation

        init() {
            (words, input) = AsyncStream.makeStream()
        }

        private func tell(_ event: RecoveryEvent) {
            switch event {
            case .lost: input.yield("lost")
            case .attempted(let step, _, _): input.yield(step.rawValue)
            case .back: input.yield("back")
            }
        }

        func tagMonitor(_ monitor: TagMonitor, didReport report: UIDReport) {
            input.yield(report.event.rawValue)
        }

        func tagMonitor(_ monitor: TagMonitor, didNotice event: RecoveryEvent) { tell(event) }

        func tagMonitor(_ monitor: TagMonitor, didEndWith error: ReaderError?) { input.finish() }

        func sessionManager(_ manager: NFCSessionManager, didDetect tag: DetectedTag) {
            input.yield("tag")
        }

        func sessionManager(_ manager: NFCSessionManager, didNotice event: RecoveryEvent) {
            tell(event)
        }

        func sessionManager(
            _ manager: NFCSessionManager,
            didInvalidateWithError error: NFCReaderError
        ) {
            input.yield("ended")
            input.finish()
        }
    }
}
