import Foundation
import NFCReader
import NFCSession
import Synchronization
import TestSupport
import Testing
import VirtualReader

/// The continuous mode over the real libnfc.
@Suite(.serialized) struct TagMonitorTests {
    private func monitor(
        _ reader: VirtualReader,
        identifies: Bool = false,
        quietTime: Duration = .milliseconds(20),
        holdTime: Duration? = nil,
        recovery: RecoveryPolicy? = RecoveryPolicy()
    ) -> TagMonitor {
        var configuration = TagMonitor.Configuration(
            reader: reader.connectionString,
            technologies: NFCReader.Technology.allCases,
            period: .milliseconds(5),
            identifies: identifies,
            quietTime: quietTime,
            holdTime: holdTime
        )
        configuration.recovery = recovery
        return TagMonitor(configuration)
    }

    @Test func reportsATagAsItComesAndGoes() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try Type2Tag(kind: .ntag213, uid: .fixed(hex("04a1b2c3d4e580")))
        reader.place(tag)
        var reports: [UIDReport] = []
        for try await report in monitor(reader, identifies: true).reports() {
            reports.append(report)
            if report.event == .removed { break }
            reader.remove(tag)
        }
        #expect(reports.map(\.event) == [.detected, .removed])
        #expect(reports.map(\.uid) == [hex("04a1b2c3d4e580"), hex("04a1b2c3d4e580")])
        #expect(reports.map(\.type) == ["NTAG213", "NTAG213"])
        #expect(reports.allSatisfy { !$0.isRandom && $0.reader == reader.connectionString })
    }

    @Test(
        "names type 2 tags with one exchange more, and only when asked",
        arguments: [
            (Type2Chip.ntag213, "NTAG213"), (.ntag215, "NTAG215"), (.ntag216, "NTAG216"),
            // Has no GET_VERSION and falls silent, so it is selected again and asked once more.
            (.ultralight, "MIFARE Ultralight or NTAG"),
        ]
    )
    func identifies(chip: Type2Chip, name: String) async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try Type2Tag(kind: chip))
        for try await report in monitor(reader, identifies: true).reports() {
            #expect(report.type == name)
            break
        }
        let silent = try VirtualReader()
        defer { silent.close() }
        silent.place(try Type2Tag(kind: chip))
        for try await report in monitor(silent).reports() {
            #expect(report.type == "MIFARE Ultralight or NTAG")
            break
        }
        #expect(silent.statistics.tagExchanges == 0)
    }

    @Test func tellsAHoldFromATap() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try Type2Tag(kind: .ntag213)
        reader.place(tag)
        let hold = Duration.milliseconds(100)
        var reports: [UIDReport] = []
        for try await report in monitor(reader, holdTime: hold).reports() {
            reports.append(report)
            if report.event == .resting { reader.remove(tag) }
            if report.event == .removed { break }
        }
        #expect(reports.map(\.event) == [.detected, .resting, .removed])
        let held = reports.map(\.held)
        #expect(held[0] == .zero && held[1] >= hold && held[2] >= held[1])
    }

    @Test func doesNotTakeAFlickerForANewTap() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        let tag = try Type2Tag(kind: .ntag213)
        reader.place(tag)
        let start = ContinuousClock.now
        var events: [UIDReport.Event] = []
        var isAway = false
        // Away for a twentieth of the quiet time, then for good.
        let quiet = Duration.seconds(2)
        for try await report in monitor(reader, quietTime: quiet, holdTime: .milliseconds(50))
            .reports()
        {
            events.append(report.event)
            switch report.event {
            case .detected:
                reader.remove(tag)
                try await Task.sleep(for: quiet / 20)
                reader.place(tag)
            case .resting:
                reader.remove(tag)
                isAway = true
            case .removed: #expect(isAway && ContinuousClock.now - start >= quiet)
            }
            if report.event == .removed { break }
        }
        #expect(events == [.detected, .resting, .removed])
    }

    @Test func marksRandomUIDs() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try ISODEPTag(uid: .random, application: Type4Application()))
        for try await report in monitor(reader).reports() {
            #expect(report.isRandom)
            #expect(report.uid.first == 0x08)
            break
        }
    }

    @Test func endsWithTheFieldOffWhenItsTaskIsCancelled() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try Type2Tag(kind: .ntag213))
        let monitor = monitor(reader)
        let (seen, input) = AsyncStream<UIDReport>.makeStream()
        let task = Task {
            // Whatever ends the run ends the wait below.
            defer { input.finish() }
            try await monitor.run { input.yield($0) }
        }
        for await _ in seen { break }
        #expect(reader.isFieldOn)
        task.cancel()
        try await task.value
        #expect(!reader.isFieldOn)
    }

    @Test func failsWhenTheReaderGoesAwayAndIsNotKept() async throws {
        let reader = try VirtualReader()
        reader.place(try Type2Tag(kind: .ntag213))
        await #expect {
            for try await _ in monitor(reader, recovery: nil).reports() { reader.close() }
        } throws: { error in
            (error as? ReaderError)?.kind == .reader
        }
    }

    @Test func saysWhyThereIsNoReader() async throws {
        let missing = TagMonitor(TagMonitor.Configuration(reader: "pn532_uart:/dev/ttyNONE0"))
        await #expect {
            for try await _ in missing.reports() {}
        } throws: { error in
            guard case .cannotOpen? = error as? ReaderError else { return false }
            return true
        }
    }

    @Test func tellsItsDelegate() async throws {
        let reader = try VirtualReader()
        defer { reader.close() }
        reader.place(try Type2Tag(kind: .ntag213, uid: .fixed(hex("04a1b2c3d4e580"))))
        let monitor = monitor(reader)
        let listener = Listener()
        monitor.delegate = listener
        monitor.start()
        monitor.start()
        for await uid in listener.uids {
            #expect(uid == hex("04a1b2c3d4e580"))
            monitor.stop()
        }
        #expect(listener.failure == nil)
        #expect(!reader.isFieldOn)
    }

    /// Streams UIDs until the monitor ends.
    private final class Listener: TagMonitorDelegate {
        let uids: AsyncStream<Data>
        private let input: AsyncStream<Data>.Continuation
        private let error = Mutex<ReaderError?>(nil)

        init() {
            (uids, input) = AsyncStream.makeStream()
        }

        var failure: ReaderError? { error.withLock { $0 } }

        func tagMonitor(_ monitor: TagMonitor, didReport report: UIDReport) {
            input.yield(report.uid)
        }

        func tagMonitor(_ monitor: TagMonitor, didEndWith error: ReaderError?) {
            self.error.withLock { $0 = error }
            input.finish()
        }
    }
}
